/**
 * Legacy sessions over WebSocket: one message a text frame, one session a socket. The library is loaded for the first of them:
 * most gateways never see one.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JsonRpcMessage } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import type { RawData, WebSocket, WebSocketServer } from 'ws'
import { createStoppingError } from '../answer-with-error.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import { readIncoming } from '../incoming.ts'
import type { Channel } from '../legacy/channel.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { MAX_STUCK_MS, MAX_UNREAD_BYTES } from './event-stream.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import type { MessageLimits } from './read-message.ts'
import type { SessionQuota } from './session-quota.ts'
import { createRawResponse } from './write-response.ts'

export interface WebSocketEndpointOptions {
  readonly gateway: Gateway
  readonly heartbeat: Heartbeat
  readonly quota: SessionQuota
  readonly limits: Pick<MessageLimits, 'maxBodyBytes' | 'maxJsonDepth'>
}

const SUBPROTOCOL = 'mcp'
const GOING_AWAY = 1001

export class WebSocketEndpoint {
  readonly #options: WebSocketEndpointOptions
  readonly #connections = new Set<WebSocketConnection>()
  #server: Promise<WebSocketServer> | undefined
  #refusing = false

  constructor(options: WebSocketEndpointOptions) {
    this.#options = options
  }

  get sessionCount(): number {
    return this.#connections.size
  }

  get inFlight(): number {
    let count = 0
    for (const { session } of this.#connections) count += session.inFlight
    return count
  }

  /** Rejects with what speaks against it; else the socket is taken over. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity): Promise<void> {
    if (this.#refusing) throw createStoppingError()
    const { quota, heartbeat, limits } = this.#options
    quota.enter()
    let left = false
    const leave = (): void => {
      if (!left) quota.leave()
      left = true
    }
    // A handshake that the library refuses ends the socket without calling back.
    socket.once('close', leave)
    this.#server ??= createServer()
    const server = await this.#server
    // Stopped while it was loaded: who is refused closes the socket, and with it gives back the place.
    if (this.#refusing) throw createStoppingError()
    server.options.maxPayload = limits.maxBodyBytes
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new WebSocketConnection(webSocket, this.#options, identity)
      this.#connections.add(connection)
      heartbeat.add(connection)
      webSocket.on('close', () => {
        this.#connections.delete(connection)
        heartbeat.delete(connection)
        leave()
        connection.session.close('its WebSocket was closed')
      })
    })
  }

  refuseRequests(): void {
    this.#refusing = true
    for (const { session } of this.#connections) session.refuseRequests()
  }

  endSessions(isOver: (identity: Identity) => boolean, reason: string): void {
    for (const connection of this.#connections) if (isOver(connection.session.identity)) connection.end(reason)
  }

  close(): void {
    const error = createStoppingError()
    for (const connection of this.#connections) {
      connection.session.shutDown(error)
      connection.end(error.message)
    }
  }

  terminate(): void {
    for (const connection of this.#connections) connection.terminate()
  }
}

class WebSocketConnection implements Channel, Beating {
  readonly session: LegacySession
  readonly #socket: WebSocket
  readonly #maxJsonDepth: number
  #stuckSince: number | undefined
  #isAlive = true

  constructor(socket: WebSocket, options: WebSocketEndpointOptions, identity: Identity) {
    this.#socket = socket
    this.#maxJsonDepth = options.limits.maxJsonDepth
    this.session = options.gateway.openLegacySession(identity, this, randomUUID())
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // Whatever it is, `close` follows.
    socket.on('error', () => {})
  }

  send(message: JsonRpcMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES * 8) this.terminate()
    else this.#socket.send(encodeMessage(message), ignore)
  }

  onBeat(now: number): void {
    this.#stuckSince = this.#socket.bufferedAmount > MAX_UNREAD_BYTES ? (this.#stuckSince ?? now) : undefined
    const isStuck = this.#stuckSince !== undefined && now - this.#stuckSince >= MAX_STUCK_MS
    // A pong waits in the same queue as everything else; only an empty one proves that the peer is gone.
    if (isStuck || (!this.#isAlive && this.#socket.bufferedAmount === 0)) {
      this.terminate()
      return
    }
    this.#isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping(ignore)
  }

  /** `reason` travels in the frame that closes: at most 123 bytes. */
  end(reason: string): void {
    this.#socket.close(GOING_AWAY, reason)
    this.session.close(reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    // With the default binary type a message is one Buffer.
    const incoming = readIncoming(isBinary ? '' : String(data), this.#maxJsonDepth)
    if (incoming.kind === 'unreadable') this.send(incoming.answer)
    else this.session.receive(incoming)
  }
}

async function createServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  })
  // The library's own refusal is a page.
  server.on('wsClientError', ({ message }, socket) => {
    const error = new SwitchboardError('invalid_request', `The WebSocket handshake failed: ${message}`)
    socket.end(createRawResponse(400, 'Bad Request', error))
  })
  return server
}

function ignore(): void {}
