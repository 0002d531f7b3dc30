import type { Clock, Timer } from '@switchboard/base'

interface FakeTimer {
  readonly due: number
  readonly order: number
  readonly fire: () => void
}

/**
 * Time that moves only when a test says so.
 *
 * 1. Timers fire in the order of their due time; those due together fire in the order in which they were set.
 * 2. While a timer fires, `now()` is its due time. A timer set by it that is due within the same advance fires too.
 * 3. The wall clock moves along with the monotonic one and can jump alone; a jump fires nothing.
 */
export class FakeClock implements Clock {
  #now: number
  #wallOffset: number
  #order = 0
  readonly #timers = new Set<FakeTimer>()

  constructor(options: { now?: number; wallTime?: number } = {}) {
    this.#now = options.now ?? 0
    this.#wallOffset = (options.wallTime ?? Date.UTC(2026, 0, 1)) - this.#now
  }

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return this.#now + this.#wallOffset
  }

  setTimer(ms: number, fire: () => void): Timer {
    const timer: FakeTimer = { due: this.#now + Math.max(0, ms), order: this.#order++, fire }
    this.#timers.add(timer)
    return { cancel: () => void this.#timers.delete(timer) }
  }

  /** As `setTimer`: no process lives or ends by a fake timer. */
  setBackgroundTimer(ms: number, fire: () => void): Timer {
    return this.setTimer(ms, fire)
  }

  /** Moves time by `ms` and fires what becomes due, synchronously. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let timer = this.#nextDue(end); timer !== undefined; timer = this.#nextDue(end)) this.#fire(timer)
    this.#now = end
  }

  /** As `advance`, but promise callbacks run to their end before the first timer, between timers and after the last. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#now + ms
    await settleMicrotasks()
    for (let timer = this.#nextDue(end); timer !== undefined; timer = this.#nextDue(end)) {
      this.#fire(timer)
      await settleMicrotasks()
    }
    this.#now = end
  }

  /** How long each pending timer still has, soonest first. */
  pendingTimers(): number[] {
    return [...this.#timers].map((timer) => timer.due - this.#now).sort((a, b) => a - b)
  }

  jumpWallTime(ms: number): void {
    this.#wallOffset += ms
  }

  #nextDue(end: number): FakeTimer | undefined {
    let next: FakeTimer | undefined
    for (const timer of this.#timers) {
      if (timer.due > end) continue
      if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
        next = timer
    }
    return next
  }

  #fire(timer: FakeTimer): void {
    this.#timers.delete(timer)
    this.#now = timer.due
    timer.fire()
  }
}

/** A macrotask comes after every microtask that is queued, however long their chain. */
function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
