/** What differs between the servers that encode: where they are asked, how, and where in the answer the vectors are. */
import { isJsonObject } from '@switchboard/protocol'
import { EncoderError } from '../encoder.ts'

export interface Dialect {
  /** Below the configured url. */
  readonly path: string
  createBody(texts: readonly string[], wish: DialectWish): unknown
  /** Not checked yet. */
  findVectors(answer: unknown): unknown
}

export interface DialectWish {
  readonly model: string | undefined
  readonly dimensions: number | undefined
  readonly format: 'float' | 'base64'
}

export type RemoteKind = 'openai' | 'ollama' | 'tei'

export const DIALECTS: Readonly<Record<RemoteKind, Dialect>> = {
  openai: {
    path: 'embeddings',
    // Some servers refuse a key that they do not know, so what is usual is not asked for.
    createBody: (input, { model, dimensions, format }) => ({
      model,
      input,
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(format === 'float' ? {} : { encoding_format: format }),
    }),
    findVectors: (answer) => sortByIndex(readList(answer, 'data')),
  },
  ollama: {
    path: 'api/embed',
    createBody: (input, { model, dimensions }) => ({
      model,
      input,
      truncate: true,
      ...(dimensions === undefined ? {} : { dimensions }),
    }),
    findVectors: (answer) => readList(answer, 'embeddings'),
  },
  tei: {
    path: 'embed',
    createBody: (inputs) => ({ inputs, truncate: true, normalize: true }),
    findVectors: (answer) => answer,
  },
}

function readList(answer: unknown, key: string): readonly unknown[] {
  const list = isJsonObject(answer) ? answer[key] : undefined
  if (Array.isArray(list)) return list
  throw new EncoderError('garbage', `answered without a list "${key}"`)
}

/** The order is the server's; each says which text it belongs to. One that does not say is where it stands. */
function sortByIndex(entries: readonly unknown[]): unknown[] {
  const sorted: unknown[] = new Array(entries.length)
  const seen = new Set<number>()
  for (const [place, entry] of entries.entries()) {
    const { index = place, embedding } = isJsonObject(entry) ? entry : {}
    if (typeof index !== 'number' || !(index in entries) || seen.has(index)) {
      throw new EncoderError('garbage', 'answered vectors of which nobody can tell which text they belong to')
    }
    seen.add(index)
    sorted[index] = embedding
  }
  return sorted
}
