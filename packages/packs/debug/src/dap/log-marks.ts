/**
 * Adapters print what a logpoint says among the program's output, each in a way of its own. A mark at the beginning of
 * the message tells whose it is, and lets us take it out again with all the decoration.
 */
import type { OutputCategory, Place, SessionEvent } from '../engine/debug-session.ts'

/** No id of ours begins so. */
const FAILED = 'failed.'
const MARK = /\[\[bp:([^\]\s]{1,64})\]\]/

export function markLogMessage(id: string, message: string): string {
  return `[[bp:${encodeURIComponent(id)}]]${message}`
}

/** What a condition that fails prints, in the program: a line of its own, with the reason behind it. */
export function markFailure(id: string): string {
  return `[[bp:${FAILED}${encodeURIComponent(id)}]]`
}

export interface OutputPart {
  readonly category: OutputCategory
  readonly text: string
  readonly breakpointId?: string
  /** The text is why its condition failed. */
  readonly isFailure?: boolean
}

export function toOutputEvent({ isFailure = false, ...part }: OutputPart, place: Place | undefined): SessionEvent {
  const { breakpointId, text } = part
  if (isFailure && breakpointId !== undefined) return { type: 'conditionFailed', breakpointId, why: text.trim() }
  return { type: 'output', ...part, ...(place === undefined ? {} : { place }) }
}

/** Cuts output into what the program said and what logpoints said. Quick when there is no mark. */
export function splitMarkedOutput(category: OutputCategory, text: string): OutputPart[] {
  if (!text.includes('[[bp:')) return [{ category, text }]
  const parts: OutputPart[] = []
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = MARK.exec(line)
    if (mark === null) parts.push({ category, text: line })
    else {
      const message = line.slice(mark.index + mark[0].length)
      const id = decode(mark[1] ?? '')
      const isFailure = id.startsWith(FAILED)
      parts.push({
        category: 'console',
        text: message.endsWith('\n') ? message : `${message}\n`,
        breakpointId: isFailure ? id.slice(FAILED.length) : id,
        ...(isFailure ? { isFailure } : {}),
      })
    }
  }
  return parts
}

/** A program may print something that looks like a mark. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type LogPiece = string | { readonly expression: string }

/** The pieces of a log message: text, and the expressions in braces. A backslash takes a brace literally. */
export function parseLogMessage(message: string): readonly LogPiece[] {
  const pieces: LogPiece[] = []
  let text = ''
  for (let index = 0; index < message.length; index++) {
    const character = message.charAt(index)
    const next = message.charAt(index + 1)
    if (character === '\\' && (next === '{' || next === '}')) {
      text += next
      index++
      continue
    }
    const end = character === '{' ? findClosingBrace(message, index) : -1
    if (end === -1) {
      text += character
      continue
    }
    if (text !== '') pieces.push(text)
    text = ''
    pieces.push({ expression: message.slice(index + 1, end).trim() })
    index = end
  }
  if (text !== '') pieces.push(text)
  return pieces
}

function findClosingBrace(message: string, start: number): number {
  let depth = 0
  for (let index = start; index < message.length; index++) {
    if (message.charAt(index) === '{') depth++
    else if (message.charAt(index) === '}' && --depth === 0) return index
  }
  return -1
}
