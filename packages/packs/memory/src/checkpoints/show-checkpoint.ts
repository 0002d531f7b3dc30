/** What an agent reads of a checkpoint, at three depths. What is left out is counted, so that nobody takes a part for the whole. */
import { formatAge, toLine } from '../answers/format-hits.ts'
import { type Checkpoint, describeFacts } from './checkpoint.ts'

export type Level = 'summary' | 'context' | 'full'

/** Characters of an answer at the middle depth: an agent goes on with it, and pays for it in every later turn. */
const MIDDLE = 640
const FEW_NAMES = 120
const ALL_NAMES = 20_000
/** Less of a value tells nothing. */
const LEAST_VALUE = 24

export function showCheckpoint(checkpoint: Checkpoint, level: Level, now: number): string {
  const { id, summary, description, facts, createdAt, tags, context } = checkpoint
  const lines = [`${id} (${formatAge(now - createdAt)}): ${summary}`]
  const known = describeFacts(facts, level === 'full' ? ALL_NAMES : FEW_NAMES)
  if (known !== undefined) lines.push(known)
  if (level === 'summary') return lines.join('\n')
  const parts = [
    ...Object.entries(context).map(([name, value]) => ({ start: `${name}: `, value })),
    ...(description === '' ? [] : [{ start: '', value: description }]),
  ]
  if (level === 'full') {
    if (tags.length > 0) lines.push(`tags: ${tags.join(', ')}`)
    return [...lines, ...parts.map(({ start, value }) => `${start}${value}`)].join('\n')
  }
  return fill(lines, parts)
}

/** The room is shared: every part is begun before one is told whole. */
function fill(lines: string[], parts: readonly { readonly start: string; readonly value: string }[]): string {
  let left = MIDDLE - lines.join('\n').length
  let isCut = false
  for (const [index, { start, value }] of parts.entries()) {
    const room = Math.floor(left / (parts.length - index)) - start.length - 1
    const line = toLine(value, Math.max(1, room))
    if (room < Math.min(LEAST_VALUE, value.length)) {
      lines.push(`${parts.length - index} more: level full`)
      return lines.join('\n')
    }
    isCut ||= line.length < value.trim().length
    lines.push(`${start}${line}`)
    left -= start.length + line.length + 1
  }
  if (isCut) lines.push('Cut: level full has all of it.')
  return lines.join('\n')
}
