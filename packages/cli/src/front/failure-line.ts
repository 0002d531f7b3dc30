/** The front's own answers, for requests that no daemon will answer. */
import { createFailure, createSuccess, type JsonObject } from '@switchboard/protocol'
import {
  createErrorMeta,
  ERROR_META_KEY,
  type SwitchboardError,
  toJsonRpcError,
  toToolErrorResult,
} from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import type { OpenRequest } from './ledger.ts'

/**
 * A failed call is a result that the model reads. Its envelope is in `_meta`, never in the structured content: the front does
 * not know whether the tool has an output schema that this would have to follow.
 */
export function createFailureLine(
  request: OpenRequest,
  error: SwitchboardError,
  { isModern }: { readonly isModern: boolean },
): string {
  const { id, method } = request
  const meta = createErrorMeta(request)
  if (method !== 'tools/call') return encodeMessage(createFailure(id, toJsonRpcError(error, meta)))
  const { structuredContent, ...rest } = toToolErrorResult(error, meta)
  const result: JsonObject = { ...rest, _meta: { [ERROR_META_KEY]: structuredContent } }
  return encodeMessage(createSuccess(id, isModern ? { resultType: 'complete', ...result } : result))
}
