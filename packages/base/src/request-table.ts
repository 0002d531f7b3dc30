/**
 * What waits for an answer, by its id. Ids count upwards, so a request nearly always has a slot of its own.
 *
 * Not a Map: one that is filled and emptied all the time replaces its inner table every few dozen requests, and a
 * replaced table that has grown old keeps all later ones and what they hold until the next full collection. That was
 * nearly a kilobyte a call for the collector to copy: a quarter of our CPU with 64 calls at once.
 */
/** What a request is told by: in JSON-RPC its id. */
export type RequestKey = string | number | bigint

const SLOTS = 256
const MASK = SLOTS - 1

export class RequestTable<T extends { readonly id: RequestKey }> {
  readonly #slots: (T | undefined)[] = Array.from({ length: SLOTS }, () => undefined)
  /** Those whose slot was taken: by one that waits for very long, or since very many wait. */
  readonly #others = new Map<RequestKey, T>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: RequestKey): T | undefined {
    const held = typeof id === 'number' ? this.#slots[id & MASK] : undefined
    if (held?.id === id) return held
    return this.#others.size === 0 ? undefined : this.#others.get(id)
  }

  /** The id must not be in it. */
  add(entry: T): void {
    const { id } = entry
    this.#size++
    if (typeof id === 'number' && this.#slots[id & MASK] === undefined) this.#slots[id & MASK] = entry
    else this.#others.set(id, entry)
  }

  remove(entry: T): void {
    const { id } = entry
    if (typeof id === 'number' && this.#slots[id & MASK] === entry) {
      this.#slots[id & MASK] = undefined
      this.#size--
    } else if (this.#others.delete(id)) this.#size--
  }

  /** In the order in which they were added. */
  all(): T[] {
    if (this.#size === 0) return []
    const found = this.#slots.filter((entry) => entry !== undefined)
    return [...found, ...this.#others.values()].sort((one, other) => Number(one.id) - Number(other.id))
  }
}
