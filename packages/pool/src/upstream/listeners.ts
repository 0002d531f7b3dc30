import type { Disposable } from '@switchboard/protocol'

/** Whoever wants to hear of one kind of thing. One that leaves while it is told disturbs nobody. */
export class Listeners<A extends unknown[]> {
  readonly #all = new Set<(...args: A) => void>()

  add(listener: (...args: A) => void): Disposable {
    this.#all.add(listener)
    return { dispose: () => void this.#all.delete(listener) }
  }

  readonly notify = (...args: A): void => {
    for (const listener of [...this.#all]) listener(...args)
  }
}
