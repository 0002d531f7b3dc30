/** The vectors of the last queries, of one model. */
import type { QueryVector } from '@switchboard/store'

const MAX_QUERIES = 500

export class QueryMemory {
  readonly #vectors = new Map<string, QueryVector>()

  find(model: string | undefined, text: string): QueryVector | undefined {
    const vector = this.#vectors.get(text)
    if (vector === undefined || vector.model !== model) return undefined
    // The last in the map is the last that was used.
    this.#vectors.delete(text)
    this.#vectors.set(text, vector)
    return vector
  }

  keep(text: string, vector: QueryVector): void {
    this.#vectors.set(text, vector)
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > MAX_QUERIES && oldest !== undefined) this.#vectors.delete(oldest)
  }
}
