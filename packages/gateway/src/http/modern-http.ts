/**
 * The modern era over HTTP: each POST is complete in itself. Its headers are compared with its body, it is answered, and
 * when the client closes the connection before that, it is cancelled at once.
 *
 * The response is JSON when the result is the first thing there is to send, and an event stream when something else is.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import {
  isJsonObject,
  isLegacyVersion,
  isModernVersion,
  JSON_RPC_ERROR,
  type JsonRpcFailure,
  type JsonRpcNotification,
  type JsonRpcResponse,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import type { Tool } from '@switchboard/protocol/mcp'
import {
  LISTEN_METHOD,
  META_KEY,
  MODERN_ERROR,
  readRequestEnvelope,
  validateModernHeaders,
} from '@switchboard/protocol/modern'
import { type Asked, answerBadMessage, createStoppingError } from '../answer-with-error.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { Incoming, IncomingNotification, IncomingRequest, IncomingSingle } from '../incoming.ts'
import type { ModernExchange } from '../modern/exchange.ts'
import { answerBadEnvelope, answerUnsupportedVersion, type ModernRequest } from '../modern/modern-request.ts'
import type { View } from '../router/view.ts'
import { EventStream } from './event-stream.ts'
import { BEATS_UNTIL_STREAMING, BEATS_UNTIL_UNREAD, type Beating, type Heartbeat } from './heartbeat.ts'
import type { Accepts } from './negotiation.ts'
import { refuse, writeAnswer, writeEmpty, writeJson } from './write-response.ts'

export interface ModernHttpOptions {
  readonly gateway: Gateway
  readonly heartbeat: Heartbeat
}

/** Whether a POST means to be modern: by its body, or by a version in its header that is none of the legacy ones. */
export function isModernPost(headers: IncomingHttpHeaders, incoming: Incoming): incoming is IncomingSingle {
  if (incoming.kind === 'batch') return false
  const method = 'method' in incoming ? incoming.method : undefined
  const meta = 'params' in incoming ? incoming.params._meta : undefined
  if (isJsonObject(meta) && meta[META_KEY.protocolVersion] !== undefined) return true
  const version = headers['mcp-protocol-version']
  if (version === undefined || isLegacyVersion(version)) return false
  // What a legacy client says in its header is checked with its session; the handshake settles the version by itself.
  return isModernVersion(version) || (headers['mcp-session-id'] === undefined && method !== 'initialize')
}

export class ModernHttp {
  readonly #options: ModernHttpOptions
  readonly #replies = new Set<ModernReply>()
  #refusing = false

  constructor(options: ModernHttpOptions) {
    this.#options = options
  }

  /** Calls under way; streams that only listen are not. */
  get inFlight(): number {
    let count = 0
    for (const reply of this.#replies) if (!reply.isListening) count++
    return count
  }

  get listening(): number {
    return this.#replies.size - this.inFlight
  }

  post(
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    incoming: IncomingSingle,
    accepts: Accepts,
    identity: Identity,
  ): void {
    if (incoming.kind === 'response' || incoming.kind === 'invalid') {
      refuse(response, new SwitchboardError('invalid_request', 'This is neither a request nor a notification'))
      return
    }
    if (incoming.kind === 'notification') {
      const problem = answerBadVersion(headers, incoming) ?? answerMismatch(headers, incoming)
      // Nothing here outlives its connection, so there is nothing that a notification could mean.
      if (problem === undefined) writeEmpty(response, 202)
      else writeAnswer(response, 400, problem)
      return
    }
    const request = this.#judge(headers, incoming, identity)
    const isListening = incoming.method === LISTEN_METHOD
    if ('error' in request) writeAnswer(response, 400, request)
    else if (this.#refusing) refuse(response, createStoppingError(), { asked: incoming })
    else if (isListening && !accepts.events) {
      const error = new SwitchboardError('invalid_request', `${LISTEN_METHOD} answers with text/event-stream only`)
      refuse(response, error, { status: 406, asked: incoming })
    } else this.#answer(request, new ModernReply(response, accepts, isListening, this.#options.heartbeat))
  }

  refuseRequests(): void {
    this.#refusing = true
  }

  /** Ends what is still open; each gets its last message. */
  close(): void {
    const error = createStoppingError()
    for (const reply of this.#replies) reply.abort(error)
  }

  #answer(request: ModernRequest, reply: ModernReply): void {
    this.#replies.add(reply)
    void this.#options.gateway.modern.handle(request, reply).then((answer) => {
      this.#replies.delete(reply)
      reply.finish(answer)
    })
  }

