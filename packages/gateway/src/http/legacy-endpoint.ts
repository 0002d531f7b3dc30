/**
 * The legacy era over Streamable HTTP: sessions named by `Mcp-Session-Id`. `initialize` opens one, everything later needs
 * it, DELETE or a long silence ends it. A session belongs to the credential and profile that opened it.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { isLegacyVersion, JSON_RPC_ERROR, LEGACY_VERSIONS, type RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { findBatchError, hasBatches, readInitializeParams } from '@switchboard/protocol/legacy'
import { type Asked, createStoppingError, quoteId } from '../answer-with-error.ts'
import type { Identity } from '../identity.ts'
import {
  type Incoming,
  type IncomingBatch,
  type IncomingRequest,
  type IncomingSingle,
  judgeMessage,
} from '../incoming.ts'
import { HttpSession, type HttpSessionHost } from './http-session.ts'
import type { Accepts } from './negotiation.ts'
import type { SessionQuota } from './session-quota.ts'
import { refuse, writeEmpty } from './write-response.ts'

export interface LegacyEndpointOptions extends HttpSessionHost {
  readonly sessionIdleTtl: number
  readonly quota: SessionQuota
}

export const SESSION_HEADER = 'mcp-session-id'

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

  /** `incoming` is known not to be modern. */
  post(
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    incoming: Incoming,
    accepts: Accepts,
    identity: Identity,
  ): void {
    if (isInitialize(incoming)) {
      this.#initialize(headers, response, incoming, accepts, identity)
      return
    }
    const session = this.#findSession(headers, response, identity, readAsked(incoming))
    if (session === undefined) return
    session.touch()
    if (incoming.kind === 'invalid') {
      const error = new SwitchboardError('invalid_request', 'This is not a JSON-RPC message')
      refuse(response, error, { asked: incoming })
    } else if (incoming.kind === 'batch') this.#takeBatch(incoming, session, response, accepts)
    else if (incoming.kind === 'request') this.#takeRequests([incoming.id], incoming, session, response, accepts)
    else {
      writeEmpty(response, 202)
      session.legacy.receive(incoming)
    }
  }

  get(headers: IncomingHttpHeaders, response: ServerResponse, accepts: Accepts, identity: Identity): void {
    const session = this.#findSession(headers, response, identity)
    if (session === undefined) return
    if (!accepts.events) {
      refuse(response, new SwitchboardError('invalid_request', 'GET answers with text/event-stream only'), {
        status: 406,
      })
      return
    }
    const lastEventId = headers['last-event-id']
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

  delete(headers: IncomingHttpHeaders, response: ServerResponse, identity: Identity): void {
    const session = this.#findSession(headers, response, identity)
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
    for (const session of [...this.#sessions.values()]) this.#end(session, createStoppingError())
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

  #takeBatch(batch: IncomingBatch, session: HttpSession, response: ServerResponse, accepts: Accepts): void {
    const ids = readBatch(batch, session, response)
    if (ids === undefined) return
    if (ids.length > 0) this.#takeRequests(ids, batch, session, response, accepts)
    else {
      writeEmpty(response, 202)
      session.legacy.receive(batch)
    }
  }

  #takeRequests(
    ids: RequestId[],
    incoming: IncomingRequest | IncomingBatch,
    session: HttpSession,
    response: ServerResponse,
    accepts: Accepts,
  ): void {
    const used = ids.find((id, index) => session.isUsed(id) || ids.indexOf(id) !== index)
    if (used !== undefined) {
      const error = new SwitchboardError('invalid_request', `The id ${quoteId(used)} is in use`)
      refuse(response, error, { asked: incoming.kind === 'request' ? incoming : { id: used } })
    } else if (this.#refusing) refuse(response, createStoppingError(), { asked: readAsked(incoming) })
    else {
      session.openStream(response, accepts, ids, incoming.kind === 'batch')
      session.legacy.receive(incoming)
    }
  }

  #initialize(
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    request: IncomingRequest,
    accepts: Accepts,
    identity: Identity,
  ): void {
    const { id } = request
    const known = this.#sessions.get(String(headers[SESSION_HEADER]))
    if (known !== undefined && !known.legacy.closed) {
      refuse(response, new SwitchboardError('invalid_request', 'This session is initialized already'), {
        asked: request,
      })
      return
    }
    const reading = readInitializeParams(request.params)
    if (!reading.ok) {
      const error = new SwitchboardError('invalid_request', `Invalid parameters of initialize: ${reading.reason}`)
      refuse(response, error, { status: 400, asked: request, code: JSON_RPC_ERROR.invalidParams })
      return
    }
    if (this.#refusing) {
      refuse(response, createStoppingError(), { asked: request })
      return
    }
    try {
      this.#options.quota.enter()
    } catch (error) {
      refuse(response, error as SwitchboardError, { status: 503, asked: request })
      return
    }
    const session = new HttpSession(randomBytes(24).toString('base64url'), identity, this.#options)
    this.#sessions.set(session.id, session)
    session.openStream(response, accepts, [id], false, { [SESSION_HEADER]: session.id })
    session.legacy.receive(request)
  }

  /** Answers the request itself when there is none. */
  #findSession(
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    identity: Identity,
    asked: Asked = { id: null },
  ): HttpSession | undefined {
    const id = headers[SESSION_HEADER]
    if (id === undefined) {
      const message = 'The header Mcp-Session-Id is missing, and this is neither initialize nor a modern request'
      refuse(response, new SwitchboardError('invalid_request', message), { asked })
      return undefined
    }
    const session = this.#sessions.get(String(id))
    if (session === undefined || session.legacy.closed || !isSameCaller(session.legacy.identity, identity)) {
      refuse(response, new SwitchboardError('unknown_session', 'No session has this id'), { status: 404, asked })
      return undefined
    }
    const version = headers['mcp-protocol-version']
    if (version !== undefined && !isLegacyVersion(version)) {
      const message = `MCP-Protocol-Version ${JSON.stringify(version)} is not one of ${LEGACY_VERSIONS.join(', ')}`
      refuse(response, new SwitchboardError('invalid_request', message), { asked })
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

/** A batch is many, and a notification nobody waits for. */
function readAsked(incoming: Incoming): Asked {
  return incoming.kind === 'request' || incoming.kind === 'invalid' ? incoming : { id: null }
}

function isInitialize(incoming: Incoming): incoming is IncomingRequest & { method: 'initialize' } {
  return incoming.kind === 'request' && incoming.method === 'initialize'
}

function isSameCaller(one: Identity, other: Identity): boolean {
  return one.profile === other.profile && one.credential === other.credential
}

/** The ids of its requests. Answers the POST itself when the batch may not be, or not be so. */
function readBatch(
  { members }: IncomingBatch,
  session: HttpSession,
  response: ServerResponse,
): RequestId[] | undefined {
  const { version } = session.legacy
  const wrong = findBatchError(members)?.message
  const judged = wrong === undefined ? members.map(judgeMessage) : []
  const problem =
    version !== undefined && !hasBatches(version)
      ? `Batches are not part of protocol version ${version}; send one message at a time`
      : (wrong ?? findBadMember(judged))
  if (problem === undefined) return judged.flatMap((one) => (one.kind === 'request' ? [one.id] : []))
  refuse(response, new SwitchboardError('invalid_request', problem))
  return undefined
}

function findBadMember(members: readonly IncomingSingle[]): string | undefined {
  if (members.some(isInitialize)) return 'initialize cannot be part of a batch'
  return members.some(({ kind }) => kind === 'invalid') ? 'A member is not a JSON-RPC message' : undefined
}
