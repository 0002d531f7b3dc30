/**
 * In how many texts a term stands, remembered: the engine reads the whole list of a term to count it. It need not be exact, and
 * is counted anew once the collection has grown or shrunk by a twentieth.
 */
import type { Database } from './database.ts'

const MAX_KNOWN = 50_000
const DRIFT = 0.05

export class Frequencies {
  readonly #database: Database
  readonly #space: string
  readonly #known = new Map<string, number>()
  /** Of the collection when they were counted. */
  #size = 0

  constructor(database: Database, space: string) {
    this.#database = database
    this.#space = space
  }

  of(terms: readonly string[], size: number): ReadonlyMap<string, number> {
    if (Math.abs(size - this.#size) > this.#size * DRIFT || this.#known.size > MAX_KNOWN) {
      this.#known.clear()
      this.#size = size
    }
    const found = new Map<string, number>()
    for (const term of terms) found.set(term, this.#known.get(term) ?? this.#count(term))
    return found
  }

  #count(term: string): number {
    const row = this.#database.statement(`SELECT doc FROM ${this.#space}_terms WHERE term = ?`).get(term)
    const frequency = Number(row?.doc ?? 0)
    // What stands nowhere may stand somewhere the next moment, and is looked up in no time.
    if (frequency > 0) this.#known.set(term, frequency)
    return frequency
  }
}
