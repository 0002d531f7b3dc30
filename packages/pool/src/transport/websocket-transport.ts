/**
 * WebSocket with the subprotocol `mcp`: one text frame is one message. A connection that died without a word is found
 * by pings. A frame over the limit cannot be skipped, because the format is cut off there: it ends the connection.
 */
import type { IncomingMessage } from 'node:http'
import { type Clock, errorCode, systemClock, type Timer } from '@switchboard/base'
import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { RawData, WebSocket } from 'ws'
import { deliverText } from './decode-messages.ts'
import { encodeOutgoing } from './encode-outgoing.ts'
import { HandlerGate } from './handler-gate.ts'
import { CONNECT_TIMEOUT_MS } from './http/http-client.ts'
import { describeNetworkError } from './http/http-failure.ts'
import { Outbox } from './http/outbox.ts'
import { type ConfiguredHeaders, parseRemoteTarget, type RemoteTarget } from './remote-url.ts'
import {
  type ClosedInfo,
  type CloseOptions,
  MAX_MESSAGE_BYTES,
  type TransportHandlers,
  type UpstreamTransport,
} from './transport.ts'

const PING_INTERVAL_MS = 30_000
/** How long the server has to answer our close frame. */
const CLOSE_WAIT_MS = 1000
const MAX_OUTPUT_BYTES = 2000

export interface WebSocketTransportOptions {
  readonly url: string
  readonly headers?: ConfiguredHeaders
  readonly maxMessageBytes?: number
  readonly clock?: Clock
}

export function createWebSocketTransport(options: WebSocketTransportOptions): UpstreamTransport {
  return new WebSocketTransport(options)
}

class WebSocketTransport implements UpstreamTransport {
  readonly kind = 'websocket'
  readonly pid = undefined
  readonly noticesExit = true
  readonly #target: RemoteTarget
  readonly #maxMessageBytes: number
  readonly #clock: Clock
  readonly #outbox = new Outbox(({ message }) => this.#write(message))
  #gate: HandlerGate | undefined
  #loading: Promise<void> | undefined
  #socket: WebSocket | undefined
  /** Settles when the socket is gone for good. */
  #gone: Promise<void> | undefined
  #pingTimer: Timer | undefined
  #heard = true
  #closing: Promise<void> | undefined

  constructor(options: WebSocketTransportOptions) {
    this.#target = parseRemoteTarget(options.url, options.headers, ['ws:', 'wss:', 'http:', 'https:'])
    this.#maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#clock = options.clock ?? systemClock
  }

  open(handlers: TransportHandlers): void {
    const gate = new HandlerGate(handlers)
    this.#gate = gate
    this.#loading = import('ws').then(
      (ws) => {
        if (gate.isOpen) this.#connect(ws.WebSocket, gate)
      },
      (error: unknown) =>
        this.#end({
          reason: 'closed',
          message: `the WebSocket client could not be loaded: ${String(error)}`,
          cause: error,
        }),
    )
  }

  send(message: JsonRpcMessage): void {
    if (this.#gate?.isOpen) this.#outbox.add({ message, options: undefined })
  }

  /** Answers come on the common connection: there is nothing to close for one request. */
  abandon(id: RequestId): void {
    this.#outbox.drop(id)
  }

  setProtocol(): void {}

  close(options?: CloseOptions): Promise<void> {
    this.#closing ??= this.#shutDown()
    if (options?.force) this.#socket?.terminate()
    return this.#closing
  }

  async #shutDown(): Promise<void> {
    this.#gate?.shut()
    this.#stop()
    await this.#loading
    const socket = this.#socket
    if (socket === undefined) return
    const timer = this.#clock.setTimer(CLOSE_WAIT_MS, () => socket.terminate())
    socket.close(1000)
    await this.#gone
    timer.cancel()
  }

  #connect(Socket: typeof WebSocket, gate: HandlerGate): void {
    const socket = new Socket(this.#target.url, 'mcp', {
      headers: { ...this.#target.headers },
      maxPayload: this.#maxMessageBytes,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      followRedirects: false,
    })
    this.#socket = socket
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.on('open', () => {
      if (!gate.isOpen) return
      this.#schedulePing(socket)
      this.#outbox.release()
    })
    socket.on('message', (data, isBinary) => this.#onFrame(gate, data, isBinary))
    socket.on('pong', () => {
      this.#heard = true
    })
    socket.on('unexpected-response', (_request, response) => this.#endRefused(response))
    socket.on('error', (error) => this.#onError(gate, error))
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString()))
  }

  #onFrame(gate: HandlerGate, data: RawData, isBinary: boolean): void {
    this.#heard = true
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
    if (isBinary) gate.onOutput('stdout', bytes.subarray(0, MAX_OUTPUT_BYTES).toString())
    else deliverText(gate, bytes.toString())
  }

  #write(message: JsonRpcMessage): void {
    const text = this.#gate === undefined ? undefined : encodeOutgoing(message, this.#gate)
    if (text !== undefined) this.#socket?.send(text)
  }

  #schedulePing(socket: WebSocket): void {
    this.#pingTimer = this.#clock.setTimer(PING_INTERVAL_MS, () => {
      if (!this.#heard) {
        this.#end({
          reason: 'network',
          message: `${this.#target.text} did not answer a ping within ${PING_INTERVAL_MS / 1000} s; check the server and the network`,
        })
        return
      }
      this.#heard = false
      socket.ping()
      this.#schedulePing(socket)
    })
  }

  #onError(gate: HandlerGate, error: Error): void {
    const code = errorCode(error)
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
      // How long the frame was is not told; it was over the limit.
      gate.onOversized(undefined, this.#maxMessageBytes + 1)
      const message = `${this.#target.text} sent a message over ${this.#maxMessageBytes} bytes, which ends a WebSocket (1009); ask the tool for less at once`
      this.#end({ reason: 'closed', message, cause: error })
      return
    }
    this.#end({ reason: 'network', message: describeNetworkError(this.#target.text, error), cause: error })
  }

  #onClose(code: number, reason: string): void {
    const why = reason === '' ? '' : `: ${reason}`
    const message = `${this.#target.text} closed the WebSocket with code ${code}${why}; check the server's log`
    // 1006: no close frame came, the connection just broke.
    this.#end({ reason: code === 1006 ? 'network' : 'closed', message })
  }

  #endRefused(response: IncomingMessage): void {
    const status = response.statusCode ?? 0
    const isAuth = status === 401 || status === 403
    const advice = isAuth ? 'check the credentials in `headers`' : 'check that `url` is a WebSocket endpoint'
    const message = `${this.#target.text} answered the WebSocket handshake with ${status}; ${advice}`
    const details: Record<string, unknown> = { status }
    const challenge = response.headers['www-authenticate']
    if (challenge !== undefined) details.wwwAuthenticate = challenge
    response.resume()
    const cause = new SwitchboardError(isAuth ? 'unauthorized_upstream' : 'bad_response', message, {
      details,
      executed: false,
    })
    this.#end({ reason: isAuth ? 'auth_required' : 'closed', message, cause })
  }

  #end(info: ClosedInfo): void {
    if (!this.#gate?.isOpen) return
    this.#gate.onClosed(info)
    this.#stop()
    this.#socket?.terminate()
  }

  #stop(): void {
    this.#outbox.clear()
    this.#pingTimer?.cancel()
  }
}
