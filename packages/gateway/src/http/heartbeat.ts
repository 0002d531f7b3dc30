import type { Clock } from '@switchboard/base'

/** Something that is looked at from time to time: to keep its connection alive, to see that it is stuck or expired. */
export interface Beating {
  onBeat(now: number): void
}

/** Beats that an answer may take before its connection is kept alive as an event stream. */
export const BEATS_UNTIL_STREAMING = 2
/** Beats that a whole answer may stay unread: five minutes with the usual interval. */
export const BEATS_UNTIL_UNREAD = 20

/** One timer for everything that is open, however much it is. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #interval: number
  readonly #members = new Set<Beating>()
  #timer: { cancel(): void } | undefined

  constructor(clock: Clock, interval: number) {
    this.#clock = clock
    this.#interval = interval
  }

  add(member: Beating): void {
    this.#members.add(member)
  }

  delete(member: Beating): void {
    this.#members.delete(member)
  }

  start(): void {
    this.#timer ??= this.#clock.setTimer(this.#interval, () => {
      this.#timer = undefined
      this.start()
      const now = this.#clock.now()
      for (const member of this.#members) member.onBeat(now)
    })
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
