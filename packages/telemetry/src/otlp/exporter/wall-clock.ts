/**
 * From the monotonic clock to the time of day. The monotonic one stands still while a machine sleeps, and the time of day is set
 * right now and then: once the two have gone apart by so much, they are put together anew.
 */
const MOST_DRIFT_MS = 20

export class WallClock {
  #offset: number = performance.timeOrigin

  /** Milliseconds since the epoch. */
  toEpoch(monotonic: number): number {
    const drift = Date.now() - (this.#offset + performance.now())
    if (Math.abs(drift) > MOST_DRIFT_MS) this.#offset += drift
    return this.#offset + monotonic
  }
}
