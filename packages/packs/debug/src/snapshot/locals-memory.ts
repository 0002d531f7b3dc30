/** What the locals of a frame were when it was last shown, so that the next stop can tell what changed. */
const MAX_FRAMES = 32

export interface LocalChange {
  readonly change: 'new' | 'changed'
  /** The value before. */
  readonly from?: string
}

export class LocalsMemory {
  readonly #frames = new Map<string, ReadonlyMap<string, string>>()

  /** Undefined for those that are as before; on the first stop of a frame nothing counts as a change. */
  compare(frame: string, locals: readonly { readonly name: string; readonly value: string }[]) {
    const before = this.#frames.get(frame)
    this.#frames.delete(frame)
    this.#frames.set(frame, new Map(locals.map(({ name, value }) => [name, value])))
    const [oldest] = this.#frames.keys()
    if (this.#frames.size > MAX_FRAMES && oldest !== undefined) this.#frames.delete(oldest)
    const changes = new Map<string, LocalChange>()
    if (before === undefined) return changes
    for (const { name, value } of locals) {
      const old = before.get(name)
      if (old === undefined) changes.set(name, { change: 'new' })
      else if (old !== value) changes.set(name, { change: 'changed', from: old })
    }
    return changes
  }

  /** A variable was set by the agent: that is no change of the program's. */
  note(frame: string, name: string, value: string): void {
    const before = this.#frames.get(frame)
    if (before !== undefined) this.#frames.set(frame, new Map([...before, [name, value]]))
  }
}
