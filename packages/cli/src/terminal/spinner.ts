/** One line on stderr while something takes long. Nothing at all where stderr is no terminal. */
import { LiveRegion } from './live-region.ts'
import type { Terminal } from './terminal.ts'
import { fitText } from './text-width.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 90
/** What is done sooner is not worth a flash of text. */
const SHOW_AFTER_MS = 150

export class Spinner {
  readonly #terminal: Terminal
  readonly #region: LiveRegion
  readonly #describe: () => string
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout | undefined
  #frame = 0

  constructor(terminal: Terminal, describe: () => string) {
    this.#terminal = terminal
    this.#region = new LiveRegion(terminal.stream)
    this.#describe = describe
    if (terminal.isTTY) this.#timer = setInterval(() => this.#draw(), FRAME_MS)
  }

  /** Until the next frame. */
  clear(): void {
    this.#region.close()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#region.close()
  }

  #draw(): void {
    if (performance.now() - this.#startedAt < SHOW_AFTER_MS) return
    const { style, width } = this.#terminal
    const symbol = style.cyan(FRAMES[this.#frame++ % FRAMES.length] ?? '')
    this.#region.draw([fitText(`${symbol} ${style.dim(this.#describe())}`, width - 1)])
  }
}
