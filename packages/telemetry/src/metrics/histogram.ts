/** How long things took, by buckets, as a scraper reads it. */
import type { Sample } from './format-metrics.ts'

export class Histogram {
  readonly #bounds: readonly number[]
  /** Those that took no longer than each bound and longer than the one before. */
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** In the unit of what is observed, growing. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    const bucket = this.#bounds.findIndex((most) => value <= most)
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
    this.#count++
  }

  samples(labels: Readonly<Record<string, string>>): Sample[] {
    let sum = 0
    const upTo = this.#bounds.map((most, index) => {
      sum += this.#counts[index] ?? 0
      return { suffix: '_bucket', labels: { ...labels, le: String(most) }, value: sum }
    })
    return [
      ...upTo,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: this.#count },
    ]
  }
}
