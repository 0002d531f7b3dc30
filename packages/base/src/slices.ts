/**
 * For work on the event loop that others can make long: between two pieces of it, everybody else has a turn.
 * `await slices.pause()` costs a turn of the loop only when the slice is used up.
 */
const SLICE_MS = 10

export class Slices {
  #began = performance.now()

  /** Undefined: there is time left. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#began < SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#began = performance.now()
        resolve()
      })
    })
  }
}
