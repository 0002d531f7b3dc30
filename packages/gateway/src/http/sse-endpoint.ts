/**
 * HTTP+SSE of 2024-11-05: GET opens a stream that names where to POST to; everything the server says comes by the stream.
 * The session lives as long as the stream.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonRpcMessage } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import { createStoppingError } from '../answer-with-error.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { Channel } from '../legacy/channel.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { EventStream } from './event-stream.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import { type MessageLimits, readMessage } from './read-message.ts'
import type { SessionQuota } from './session-quota.ts'
import { refuse, writeEmpty } from './write-response.ts'

export interface SseEndpointOptions {
  readonly gateway: Gateway
  readonly heartbeat: Heartbeat
  readonly quota: SessionQuota
  readonly limits: MessageLimits
}

const MESSAGES_PATH = '/messages'

export class SseEndpoint {
  readonly #options: SseEndpointOptions
  readonly #connections = new Map<string, SseConnection>()
  #refusing = false

  constructor(options: SseEndpointOptions) {
    this.#options = options
  }

  get sessionCount(): number {
    return this.#connections.size
  }

  get inFlight(): number {
    let count = 0
    for (const { session } of this.#connections.values()) count += session.inFlight
    return count
  }

  open(response: ServerResponse, identity: Identity): void {
    if (this.#refusing) {
      refuse(response, createStoppingError())
      return
    }
    const { gateway, heartbeat, quota } = this.#options
    try {
      quota.enter()
    } catch (error) {
      // Only the quota throws here.
      refuse(response, error as SwitchboardError, { status: 503 })
      return
    }
    const id = randomBytes(24).toString('base64url')
    const connection = new SseConnection(id, gateway, identity, response)
    this.#connections.set(id, connection)
    heartbeat.add(connection)
    response.on('close', () => {
      heartbeat.delete(connection)
      this.#connections.delete(id)
      quota.leave()
      connection.session.close('its event stream was closed')
    })
  }

  post(request: IncomingMessage, response: ServerResponse, identity: Identity, sessionId: string | null): void {
    const connection = sessionId === null ? undefined : this.#connections.get(sessionId)
    if (connection === undefined || connection.session.identity.credential !== identity.credential) {
      refuse(response, new SwitchboardError('unknown_session', 'No session has this id'), { status: 404 })
      return
    }
    readMessage(request, response, this.#options.limits, (incoming) => {
      if (incoming.kind === 'invalid') {
        refuse(response, new SwitchboardError('invalid_request', 'This is not a JSON-RPC message'))
        return
      }
      writeEmpty(response, 202)
      connection.session.receive(incoming)
    })
  }

  refuseRequests(): void {
    this.#refusing = true
    for (const { session } of this.#connections.values()) session.refuseRequests()
  }

  endSessions(isOver: (identity: Identity) => boolean, reason: string): void {
    for (const connection of this.#connections.values()) if (isOver(connection.session.identity)) connection.end(reason)
  }

  close(): void {
    const error = createStoppingError()
    for (const connection of this.#connections.values()) {
      connection.session.shutDown(error)
      connection.end(error.message)
    }
  }
}

class SseConnection implements Channel, Beating {
  readonly session: LegacySession
  readonly #events: EventStream

  constructor(id: string, gateway: Gateway, identity: Identity, response: ServerResponse) {
    this.#events = new EventStream(response)
    this.session = gateway.openLegacySession(identity, this, id)
    this.#events.send(`${MESSAGES_PATH}?sessionId=${id}`, undefined, 'endpoint')
  }

  send(message: JsonRpcMessage): void {
    this.#events.send(encodeMessage(message))
  }

  onBeat(now: number): void {
    this.#events.comment('keep-alive')
    this.#events.checkReader(now)
  }

  end(reason: string): void {
    this.#events.end()
    this.session.close(reason)
  }
}
