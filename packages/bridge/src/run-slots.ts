/** So many at once; the others wait, in the order in which they came. */
export class RunSlots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves with what ends the turn, to be called once. Rejects with the reason of the signal. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    return () => {
      const [next] = this.#waiting
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = (): void => {
        this.#waiting.delete(onTurn)
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        this.#waiting.delete(onTurn)
        reject(signal.reason)
      }
      this.#waiting.add(onTurn)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }
}
