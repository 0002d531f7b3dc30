/** Numbers for frames and values, handed out while a thread stands and refused after it has gone on. */
import { ToolError } from '@switchboard/toolkit'
import type { InspectorTarget } from './inspector-target.ts'

interface Entry<T> {
  readonly target: InspectorTarget
  readonly turn: number
  readonly item: T
}

export class ReferenceTable<T> {
  readonly #entries = new Map<number, Entry<T>>()
  readonly #what: string
  #last: number

  constructor(what: string, first: number) {
    this.#what = what
    this.#last = first
  }

  add(target: InspectorTarget, item: T): number {
    const id = ++this.#last
    this.#entries.set(id, { target, turn: target.turn, item })
    return id
  }

  get(id: number): Entry<T> {
    const entry = this.#entries.get(id)
    if (entry !== undefined && entry.target.paused !== undefined && entry.target.turn === entry.turn) return entry
    throw new ToolError(
      'E_STALE_REFERENCE',
      `There is no ${this.#what} ${id} any more: the program has gone on since. Read the stack again.`,
      { details: { reference: id } },
    )
  }

  forget(target: InspectorTarget): void {
    for (const [id, entry] of this.#entries) if (entry.target === target) this.#entries.delete(id)
  }
}
