/** Progress of a call on stderr: a bar on a terminal, lines elsewhere. */
import type { LogEntry, Progress } from '@switchboard/protocol'
import { LiveRegion } from '../terminal/live-region.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { fitText } from '../terminal/text-width.ts'

const BAR_WIDTH = 24

export class ProgressDisplay {
  readonly #terminal: Terminal
  readonly #region: LiveRegion
  #last: Progress | undefined
  #isPaused = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#region = new LiveRegion(terminal.stream)
  }

  show(progress: Progress): void {
    this.#last = progress
    if (this.#isPaused) return
    const { style, isTTY, width } = this.#terminal
    const text = describeProgress(progress)
    if (!isTTY) this.#terminal.line(`progress: ${text}`)
    else this.#region.draw([fitText(`${style.cyan(drawBar(progress))} ${text}`, width - 1)])
  }

  /** A log message of the server stands above the bar. */
  log({ level, logger, data }: LogEntry): void {
    const { style } = this.#terminal
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    const source = logger === undefined ? '' : `${toSafeLine(logger)}: `
    this.#aside(() => this.#terminal.line(style.dim(`[${level}] ${source}${toSafeLine(text ?? '')}`)))
  }

  /** Somebody else writes to the terminal meanwhile. */
  pause(): void {
    this.#isPaused = true
    this.#region.close()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#last !== undefined && this.#terminal.isTTY) this.show(this.#last)
  }

  close(): void {
    this.#region.close()
  }

  #aside(write: () => void): void {
    const wasPaused = this.#isPaused
    this.pause()
    write()
    if (!wasPaused) this.resume()
  }
}

/** `2/4 50% message` */
function describeProgress({ progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress}/${total} ${percentOf(progress, total)}%`
  return message === undefined || message === '' ? amount : `${amount} ${toSafeLine(message)}`
}

function drawBar({ progress, total }: Progress): string {
  // Without a total nobody knows how far it is: the mark walks.
  if (total === undefined) {
    const place = Math.abs(Math.round(progress)) % BAR_WIDTH
    return `${'░'.repeat(place)}█${'░'.repeat(BAR_WIDTH - place - 1)}`
  }
  const filled = Math.round((percentOf(progress, total) / 100) * BAR_WIDTH)
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
}

function percentOf(progress: number, total: number): number {
  return total > 0 ? Math.max(0, Math.min(100, Math.round((progress / total) * 100))) : 0
}
