import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { EncoderError } from '../../../encoder.ts'

/** A model whose texts would be split otherwise than it was taught answers nonsense: better nothing. */
export function refuseTokenizer(part: string, type: unknown): never {
  const supported = 'WordPiece (as BERT has it) and byte-level BPE are'
  throw new EncoderError(
    'unusable',
    `has a tokenizer.json whose ${part} is ${JSON.stringify(type ?? null)}, which is not supported; ${supported}`,
  )
}

export function readParts(declared: JsonObject, key: string): JsonObject[] {
  const parts = declared[key]
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isJsonObject)) return refuseTokenizer(key, null)
  return parts
}
