/** The front's own answers, for requests that no daemon will answer. */
import {
  createFailure,
  createSuccess,
  ERROR_META_KEY,
  type JsonObject,
  type RequestId,
  type SwitchboardError,
  toJsonRpcError,
  toToolErrorResult,
} from '@switchboard/protocol'

/**
 * A failed call is a result that the model reads. Its envelope is in `_meta`, never in the structured content: the front does
 * not know whether the tool has an output schema that this would have to follow.
 */
export function createFailureLine(
  { id, method }: { readonly id: RequestId; readonly method: string },
  error: SwitchboardError,
  { isModern }: { readonly isModern: boolean },
): string {
  const meta = { requestId: id, timestamp: new Date().toISOString() }
  if (method !== 'tools/call') return JSON.stringify(createFailure(id, toJsonRpcError(error, meta)))
  const { structuredContent, ...rest } = toToolErrorResult(error, meta)
  const result: JsonObject = { ...rest, _meta: { [ERROR_META_KEY]: structuredContent } }
  return JSON.stringify(createSuccess(id, isModern ? { resultType: 'complete', ...result } : result))
}
