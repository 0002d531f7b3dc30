/**
 * The legacy era over Streamable HTTP: sessions named by `Mcp-Session-Id`. `initialize` opens one, everything later needs
 * it, DELETE or a long silence ends it. A session belongs to the credential and profile that opened it.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  classifyMessage,
  findBatchError,
  hasBatches,
  isJsonObject,
  isLegacyVersion,
  JSON_RPC_ERROR,
  type JsonObject,
  LEGACY_VERSIONS,
  type RequestId,
  readInitializeParams,
  SwitchboardError,
} from '@switchboard/protocol'
import { createBadMessageError } from '../bad-message.ts'
import type { Identity } from '../identity.ts'
import { HttpSession, type HttpSessionHost } from './http-session.ts'
import type { Accepts } from './negotiation.ts'
import type { SessionQuota } from './session-quota.ts'
import { refuse, writeEmpty, writeFailure } from './write-response.ts'

export interface LegacyEndpointOptions extends HttpSessionHost {
  readonly sessionIdleTtl: number
  readonly quota: SessionQuota
}

export const SESSION_HEADER = 'mcp-session-id'
const MAX_BATCH = 100

export class LegacyEndpoint {
  readonly #options: LegacyEndpointOptions
  readonly #sessions = new Map<string, HttpSession>()
  #refusing = false

  constructor(options: LegacyEndpointOptions) {
    this.#options = options
    options.heartbeat.add(this)
    options.quota.onFull(() => this.#evictOldest())
  }

  get inFlight(): number {
    let count = 0
    for (const session of this.#sessions.values()) count += session.inFlight
    return count
  }

  get sessionCount(): number {
    return this.#sessions.size
  }

  get streamCount(): number {
    let count = 0
    for (const session of this.#sessions.values()) if (session.streaming) count++
    return count
  }

  /** `body`: parsed, and known not to be modern. */
  post(request: IncomingMessage, response: ServerResponse, body: unknown, accepts: Accepts, identity: Identity): void {
    if (isInitialize(body)) {
      this.#initialize(request, response, body, accepts, identity)
      return
    }
    const session = this.#findSession(request, response, identity)
    if (session === undefined) return
    session.touch()
    const isBatch = Array.isArray(body)
    const ids = isBatch ? readBatch(body, session, response) : readSingle(body, response)
    if (ids === undefined) return
    if (ids.length === 0) {
      writeEmpty(response, 202)
      session.legacy.receive(body)
      return
    }
    const used = ids.find((id, index) => session.isUsed(id) || ids.indexOf(id) !== index)
    if (used !== undefined) {
      const error = new SwitchboardError('invalid_request', `The id ${JSON.stringify(used)} is in use`)
      refuse(response, error, { id: used })
    } else if (this.#refusing) refuse(response, createStopping())
    else {
      session.openStream(response, accepts, ids, isBatch)
      session.legacy.receive(body)
    }
  }

  get(request: IncomingMessage, response: ServerResponse, accepts: Accepts, identity: Identity): void {
    const session = this.#findSession(request, response, identity)
    if (session === undefined) return
    if (!accepts.events) {
      refuse(response, new SwitchboardError('invalid_request', 'GET answers with text/event-stream only'), {
        status: 406,
      })
      return
    }
    const lastEventId = request.headers['last-event-id']
    if (lastEventId === undefined) {
      if (session.listen(response)) return
      const error = new SwitchboardError('invalid_request', 'This session has an open stream already; it has only one')
      refuse(response, error, { status: 409 })
      return
    }
    const position = /^(\d{1,15})-(\d{1,15})$/.exec(String(lastEventId))
    if (position === null) {
      refuse(response, new SwitchboardError('invalid_request', 'Last-Event-ID is not one that was sent here'))
    } else session.resume(response, Number(position[1]), Number(position[2]))
  }

  delete(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const session = this.#findSession(request, response, identity)
    if (session === undefined) return
    this.#end(session, new SwitchboardError('cancelled', 'The client ended the session'))
    writeEmpty(response, 204)
  }

  /** New requests are refused from now on; answers to questions still come in. */
  refuseRequests(): void {
    this.#refusing = true
  }

  endSessions(isOver: (identity: Identity) => boolean, reason: string): void {
    const error = new SwitchboardError('cancelled', reason)
    for (const session of [...this.#sessions.values()]) if (isOver(session.legacy.identity)) this.#end(session, error)
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) this.#end(session, createStopping())
    this.#options.heartbeat.delete(this)
  }

  onBeat(now: number): void {
    const { sessionIdleTtl } = this.#options
    for (const session of this.#sessions.values()) {
      session.expireEvents(now)
      const { idleSince } = session
      if (session.legacy.closed || (idleSince !== undefined && now - idleSince >= sessionIdleTtl)) {
        this.#end(session, new SwitchboardError('cancelled', 'The session expired'))
      }
    }
  }

  #initialize(
    request: IncomingMessage,
    response: ServerResponse,
    body: JsonObject,
    accepts: Accepts,
    identity: Identity,
  ): void {
    // Checked by isInitialize.
    const id = body.id as RequestId
    const known = this.#sessions.get(String(request.headers[SESSION_HEADER]))
    if (known !== undefined && !known.legacy.closed) {
      refuse(response, new SwitchboardError('invalid_request', 'This session is initialized already'), { id })
      return
    }
    const reading = readInitializeParams(body.params)
    if (!reading.ok) {
      const message = `Invalid parameters of initialize: ${reading.reason}`
      writeFailure(response, 400, createBadMessageError({ code: JSON_RPC_ERROR.invalidParams, message, id }), id)
      return
    }
    if (this.#refusing) {
      refuse(response, createStopping(), { id })
      return
    }
    try {
      this.#options.quota.enter()
    } catch (error) {
      refuse(response, error as SwitchboardError, { status: 503, id })
      return
    }
    const session = new HttpSession(randomBytes(24).toString('base64url'), identity, this.#options)
    this.#sessions.set(session.id, session)
    session.openStream(response, accepts, [id], false, { [SESSION_HEADER]: session.id })
    session.legacy.receive(body)
  }

  /** Answers the request itself when there is none. */
  #findSession(request: IncomingMessage, response: ServerResponse, identity: Identity): HttpSession | undefined {
    const { headers } = request
    const id = headers[SESSION_HEADER]
    if (id === undefined) {
      const message = 'The header Mcp-Session-Id is missing, and this is neither initialize nor a modern request'
      refuse(response, new SwitchboardError('invalid_request', message))
      return undefined
    }
    const session = this.#sessions.get(String(id))
    if (session === undefined || session.legacy.closed || !isSameCaller(session.legacy.identity, identity)) {
      refuse(response, new SwitchboardError('unknown_session', 'No session has this id'), { status: 404 })
      return undefined
    }
    const version = headers['mcp-protocol-version']
    if (version !== undefined && !isLegacyVersion(version)) {
      const message = `MCP-Protocol-Version ${JSON.stringify(version)} is not one of ${LEGACY_VERSIONS.join(', ')}`
      refuse(response, new SwitchboardError('invalid_request', message))
      return undefined
    }
    return session
  }

  #evictOldest(): boolean {
    let oldest: HttpSession | undefined
    let since = Number.POSITIVE_INFINITY
    for (const session of this.#sessions.values()) {
      const { idleSince } = session
      if (idleSince === undefined || idleSince >= since) continue
      oldest = session
      since = idleSince
    }
    if (oldest === undefined) return false
    this.#end(oldest, new SwitchboardError('cancelled', 'The session was idle, and others needed its place'))
    return true
  }

  #end(session: HttpSession, error: SwitchboardError): void {
    if (!this.#sessions.delete(session.id)) return
    this.#options.quota.leave()
    session.close(error)
  }
}

