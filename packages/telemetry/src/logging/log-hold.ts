/**
 * Lines of a run that, as long as all goes well, nobody will ever look for: they are kept in memory until something goes wrong,
 * and given up when nothing did. So a hundred commands that went well do not leave a hundred files behind.
 *
 * A warning or an error lets all of them go into their files, those before it and those after it; so does `keep`, a run that
 * lasts, and more lines than should be held.
 */
import { type Clock, systemClock, type Timer } from '@switchboard/base'
import { isAtLeast, type LogLevel } from './logger.ts'

const LASTING_MS = 60_000
const MOST_LINES = 2_000

export class LogHold {
  readonly #timer: Timer
  #held: (() => void)[] = []
  #isKept = false

  constructor({ clock = systemClock }: { readonly clock?: Clock } = {}) {
    this.#timer = clock.setBackgroundTimer(LASTING_MS, () => this.keep())
  }

  /** `write` is called at once, later, or never. */
  take(level: LogLevel, write: () => void): void {
    if (isAtLeast(level, 'warn') || this.#held.length >= MOST_LINES) this.keep()
    if (this.#isKept) write()
    else this.#held.push(write)
  }

  /** This run is worth its logs, whatever comes. */
  keep(): void {
    if (this.#isKept) return
    this.#isKept = true
    this.#timer.cancel()
    for (const write of this.#held) write()
    this.#held = []
  }
}
