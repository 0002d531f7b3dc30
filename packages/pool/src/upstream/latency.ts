/** The last few hundred durations, for p50 and p95. A ring: recording costs one write. */
const SIZE = 512

export class Latency {
  readonly #values = new Float64Array(SIZE)
  #count = 0

  record(ms: number): void {
    this.#values[this.#count++ % SIZE] = ms
  }

  get count(): number {
    return this.#count
  }

  /** Undefined while nothing was measured. */
  percentile(fraction: number): number | undefined {
    const filled = Math.min(this.#count, SIZE)
    if (filled === 0) return undefined
    const sorted = this.#values.slice(0, filled).sort()
    return sorted[Math.min(filled - 1, Math.ceil(fraction * filled) - 1)]
  }
}
