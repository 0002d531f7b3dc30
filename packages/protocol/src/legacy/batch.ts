/** Batches: 2025-03-26 alone has them. A reader takes them from anybody, a writer sends them to nobody. */
import { JSON_RPC_ERROR, type JsonRpcErrorObject } from '../json-rpc.ts'
import type { LegacyVersion } from '../versions.ts'

/** Of a client's; JSON-RPC sets no bound, and each is answered before anybody else has a turn. */
const MAX_BATCH = 100

export function isBatch(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

export function hasBatches(version: string): boolean {
  return version === ('2025-03-26' satisfies LegacyVersion)
}

/** The messages of a parsed value, which is a batch or one message. Whether each is a message is for others to say. */
export function splitBatch(value: unknown): unknown[] {
  return isBatch(value) ? value : [value]
}

/** JSON-RPC answers an empty batch with one error, and a batch inside a batch is no message. One that is too long gets one as well. */
export function findBatchError(value: unknown): JsonRpcErrorObject | undefined {
  if (!isBatch(value)) return undefined
  if (value.length === 0) return { code: JSON_RPC_ERROR.invalidRequest, message: 'The batch is empty' }
  if (value.length > MAX_BATCH) {
    const message = `The batch holds ${value.length} messages; ${MAX_BATCH} is the most`
    return { code: JSON_RPC_ERROR.invalidRequest, message }
  }
  if (value.some(isBatch)) return { code: JSON_RPC_ERROR.invalidRequest, message: 'A batch holds another batch' }
  return undefined
}
