/** The few numbers that a benchmark needs. */

/** Of values in any order; NaN for none. */
export function percentile(values: readonly number[] | Float64Array, fraction: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Of ratios; NaN for none. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(sum(ratios.map(Math.log)) / ratios.length)
}
