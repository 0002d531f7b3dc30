/** How every tool of the pack shows what it found: a line for each, the id first, and why it is there last. */
import type { Hit } from '@switchboard/store'

export interface ShownHit {
  readonly id: string
  /** One line; longer ones are cut. */
  readonly title: string
  /** Milliseconds since 1970. Absent: its age tells nothing. */
  readonly at?: number
  /** Why it matched, such as `same type`. */
  readonly why?: string
  /** Lines below it. */
  readonly more?: readonly string[]
}

const MAX_TITLE = 200

/** `note`: what the agent should know of the search, such as that an encoder is down. */
export function formatHits(hits: readonly ShownHit[], now: number, note?: string): string {
  const lines = hits.flatMap(({ id, title, at, why, more = [] }) => {
    const facts = [...(at === undefined ? [] : [formatAge(now - at)]), ...(why === undefined ? [] : [why])]
    const tail = facts.length === 0 ? '' : ` (${facts.join(', ')})`
    return [`${id} ${toLine(title, MAX_TITLE)}${tail}`, ...more.map((line) => `  ${line}`)]
  })
  return [...lines, ...(note === undefined ? [] : [note])].join('\n')
}

/** How it was found: by its words, by their meaning, or both. */
export function explainMatch({ matched }: Pick<Hit, 'matched'>): string {
  return `matched: ${matched}`
}

/** Blanks and line breaks are one blank. */
export function toLine(text: string, limit: number): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= limit && text.length <= 4 * limit) return line
  const cut = line.slice(0, limit - 1)
  // Half of a pair of surrogates is no character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

const STEPS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
]

/** `3 d ago`, `just now`. */
export function formatAge(ms: number): string {
  const step = STEPS.find(([unit]) => ms >= unit)
  return step === undefined ? 'just now' : `${Math.floor(ms / step[0])} ${step[1]} ago`
}
