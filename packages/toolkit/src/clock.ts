/** Time as a pack needs it; a test gives a fake one of the same shape. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Milliseconds since the epoch; may jump. */
  wallTime(): number
  setTimer(ms: number, fire: () => void): { cancel(): void }
}

/** Longer than Node's timers can count: then it is for ever. */
const LONGEST_TIMER = 2_147_483_647

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  setTimer: (ms, fire) => {
    const timer = setTimeout(fire, Math.min(ms, LONGEST_TIMER))
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}
