/** Time as the transports see it, so that tests can own it. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  setTimer(ms: number, fire: () => void): { cancel(): void }
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(ms, fire) {
    const handle = setTimeout(fire, ms)
    return { cancel: () => clearTimeout(handle) }
  },
}