  /** With its envelope, and the tool that its headers were compared with; or the answer that says what is wrong. */
  #judge(headers: IncomingHttpHeaders, incoming: IncomingRequest, identity: Identity): ModernRequest | JsonRpcFailure {
    const { method, params } = incoming
    const badVersion = answerBadVersion(headers, incoming)
    if (badVersion !== undefined) return badVersion
    const reading = readRequestEnvelope(params)
    if (!reading.ok) return answerBadEnvelope(reading.reason, incoming)
    const isCall = method === 'tools/call' && typeof params.name === 'string'
    const view = isCall ? this.#options.gateway.view(identity) : undefined
    const target = view?.findTool(String(params.name))
    const tool = typeof target === 'object' ? target.tool : undefined
    const { envelope } = reading
    return answerMismatch(headers, incoming, tool, view) ?? { ...incoming, identity, envelope, view, target }
  }
}

/** A version that both header and body claim, and that nobody speaks. */
function answerBadVersion(
  headers: IncomingHttpHeaders,
  incoming: IncomingRequest | IncomingNotification,
): JsonRpcFailure | undefined {
  const { params } = incoming
  const version = headers['mcp-protocol-version']
  const meta = isJsonObject(params._meta) ? params._meta : undefined
  const claimed = meta?.[META_KEY.protocolVersion] ?? version
  if (typeof version !== 'string' || claimed !== version || isModernVersion(version)) return undefined
  return answerUnsupportedVersion(version, readAsked(incoming))
}

function answerMismatch(
  headers: IncomingHttpHeaders,
  incoming: IncomingRequest | IncomingNotification,
  tool?: Tool,
  view?: View,
): JsonRpcFailure | undefined {
  const mismatch = validateModernHeaders(new HeaderView(headers), incoming, tool)
  if (mismatch === undefined) return undefined
  return answerBadMessage(mismatch.message, readAsked(incoming), { code: MODERN_ERROR.headerMismatch, view })
}

/** Nobody waits for an answer to a notification. */
function readAsked(incoming: IncomingRequest | IncomingNotification): Asked {
  return incoming.kind === 'request' ? incoming : { id: null }
}

/** Node's headers in the shape that is read without being copied. */
class HeaderView {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }
}

class ModernReply implements ModernExchange, Beating {
  readonly isListening: boolean
  readonly #response: ServerResponse
  readonly #accepts: Accepts
  readonly #heartbeat: Heartbeat
  readonly #controller = new AbortController()
  #events: EventStream | undefined
  #beats = 0
  #finished = false

  constructor(response: ServerResponse, accepts: Accepts, isListening: boolean, heartbeat: Heartbeat) {
    this.#response = response
    this.#accepts = accepts
    this.isListening = isListening
    this.#heartbeat = heartbeat
    heartbeat.add(this)
    response.on('close', () => this.#onClose())
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  notify(notification: JsonRpcNotification): void {
    if (this.#finished || !this.#accepts.events) return
    this.#events ??= new EventStream(this.#response)
    this.#events.send(encodeMessage(notification))
  }

  finish(answer: JsonRpcResponse): void {
    if (this.#finished) return
    this.#finished = true
    this.#beats = 0
    const body = encodeMessage(answer)
    if (this.#events === undefined && this.#accepts.json) writeJson(this.#response, statusOf(answer), body)
    else {
      this.#events ??= new EventStream(this.#response)
      this.#events.send(body)
      this.#events.end()
    }
  }

  abort(reason: SwitchboardError): void {
    this.#controller.abort(reason)
  }

  onBeat(now: number): void {
    this.#beats++
    if (this.#finished) {
      if (this.#beats > BEATS_UNTIL_UNREAD) this.#response.destroy()
    } else if (this.#events === undefined && this.#accepts.events && this.#beats >= BEATS_UNTIL_STREAMING) {
      this.#events = new EventStream(this.#response)
    }
    if (!this.#finished) this.#events?.comment('keep-alive')
    this.#events?.checkReader(now)
  }

  #onClose(): void {
    this.#heartbeat.delete(this)
    if (this.#finished) return
    this.#finished = true
    this.abort(new SwitchboardError('cancelled', 'The client closed the stream of the call'))
  }
}

function statusOf(answer: JsonRpcResponse): number {
  if (!('error' in answer)) return 200
  switch (answer.error.code) {
    case JSON_RPC_ERROR.methodNotFound:
      return 404
    case MODERN_ERROR.missingClientCapability:
    case MODERN_ERROR.unsupportedProtocolVersion:
    case MODERN_ERROR.headerMismatch:
      return 400
    default:
      return 200
  }
}
