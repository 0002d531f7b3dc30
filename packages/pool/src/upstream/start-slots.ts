/**
 * How many handshakes may be busy at once while many servers start. A place is held for a second at most: a server
 * that keeps silent that long is waited for, not worked on, and must not keep others from starting.
 */
import type { Clock } from '@switchboard/base'

const HELD_AT_MOST_MS = 1000

export class StartSlots {
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number, clock: Clock) {
    this.#free = count
    this.#clock = clock
  }

  /** Resolves with the way to give the place back; giving it back twice does no harm. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      timer.cancel()
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
    const timer = this.#clock.setTimer(HELD_AT_MOST_MS, release)
    return release
  }
}
