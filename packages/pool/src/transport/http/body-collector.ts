/** Gathers one response body up to a limit. */
export class BodyCollector {
  readonly #limit: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** False once the body is over the limit; then nothing of it is kept. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) {
      this.#chunks = []
      return false
    }
    this.#chunks.push(chunk)
    return true
  }

  text(): string {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined
    return (only ?? Buffer.concat(this.#chunks)).toString()
  }
}
