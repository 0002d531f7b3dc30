/** A vector as whole numbers of a few bits, and by what a product of two of them becomes a cosine. */
export interface Quantized<T> {
  readonly values: T
  /** 1 by its length; 0 where it has none. */
  readonly scale: number
}

/** Of stored vectors: a byte each. */
const BYTE = 127
/** Of what is asked for: finer, and still 8,192 products of both are no more than 32 bits hold. */
const QUERY = 2_047

export const quantizeStored = (values: Float32Array): Quantized<Int8Array> =>
  quantize(values, BYTE, new Int8Array(values.length))

export const quantizeQuery = (values: Float32Array): Quantized<Int16Array> =>
  quantize(values, QUERY, new Int16Array(values.length))

/** Whether it can be compared at all. */
export const isComparable = (values: Float32Array): boolean => values.every(Number.isFinite)

function quantize<T extends Int8Array | Int16Array>(values: Float32Array, most: number, into: T): Quantized<T> {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return { values: into, scale: 0 }
  let squares = 0
  for (const [at, value] of values.entries()) {
    const whole = Math.round((value / largest) * most)
    into[at] = whole
    squares += whole * whole
  }
  return { values: into, scale: 1 / Math.sqrt(squares) }
}
