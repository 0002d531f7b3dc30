/**
 * How a SwitchboardError goes over the wire and comes back. Our own envelope is recognised on every hop, so a code
 * arrives at the agent as it was raised; an upstream's own JSON-RPC error passes with its code, message and data.
 */
import { isJsonObject, type JsonObject, type JsonRpcErrorObject } from '../json-rpc.ts'
import type { CallToolResult } from '../mcp.ts'
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.ts'
import { type ErrorReport, SwitchboardError, type SwitchboardErrorOptions } from './switchboard-error.ts'
import { toJsonSafe } from './to-json-safe.ts'

/** Where and when it happened. What is not known is left out. */
export interface ErrorMeta {
  requestId?: string | number
  traceId?: string
  tool?: string
  provider?: string
  /** ISO 8601. */
  timestamp?: string
  durationMs?: number
  [key: string]: unknown
}

export interface ErrorEnvelope {
  ok: false
  type: 'error'
  error: ErrorReport
  meta: ErrorMeta
}

/** An upstream's error as `details.rpc` of an `upstream_error` holds it. */
export interface UpstreamRpcError {
  code: number
  message: string
  data?: unknown
}

export function createErrorEnvelope(error: SwitchboardError, meta: ErrorMeta = {}): ErrorEnvelope {
  const report = error.toReport()
  const details = toJsonSafe(report.details)
  return {
    ok: false,
    type: 'error',
    error: { ...report, details: isJsonObject(details) ? details : {} },
    meta: { ...meta },
  }
}

/** Where the envelope is in `_meta`, for a tool whose structured content must follow an output schema. */
export const ERROR_META_KEY = 'switchboard/error'

/** For a failure of a tool call: the model reads the text, a program the structured content. */
export function toToolErrorResult(error: SwitchboardError, meta: ErrorMeta): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: formatErrorText(error) }],
    structuredContent: createErrorEnvelope(error, meta),
  }
}

/** `[code] message. hint` */
export function formatErrorText(error: SwitchboardError): string {
  const message = error.message.trim()
  const sentence = message === '' || /[.!?…]$/.test(message) ? message : `${message}.`
  return [`[${error.code}]`, sentence, error.hint].filter((part) => part !== '').join(' ')
}

/** For everything but a tool call. What an upstream itself answered goes on as it came. */
export function toJsonRpcError(error: SwitchboardError, meta: ErrorMeta = {}): JsonRpcErrorObject {
  const rpc = readUpstreamRpcError(error)
  if (rpc !== undefined) return rpc
  return { code: error.rpcCode, message: error.message, data: createErrorEnvelope(error, meta) }
}

/** Reads any `error` member of a response; one that is no JSON-RPC error at all is a `bad_response`. */
export function fromJsonRpcError(value: unknown): SwitchboardError {
  if (!isJsonObject(value) || typeof value.code !== 'number') {
    return new SwitchboardError('bad_response', 'The server answered with an error that has no numeric code', {
      details: { error: toJsonSafe(value) },
    })
  }
  const own = readErrorEnvelope(value.data)
  if (own !== undefined) return own
  const rpc: UpstreamRpcError = { code: value.code, message: typeof value.message === 'string' ? value.message : '' }
  if (value.data !== undefined) rpc.data = value.data
  const message = rpc.message === '' ? `The server answered with error ${rpc.code} and no message` : rpc.message
  return new SwitchboardError('upstream_error', message, { details: { rpc } })
}

/** The error of a tool result that a Switchboard made; undefined for every other result. */
export function fromToolErrorResult(result: unknown): SwitchboardError | undefined {
  if (!isJsonObject(result) || result.isError !== true) return undefined
  const { structuredContent, _meta: meta } = result
  return (
    readErrorEnvelope(structuredContent) ?? (isJsonObject(meta) ? readErrorEnvelope(meta[ERROR_META_KEY]) : undefined)
  )
}

/** Reads our own envelope back; undefined for anything else, also for a code that this version does not know. */
export function readErrorEnvelope(value: unknown): SwitchboardError | undefined {
  if (!isJsonObject(value) || value.ok !== false || value.type !== 'error' || !isJsonObject(value.error))
    return undefined
  const { code, message } = value.error
  if (typeof message !== 'string' || !isErrorCode(code)) return undefined
  return new SwitchboardError(code, message, readOptions(value.error))
}

/** The upstream's own error inside an `upstream_error`, exactly as it came. */
export function readUpstreamRpcError(error: SwitchboardError): UpstreamRpcError | undefined {
  const { rpc } = error.details
  if (error.code !== 'upstream_error' || !isJsonObject(rpc)) return undefined
  const { code, message, data } = rpc
  if (typeof code !== 'number' || typeof message !== 'string') return undefined
  return data === undefined ? { code, message } : { code, message, data }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CATALOGUE, value)
}

function readOptions(report: JsonObject): SwitchboardErrorOptions {
  const { hint, executed, retryable, retryAfterMs, details } = report
  const options: SwitchboardErrorOptions = {}
  if (typeof hint === 'string') options.hint = hint
  if (typeof executed === 'boolean' || executed === 'unknown') options.executed = executed
  if (typeof retryable === 'boolean') options.retryable = retryable
  if (typeof retryAfterMs === 'number') options.retryAfterMs = retryAfterMs
  if (isJsonObject(details)) options.details = details
  return options
}
