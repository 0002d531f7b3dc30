/**
 * How many texts are sent at once: as many as take about half a second, so that a query which comes meanwhile does not wait long
 * behind them on a machine that does one thing after the other.
 */
const TARGET_MS = 500
const FIRST = 8
/** A request is no larger than that, however few texts it has. */
const MAX_CHARACTERS = 200_000

export class BatchSize {
  readonly #most: number
  #size: number

  constructor(most: number) {
    this.#most = most
    this.#size = Math.min(FIRST, most)
  }

  /** Of those that come first as many as may go together; at least one. */
  take<T extends { readonly text: string }>(items: readonly T[]): T[] {
    let characters = 0
    const end = items.slice(0, this.#size).findIndex(({ text }) => {
      characters += text.length
      return characters > MAX_CHARACTERS
    })
    return items.slice(0, end === -1 ? this.#size : Math.max(1, end))
  }

  /** Milliseconds that a full one took. */
  learn(took: number): void {
    if (took < TARGET_MS / 2) this.#size = Math.min(2 * this.#size, this.#most)
    else if (took > 2 * TARGET_MS) this.shrink()
  }

  shrink(): void {
    this.#size = Math.max(1, Math.floor(this.#size / 2))
  }
}
