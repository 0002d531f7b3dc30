/** Nothing that an encoder answers is believed: as many vectors as texts, numbers that are numbers, all of one length. */
import { EncoderError } from './encoder.ts'
import { MAX_DIMENSION } from './encoder-config.ts'

/** As they are stored: of length 1, so that a product is a cosine. */
export function readVectors(answered: unknown, count: number): Float32Array[] {
  if (!Array.isArray(answered)) throw new EncoderError('garbage', 'answered without a list of vectors')
  if (answered.length !== count) {
    throw new EncoderError('garbage', `answered ${answered.length} vectors for ${count} texts`)
  }
  const vectors = answered.map((one) => normalise(readVector(one)))
  const length = vectors[0]?.length
  if (vectors.some((vector) => vector.length !== length)) {
    throw new EncoderError('garbage', 'answered vectors of different lengths')
  }
  return vectors
}

/** Numbers, or their four bytes each (little-endian) in base64: who asks for the one may get the other. */
function readVector(value: unknown): Float32Array {
  const vector = typeof value === 'string' ? readBase64(value) : value
  if (vector instanceof Float32Array) return vector
  if (!Array.isArray(vector)) throw new EncoderError('garbage', 'answered something that is no vector')
  throwOnLength(vector.length)
  const wrong = vector.findIndex((one) => typeof one !== 'number')
  if (wrong !== -1) throw new EncoderError('garbage', `answered a vector whose number ${wrong + 1} is no number`)
  return Float32Array.from(vector)
}

function readBase64(text: string): Float32Array {
  // Half as long again as the longest, so that nothing huge is decoded to be refused.
  throwOnLength(Math.ceil(text.length / 6))
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) throw new EncoderError('garbage', 'answered a vector that is no base64 of numbers')
  throwOnLength(bytes.length / 4)
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index))
}

function throwOnLength(length: number): void {
  if (length === 0) throw new EncoderError('garbage', 'answered an empty vector')
  if (length > MAX_DIMENSION)
    throw new EncoderError('garbage', `answered a vector of more than ${MAX_DIMENSION} numbers`)
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new EncoderError('garbage', 'answered a vector with a number that is not finite')
  if (squares === 0) throw new EncoderError('garbage', 'answered a vector of zeros')
  const scale = 1 / Math.sqrt(squares)
  return vector.map((value) => value * scale)
}
