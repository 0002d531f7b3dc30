/**
 * Time as our code sees it, so that tests can own it. Schedules run on the monotonic clock: a machine whose wall
 * clock jumps neither fires nor delays anything.
 */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Milliseconds since the epoch, for display and files only; may jump. */
  wallTime(): number
  /** Keeps the process alive until it has fired or is cancelled: for what must still happen. */
  setTimer(ms: number, fire: () => void): Timer
  /** Never keeps the process alive: for what matters only while something else does. */
  setBackgroundTimer(ms: number, fire: () => void): Timer
}

export interface Timer {
  cancel(): void
}

/** Node's timers count no further, and fire at once when they are asked to: longer is this long. */
const LONGEST_TIMER_MS = 2_147_483_647

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  setTimer(ms, fire) {
    const handle = setTimeout(fire, Math.min(ms, LONGEST_TIMER_MS))
    return { cancel: () => clearTimeout(handle) }
  },
  setBackgroundTimer(ms, fire) {
    const handle = setTimeout(fire, Math.min(ms, LONGEST_TIMER_MS)).unref()
    return { cancel: () => clearTimeout(handle) }
  },
}
