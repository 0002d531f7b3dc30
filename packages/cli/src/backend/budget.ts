/** A time limit whose clock can be stopped; `onOver` is called at most once. */
export class Budget {
  readonly #onOver: () => void
  #left: number
  #begun = 0
  #pauses = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, onOver: () => void) {
    this.#left = ms
    this.#onOver = onOver
    this.#run()
  }

  /** As often as it is paused it has to be resumed. */
  pause(): void {
    if (this.#pauses++ > 0) return
    this.#left -= performance.now() - this.#begun
    clearTimeout(this.#timer)
  }

  resume(): void {
    if (this.#pauses > 0 && --this.#pauses === 0) this.#run()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#pauses = Number.POSITIVE_INFINITY
  }

  #run(): void {
    this.#begun = performance.now()
    this.#timer = setTimeout(this.#onOver, Math.max(0, this.#left))
  }
}
