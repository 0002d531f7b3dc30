/** The last lines a server wrote, for errors and `status`. */
import { type LogLevel, maskText } from '@switchboard/telemetry'

export const KEPT_LINES = 200
const KEPT_CHARACTERS = 2000

export class OutputTail {
  readonly #lines: string[] = []
  #next = 0

  push(line: string): void {
    const kept = line.length > KEPT_CHARACTERS ? `${line.slice(0, KEPT_CHARACTERS)}…` : line
    if (this.#lines.length < KEPT_LINES) this.#lines.push(kept)
    else this.#lines[this.#next] = kept
    this.#next = (this.#next + 1) % KEPT_LINES
  }

  /** Oldest first, without secrets: they are shown to agents and in terminals. Masked when read, which is seldom. */
  lines(count: number = KEPT_LINES): string[] {
    const ordered =
      this.#lines.length < KEPT_LINES
        ? this.#lines
        : [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)]
    return ordered.slice(-count).map(maskText)
  }
}

const LEVELS: readonly [LogLevel, RegExp][] = [
  ['error', /\b(?:\w*error|fatal|panic|critical|\w*exception|traceback|unhandled)\b/i],
  ['warn', /\b(?:warn|\w*warning|deprecated)\b/i],
  ['debug', /\b(?:debug|trace|verbose)\b/i],
]

/** stderr has no levels; the words in a line are the best there is. Only its beginning is looked at. */
export function guessLevel(line: string): LogLevel {
  const start = line.length > 200 ? line.slice(0, 200) : line
  for (const [level, words] of LEVELS) if (words.test(start)) return level
  return 'info'
}
