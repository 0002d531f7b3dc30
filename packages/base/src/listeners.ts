import type { Disposable } from './disposable.ts'

/**
 * Whoever wants to hear of one kind of thing, told in the order in which they came. One that leaves or comes while they are
 * told disturbs nobody. One that throws ends the telling, unless `onFailure` takes its error.
 */
export class Listeners<A extends unknown[], R = void> {
  readonly #all = new Set<(...args: A) => R>()
  readonly #onFailure: ((error: unknown) => void) | undefined

  constructor(onFailure?: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  get size(): number {
    return this.#all.size
  }

  add(listener: (...args: A) => R): Disposable {
    this.#all.add(listener)
    return { dispose: () => void this.#all.delete(listener) }
  }

  readonly notify = (...args: A): void => {
    for (const listener of [...this.#all]) this.#tell(listener, args)
  }

  /** As `notify`, and each is told only when the one before it is done. */
  async notifyInTurn(...args: A): Promise<void> {
    for (const listener of [...this.#all]) await listener(...args)
  }

  clear(): void {
    this.#all.clear()
  }

  #tell(listener: (...args: A) => R, args: A): void {
    if (this.#onFailure === undefined) {
      listener(...args)
      return
    }
    try {
      listener(...args)
    } catch (error) {
      this.#onFailure(error)
    }
  }
}
