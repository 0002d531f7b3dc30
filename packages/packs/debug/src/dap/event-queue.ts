/** Handles events one after another: one that must ask the adapter first holds up those behind it, and no others. */
export class EventQueue<T> {
  readonly #handle: (event: T) => Promise<void> | undefined
  #waiting: T[] = []
  #busy: Promise<void> | undefined

  constructor(handle: (event: T) => Promise<void> | undefined) {
    this.#handle = handle
  }

  push(event: T): void {
    if (this.#busy !== undefined) this.#waiting.push(event)
    else this.#start(event)
  }

  /** Is there such an event behind the one that is handled now? */
  has(matches: (event: T) => boolean): boolean {
    return this.#waiting.some(matches)
  }

  /** Resolves when what is in it has been handled. */
  async drained(): Promise<void> {
    while (this.#busy !== undefined) await this.#busy
  }

  #start(event: T): void {
    const work = this.#handle(event)
    if (work === undefined) return
    this.#busy = work.then(
      () => this.#next(),
      () => this.#next(),
    )
  }

  #next(): void {
    this.#busy = undefined
    while (this.#busy === undefined) {
      const event = this.#waiting.shift()
      if (event === undefined) return
      this.#start(event)
    }
  }
}