export function isInitialize(body: unknown): body is JsonObject {
  return isJsonObject(body) && body.method === 'initialize' && classifyMessage(body) === 'request'
}

function isSameCaller(one: Identity, other: Identity): boolean {
  return one.profile === other.profile && one.credential === other.credential
}

/** The ids of its requests: none, or one. Answers the POST itself when it is no message. */
function readSingle(body: unknown, response: ServerResponse): RequestId[] | undefined {
  const kind = classifyMessage(body)
  // Checked by classifyMessage.
  if (kind === 'request') return [(body as { id: RequestId }).id]
  if (kind !== 'invalid') return []
  refuse(response, new SwitchboardError('invalid_request', 'This is not a JSON-RPC message'), { id: recoverId(body) })
  return undefined
}

function readBatch(body: unknown[], session: HttpSession, response: ServerResponse): RequestId[] | undefined {
  const { version } = session.legacy
  const problem =
    version !== undefined && !hasBatches(version)
      ? `Batches are not part of protocol version ${version}; send one message at a time`
      : body.length > MAX_BATCH
        ? `The batch holds ${body.length} messages; ${MAX_BATCH} is the most`
        : (findBatchError(body)?.message ?? findBadMember(body))
  if (problem !== undefined) {
    refuse(response, new SwitchboardError('invalid_request', problem))
    return undefined
  }
  // Checked by classifyMessage.
  return body.filter((one) => classifyMessage(one) === 'request').map((one) => (one as { id: RequestId }).id)
}

function findBadMember(body: unknown[]): string | undefined {
  if (body.some(isInitialize)) return 'initialize cannot be part of a batch'
  return body.some((one) => classifyMessage(one) === 'invalid') ? 'A member is not a JSON-RPC message' : undefined
}

function recoverId(body: unknown): RequestId | null {
  const id = isJsonObject(body) ? body.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function createStopping(): SwitchboardError {
  return new SwitchboardError('shutting_down', 'Switchboard is stopping')
}
