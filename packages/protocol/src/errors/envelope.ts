/**
 * The one envelope: what a tool of ours answered, or why something failed, and where and when. A failure goes over the wire
 * in it and comes back: it is recognised on every hop, so a code arrives at the agent as it was raised; an upstream's own
 * JSON-RPC error passes with its code, message and data.
 */
import { isJsonObject, type JsonObject, type JsonRpcErrorObject, type RequestId } from '../json-rpc.ts'
import type { CallToolResult } from '../mcp.ts'
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.ts'
import { type ErrorReport, SwitchboardError, type SwitchboardErrorOptions } from './switchboard-error.ts'
import { toJsonSafe } from './to-json-safe.ts'

/** Where and when it happened. */
export interface ResultMeta {
  /** As text, whatever the client numbers its requests with. */
  readonly requestId: string
  readonly traceId: string
  /** As the agent called it, or would. */
  readonly tool: string
  /** Who runs the tool, as the router names it. */
  readonly provider: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly durationMs: number
  /** Where the rest of a result is that was too long. */
  readonly truncated?: JsonObject
}

/** What is not known is left out: a message that could not be read has no request, and one that is no call no tool. */
export type ErrorMeta = Partial<Omit<ResultMeta, 'requestId'>> & { readonly requestId?: RequestId }

/** What is known of the request that failed. */
export interface FailedRequest {
  /** Null: it could not be read. */
  readonly id: RequestId | null
  readonly traceId?: string | undefined
  readonly tool?: string | undefined
  readonly provider?: string | undefined
  /** By `performance.now()`. */
  readonly begun?: number | undefined
}

/** The request failed just now. */
export function createErrorMeta({ id, traceId, tool, provider, begun }: FailedRequest): ErrorMeta {
  return {
    ...(id === null ? {} : { requestId: id }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(tool === undefined ? {} : { tool }),
    ...(provider === undefined ? {} : { provider }),
    timestamp: new Date().toISOString(),
    ...(begun === undefined ? {} : { durationMs: Math.round(performance.now() - begun) }),
  }
}

/** What a tool of ours answers with. */
export interface SuccessEnvelope {
  readonly ok: true
  readonly type: 'success'
  /** Absent: it was too long, and `meta.truncated` says where it is. */
  readonly data?: unknown
  readonly meta: ResultMeta
}

export interface ErrorEnvelope {
  readonly ok: false
  readonly type: 'error'
  readonly error: ErrorReport
  readonly meta: Partial<ResultMeta>
}

/** An upstream's error as `details.rpc` of an `upstream_error` holds it. */
export interface UpstreamRpcError {
  code: number
  message: string
  data?: unknown
}

/** Also of an error itself: what is no part of a report stays behind. */
export function createErrorEnvelope(report: ErrorReport, { requestId, ...meta }: ErrorMeta = {}): ErrorEnvelope {
  const { code, category, message, hint, executed, retryable, retryAfterMs } = report
  const details = toJsonSafe(report.details)
  return {
    ok: false,
    type: 'error',
    error: {
      code,
      category,
      message,
      hint,
      executed,
      retryable,
      retryAfterMs,
      details: isJsonObject(details) ? details : {},
    },
    meta: { ...(requestId === undefined ? {} : { requestId: String(requestId) }), ...meta },
  }
}

/** Where the envelope is in `_meta`, for a tool whose structured content must follow an output schema. */
export const ERROR_META_KEY = 'switchboard/error'

/** Of what a server says in place of an error. */
const MAX_QUOTED = 500

/** For a failure of a tool call: the model reads the text, a program the structured content. */
export function toToolErrorResult(report: ErrorReport, meta: ErrorMeta): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: formatFailure(report) }],
    structuredContent: createErrorEnvelope(report, meta),
  }
}

/** The same for a tool that answered. `data` undefined: it is left out. */
export function toToolResult(text: string, data: unknown, meta: ResultMeta): CallToolResult {
  const envelope: SuccessEnvelope = { ok: true, type: 'success', ...(data === undefined ? {} : { data }), meta }
  return { content: [{ type: 'text', text }], structuredContent: envelope }
}

/** `[code] message. hint` */
export function formatFailure(report: Pick<ErrorReport, 'code' | 'message' | 'hint'>): string {
  return [`[${report.code}]`, formatSentences(report)].filter((part) => part !== '').join(' ')
}

/** `message. hint` */
export function formatSentences({ message, hint }: Pick<ErrorReport, 'message' | 'hint'>): string {
  const text = message.trim()
  const sentence = text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
  return [sentence, hint].filter((part) => part !== '').join(' ')
}

/**
 * For everything but a tool call. What an upstream itself answered goes on as it came. The next step is in the message too:
 * it is all that agents show to their models.
 */
export function toJsonRpcError(error: SwitchboardError, meta: ErrorMeta = {}): JsonRpcErrorObject {
  const rpc = readUpstreamRpcError(error)
  if (rpc !== undefined) return rpc
  // Of a malformed message its sentence says all, unless there is a nearer hint than the one of all of them.
  const isPlain = error.code === 'invalid_request' && error.hint === ERROR_CATALOGUE.invalid_request.hint
  const message = isPlain ? error.message : formatSentences(error)
  return { code: error.rpcCode, message, data: createErrorEnvelope(error, meta) }
}

/** Reads any `error` member of a response; one that is no JSON-RPC error at all is a `bad_response`. */
export function fromJsonRpcError(value: unknown): SwitchboardError {
  if (!isJsonObject(value) || typeof value.code !== 'number') {
    const said = typeof value === 'string' ? `: ${value.slice(0, MAX_QUOTED)}` : ''
    return new SwitchboardError('bad_response', `The server answered with an error that has no numeric code${said}`, {
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

/** The code of a failed result with our envelope, also of one that a pack declares; undefined for every other result. */
export function readFailureCode(result: unknown): string | undefined {
  if (!isJsonObject(result) || result.isError !== true) return undefined
  const { structuredContent: envelope } = result
  if (!isJsonObject(envelope) || envelope.ok !== false || !isJsonObject(envelope.error)) return undefined
  return typeof envelope.error.code === 'string' ? envelope.error.code : undefined
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
