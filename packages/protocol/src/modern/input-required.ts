/**
 * How a modern server asks back: it answers `input_required`, and the client repeats the same request under a new id
 * with the answers and with `requestState` exactly as it came. Only these three methods may be answered so.
 */
import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import type { AskRequests, AskResponses } from '../provider.ts'
import type { ModernResult } from './results.ts'

export const INPUT_REQUIRED_METHODS = ['tools/call', 'prompts/get', 'resources/read'] as const

/** Holds `inputRequests`, `requestState` or both; with the state alone the client just repeats the request. */
export interface InputRequiredResult extends ModernResult {
  resultType: 'input_required'
  inputRequests?: AskRequests
  /** Opaque: passed back byte for byte, never read. */
  requestState?: string
}

export interface InputRetryParams {
  inputResponses?: AskResponses
  requestState?: string
  [key: string]: unknown
}

/** Well formed, that is: one that asks for nothing and holds no state could only be repeated for ever. */
export function isInputRequired(result: unknown): result is InputRequiredResult {
  if (!isJsonObject(result) || result.resultType !== 'input_required') return false
  const { inputRequests, requestState } = result
  if (requestState !== undefined && typeof requestState !== 'string') return false
  if (inputRequests === undefined) return requestState !== undefined
  return isJsonObject(inputRequests) && Object.values(inputRequests).every(isAskRequest)
}

/** The same parameters with the answers; those of an earlier round are replaced, never mixed in. */
export function createInputRetryParams(
  params: Readonly<JsonObject> | undefined,
  inputResponses: AskResponses | undefined,
  requestState: string | undefined,
): JsonObject & InputRetryParams {
  const { inputResponses: _answered, requestState: _stale, ...retry } = params ?? {}
  return {
    ...retry,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

function isAskRequest(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value.method === 'string' &&
    (value.params === undefined || isJsonObject(value.params))
  )
}
