/**
 * The modern era over HTTP: each POST is complete in itself. Its headers are compared with its body, it is answered, and
 * when the client closes the connection before that, it is cancelled at once.
 *
 * The response is JSON when the result is the first thing there is to send, and an event stream when something else is.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import {
  classifyMessage,
  createUnsupportedVersionError,
  isJsonObject,
  isLegacyVersion,
  isModernVersion,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcErrorObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  LISTEN_METHOD,
  META_KEY,
  MODERN_ERROR,
  MODERN_VERSIONS,
  readEnvelope,
  SwitchboardError,
  validateModernHeaders,
} from '@switchboard/protocol'
import { createBadMessageError } from '../bad-message.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { ModernExchange } from '../modern/exchange.ts'
import { EventStream } from './event-stream.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import type { Accepts } from './negotiation.ts'
import { refuse, writeEmpty, writeFailure, writeJson } from './write-response.ts'

export interface ModernHttpOptions {
  readonly gateway: Gateway
  readonly heartbeat: Heartbeat
}

/** Beats that an answer may take before its connection is kept alive as an event stream. */
const BEATS_UNTIL_STREAMING = 2
/** Beats that a whole answer may stay unread. */
const BEATS_UNTIL_UNREAD = 20

/** Whether a POST means to be modern: by its body, or by a version in its header that is none of the legacy ones. */
export function isModernPost(headers: IncomingHttpHeaders, body: unknown): boolean {
  if (!isJsonObject(body)) return false
  const meta = isJsonObject(body.params) ? body.params._meta : undefined
  if (isJsonObject(meta) && meta[META_KEY.protocolVersion] !== undefined) return true
  const version = headers['mcp-protocol-version']
  if (version === undefined || isLegacyVersion(version)) return false
  // What a legacy client says in its header is checked with its session; the handshake settles the version by itself.
  return isModernVersion(version) || (headers['mcp-session-id'] === undefined && body.method !== 'initialize')
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
    body: JsonObject,
    accepts: Accepts,
    identity: Identity,
  ): void {
    const kind = classifyMessage(body)
    if (kind === 'response' || kind === 'invalid') {
      refuse(response, new SwitchboardError('invalid_request', 'This is neither a request nor a notification'))
      return
    }
    const problem = this.#findProblem(headers, body, identity, kind === 'request')
    if (problem !== undefined) {
      // Its id was checked by classifyMessage.
      writeFailure(response, 400, problem, kind === 'request' ? (body as unknown as JsonRpcRequest).id : null)
      return
    }
    if (kind === 'notification') {
      // Nothing here outlives its connection, so there is nothing that a notification could mean.
      writeEmpty(response, 202)
      return
    }
    const request = body as unknown as JsonRpcRequest
    const isListening = request.method === LISTEN_METHOD
    if (this.#refusing) {
      refuse(response, new SwitchboardError('shutting_down', 'Switchboard is stopping'), { id: request.id })
    } else if (isListening && !accepts.events) {
      const error = new SwitchboardError('invalid_request', `${LISTEN_METHOD} answers with text/event-stream only`)
      refuse(response, error, { status: 406, id: request.id })
    } else this.#answer(request, new ModernReply(response, accepts, isListening, this.#options.heartbeat), identity)
  }

  refuseRequests(): void {
    this.#refusing = true
  }

  /** Ends what is still open; each gets its last message. */
  close(): void {
    const error = new SwitchboardError('shutting_down', 'Switchboard is stopping')
    for (const reply of this.#replies) reply.abort(error)
  }

  #answer(request: JsonRpcRequest, reply: ModernReply, identity: Identity): void {
    this.#replies.add(reply)
    void this.#options.gateway.handleModern(request, reply, identity).then((answer) => {
      this.#replies.delete(reply)
      reply.finish(answer)
    })
  }

  #findProblem(
    headers: IncomingHttpHeaders,
    body: JsonObject,
    identity: Identity,
    isRequest: boolean,
  ): JsonRpcErrorObject | undefined {
    const params = isJsonObject(body.params) ? body.params : undefined
    const meta = isJsonObject(params?._meta) ? params._meta : undefined
    const version = headers['mcp-protocol-version']
    const claimed = meta?.[META_KEY.protocolVersion] ?? version
    if (typeof version === 'string' && claimed === version && !isModernVersion(version)) {
      return createUnsupportedVersionError(version, MODERN_VERSIONS)
    }
    if (isRequest) {
      const reading = readEnvelope(params)
      if (!reading.ok) {
        const message = `Invalid _meta: ${reading.reason}`
        return createBadMessageError({ code: JSON_RPC_ERROR.invalidParams, message })
      }
    }
    const isCall = body.method === 'tools/call' && typeof params?.name === 'string'
    const tool = isCall ? this.#options.gateway.findTool(identity, String(params.name)) : undefined
    const mismatch = validateModernHeaders(new HeaderView(headers), body, tool)
    if (mismatch === undefined) return undefined
    return createBadMessageError({ code: MODERN_ERROR.headerMismatch, message: mismatch.message })
  }
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
    this.#events.send(JSON.stringify(notification))
  }

  finish(answer: JsonRpcResponse): void {
    if (this.#finished) return
    this.#finished = true
    this.#beats = 0
    const body = JSON.stringify(answer)
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
