/**
 * Lines at the bottom of the screen that are redrawn in place. Everything goes out in one write, line by line over the
 * old text, so that nothing flickers; the lines must fit the width.
 */
import type { OutputStream } from '../program/io.ts'
import { toTerminalText } from './safe-text.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
/** Terminals that know it show the whole frame at once; the others ignore it. */
const BEGIN_FRAME = '\x1b[?2026h'
const END_FRAME = '\x1b[?2026l'
const CLEAR_LINE_END = '\x1b[K'
const CLEAR_BELOW = '\x1b[J'

export class LiveRegion {
  readonly #stream: OutputStream
  readonly #onExit = (): void => void this.#stream.write(SHOW_CURSOR)
  #drawn = 0
  #isOpen = false

  constructor(stream: OutputStream) {
    this.#stream = stream
  }

  draw(lines: readonly string[]): void {
    let text = this.#isOpen ? BEGIN_FRAME : `${HIDE_CURSOR}${BEGIN_FRAME}`
    if (!this.#isOpen) {
      this.#isOpen = true
      process.once('exit', this.#onExit)
    }
    text += this.#toTop()
    for (const line of lines) text += `${toTerminalText(line)}${CLEAR_LINE_END}\n`
    this.#stream.write(`${text}${CLEAR_BELOW}${END_FRAME}`)
    this.#drawn = lines.length
  }

  /** After a change of size nobody knows where the old lines are. */
  clearScreen(): void {
    if (!this.#isOpen) return
    this.#stream.write('\x1b[2J\x1b[H')
    this.#drawn = 0
  }

  /** Takes the lines away, or leaves them for good. */
  close({ keep = false }: { keep?: boolean } = {}): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    process.removeListener('exit', this.#onExit)
    this.#stream.write(`${keep ? '' : `${this.#toTop()}${CLEAR_BELOW}`}${SHOW_CURSOR}`)
    this.#drawn = 0
  }

  #toTop(): string {
    return this.#drawn === 0 ? '\r' : `\r\x1b[${this.#drawn}A`
  }
}
