/**
 * How many turns of the event loop it takes until what has happened is told: one to read it, one to close what it was
 * read from, and one for whoever waits for that.
 */
const TURNS = 3

/**
 * What the promise gives, or undefined when it takes longer. Real time, and the wait keeps the process alive. Where this
 * process got no time to run, the timer is the first to be heard; what had happened by then is heard all the same.
 */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: elapsed, resolve } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    timer = undefined
    takeTurns(TURNS, () => resolve(undefined))
  }, ms)
  try {
    return await Promise.race([promise, elapsed])
  } finally {
    clearTimeout(timer)
  }
}

function takeTurns(left: number, then: () => void): void {
  if (left === 0) then()
  else setImmediate(takeTurns, left - 1, then)
}
