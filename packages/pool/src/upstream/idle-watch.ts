/** A lazy server that nobody uses is stopped after its time. */
import type { Clock, Timer } from '@switchboard/base'

export interface IdleWatchOptions {
  readonly clock: Clock
  /** Milliseconds. Undefined: it is never stopped for this. */
  readonly after: number | undefined
  isUsed(): boolean
  onIdle(): void
}

export class IdleWatch {
  readonly #options: IdleWatchOptions
  #timer: Timer | undefined

  constructor(options: IdleWatchOptions) {
    this.#options = options
  }

  /** The time runs from now on. */
  begin(): void {
    const { clock, after, isUsed, onIdle } = this.#options
    if (after === undefined) return
    this.#timer?.cancel()
    this.#timer = clock.setTimer(after, () => {
      if (isUsed()) this.begin()
      else onIdle()
    })
  }

  cancel(): void {
    this.#timer?.cancel()
  }
}
