/**
 * Time as our code sees it, so that tests can own it. Schedules run on the monotonic clock: a machine whose wall
 * clock jumps neither fires nor delays anything.
 */
export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Milliseconds since the epoch, for display only. */
  wallTime(): number
  setTimer(ms: number, fire: () => void): Timer
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  setTimer(ms, fire) {
    const handle = setTimeout(fire, ms)
    return { cancel: () => clearTimeout(handle) }
  },
}
