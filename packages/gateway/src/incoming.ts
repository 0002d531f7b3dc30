/**
 * What a client sent, judged once where it came in: whatever follows trusts the verdict. Text that is no message at all has
 * its answer with it.
 */
import {
  classifyMessage,
  isJsonObject,
  isRequestId,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcFailure,
  type RequestId,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { JsonTooDeepError, JsonTooManyPartsError, MAX_JSON_PARTS, parseJson } from '@switchboard/protocol/framing'
import { isBatch } from '@switchboard/protocol/legacy'
import type { TraceCarrier } from '@switchboard/protocol/tracing'
import { answerWithError } from './answer-with-error.ts'
import { traceIdOf } from './trace-request.ts'

export interface IncomingRequest {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  /** Its caller's trace, or a new one. */
  readonly traceId: string
  /** When it was read, by `performance.now()`. */
  readonly begun: number
  /** What its HTTP request told of a trace. */
  readonly carrier?: TraceCarrier
}

export interface IncomingNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** The client's answer to a question of ours. */
export interface IncomingResponse {
  readonly kind: 'response'
  readonly id: unknown
  readonly result: unknown
  readonly error: unknown
}

/** `id`: as far as it can be told. */
interface IncomingInvalid {
  readonly kind: 'invalid'
  readonly id: RequestId | null
  readonly begun: number
}

/** One message. */
export type IncomingSingle = IncomingRequest | IncomingNotification | IncomingResponse | IncomingInvalid

/** Whether the members are messages is judged once it is known that there may be a batch at all. */
export interface IncomingBatch {
  readonly kind: 'batch'
  readonly members: readonly unknown[]
}

export type Incoming = IncomingSingle | IncomingBatch

export interface Unreadable {
  readonly kind: 'unreadable'
  readonly answer: JsonRpcFailure
}

const NO_PARAMS: JsonObject = Object.freeze({})

export function readIncoming(text: string, maxDepth: number): Incoming | Unreadable {
  let value: unknown
  try {
    value = parseJson(text, maxDepth)
  } catch (error) {
    if (error instanceof JsonTooDeepError) {
      const message = `The message is nested deeper than ${maxDepth} levels`
      return createUnreadable(JSON_RPC_ERROR.invalidRequest, message, { maxDepth })
    }
    if (error instanceof JsonTooManyPartsError) {
      const message = `The message cannot be read: ${error.message}`
      return createUnreadable(JSON_RPC_ERROR.invalidRequest, message, { maxParts: MAX_JSON_PARTS })
    }
    // The engine's message quotes the text, which may hold secrets; the position in it is all that helps.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : ` at position ${position}`
    return createUnreadable(JSON_RPC_ERROR.parse, `Parse error: the message is not JSON${where}`)
  }
  return judge(value)
}

export function judge(value: unknown): Incoming {
  return isBatch(value) ? { kind: 'batch', members: value } : judgeMessage(value)
}

export function judgeMessage(value: unknown): IncomingSingle {
  if (!isJsonObject(value)) return { kind: 'invalid', id: null, begun: performance.now() }
  const { id, method } = value
  const params = isJsonObject(value.params) ? value.params : NO_PARAMS
  switch (classifyMessage(value)) {
    // Types of id and method were looked at by classifyMessage.
    case 'request':
      return {
        kind: 'request',
        id: id as RequestId,
        method: method as string,
        params,
        traceId: traceIdOf(params),
        begun: performance.now(),
      }
    case 'notification':
      return { kind: 'notification', method: method as string, params }
    case 'response':
      return { kind: 'response', id, result: value.result, error: value.error }
    case 'invalid':
      return {
        kind: 'invalid',
        id: isRequestId(id) ? id : null,
        begun: performance.now(),
      }
  }
}

function createUnreadable(code: number, message: string, details: Record<string, unknown> = {}): Unreadable {
  const error = new SwitchboardError('invalid_request', message, { details })
  return { kind: 'unreadable', answer: answerWithError(error, { id: null, begun: performance.now() }, { code }) }
}
