/**
 * Streamable HTTP, both eras. Every message is a POST. Legacy: a session and its header, a listening stream, response
 * streams that can be taken up again, DELETE at the end. Modern: none of these; each message brings its own headers,
 * and closing its response is how a request is cancelled. Makes no ids, repeats no calls, and has no timeouts but
 * that of connecting.
 */
import { type Clock, systemClock, type Timer } from '@switchboard/base'
import type { Era, JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { Authorization } from '../oauth/upstream-login.ts'
import { HandlerGate } from './handler-gate.ts'
import { HttpClient, type HttpExchange, type HttpSink } from './http/http-client.ts'
import { describeNetworkError } from './http/http-failure.ts'
import { type HttpHeaders, headerText } from './http/http-headers.ts'
import { ListeningStream } from './http/listening-stream.ts'
import { mustArriveFirst, Outbox, type Outgoing } from './http/outbox.ts'
import { PostExchange } from './http/post-exchange.ts'
import { type ConfiguredHeaders, parseRemoteTarget, type RemoteTarget } from './remote-url.ts'
import {
  type ClosedInfo,
  type CloseOptions,
  MAX_MESSAGE_BYTES,
  type SendOptions,
  type TransportHandlers,
  type UpstreamTransport,
} from './transport.ts'

const SESSION_HEADER = 'mcp-session-id'
const VERSION_HEADER = 'mcp-protocol-version'
/** Earlier revisions do not know the header. */
const FIRST_VERSION_WITH_HEADER = '2025-06-18'
/** How long the server has to hear that its session is over. */
const DELETE_WAIT_MS = 1000
/** How long notifications that are on their way may delay a close. */
const NOTIFICATION_WAIT_MS = 1000

export interface HttpTransportOptions {
  readonly url: string
  readonly headers?: ConfiguredHeaders
  readonly authorization?: Authorization | undefined
  readonly maxMessageBytes?: number
  readonly clock?: Clock
}

export function createHttpTransport(options: HttpTransportOptions): UpstreamTransport {
  return new HttpTransport(options)
}

class HttpTransport implements UpstreamTransport {
  readonly kind = 'http'
  readonly pid = undefined
  readonly #target: RemoteTarget
  readonly #maxMessageBytes: number
  readonly #authorization: Authorization | undefined
  readonly #clock: Clock
  readonly #outbox = new Outbox((outgoing) => this.#post(outgoing))
  readonly #exchanges = new Set<PostExchange>()
  readonly #exchangeOf = new Map<RequestId, PostExchange>()
  #gate: HandlerGate | undefined
  #client: HttpClient | undefined
  #loading: Promise<void> | undefined
  #listening: ListeningStream | undefined
  #era: Era | undefined
  #version: string | undefined
  #session: string | undefined
  /** Set while later messages wait for the server to have taken this one. */
  #heldFor: JsonRpcMessage | undefined
  #closing: Promise<void> | undefined
  #forced = false
  #hurryClose: (() => void) | undefined
  #onForgotten: (() => void) | undefined

  constructor(options: HttpTransportOptions) {
    this.#target = parseRemoteTarget(options.url, options.headers, ['http:', 'https:'])
    this.#maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#authorization = options.authorization
    this.#clock = options.clock ?? systemClock
  }

  get noticesExit(): boolean {
    return this.#listening?.established ?? false
  }

  open(handlers: TransportHandlers): void {
    this.#gate = new HandlerGate(handlers)
    this.#loading = HttpClient.load(this.#target.url.origin, this.#authorization).then(
      (client) => {
        this.#client = client
        if (this.#gate?.isOpen) this.#outbox.release()
      },
      (error: unknown) =>
        this.#end({ reason: 'closed', message: `the HTTP client could not be loaded: ${String(error)}`, cause: error }),
    )
  }

  send(message: JsonRpcMessage, options?: SendOptions): void {
    if (this.#gate?.isOpen) this.#outbox.add({ message, options })
  }

  abandon(id: RequestId): void {
    if (!this.#outbox.drop(id)) this.#exchangeOf.get(id)?.abort()
  }

  setProtocol(era: Era, version: string): void {
    this.#era = era
    this.#version = version
    // Not before the rest of this turn: when `initialized` is sent in it, the stream is opened after that has arrived.
    if (era === 'legacy') {
      queueMicrotask(() => {
        if (this.#heldFor === undefined) this.#listen()
      })
    }
  }

  close(options?: CloseOptions): Promise<void> {
    this.#forced ||= options?.force ?? false
    this.#closing ??= this.#shutDown()
    if (this.#forced) this.#hurryClose?.()
    return this.#closing
  }

  async #shutDown(): Promise<void> {
    const wasOpen = this.#gate?.isOpen ?? false
    this.#gate?.shut()
    this.#outbox.clear()
    this.#listening?.stop()
    for (const exchange of this.#exchanges) if (exchange.id !== undefined) exchange.abort()
    await this.#loading
    if (wasOpen && !this.#forced) await this.#awaitNotifications()
    this.#stopAll()
    if (wasOpen && !this.#forced && this.#client !== undefined && this.#session !== undefined) {
      await this.#deleteSession(this.#client, this.#session)
    }
    await this.#client?.destroy()
  }

  /** A cancellation that was just sent must still arrive: the server would go on working for nobody. */
  #awaitNotifications(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel()
        this.#onForgotten = undefined
        resolve()
      }
      const timer = this.#clock.setTimer(NOTIFICATION_WAIT_MS, done)
      this.#hurryClose = done
      this.#onForgotten = () => {
        if (this.#exchanges.size === 0) done()
      }
      this.#onForgotten()
    })
  }

  #deleteSession(client: HttpClient, session: string): Promise<void> {
    return new Promise((resolve) => {
      let timer: Timer | undefined
      let exchange: HttpExchange | undefined
      const done = (): void => {
        timer?.cancel()
        exchange?.abort()
        resolve()
      }
      const sink: HttpSink = { onHeaders: done, onData: () => {}, onEnd: done, onError: done }
      const headers = { ...this.#target.headers, ...this.#protocolHeaders(), [SESSION_HEADER]: session }
      timer = this.#clock.setTimer(DELETE_WAIT_MS, done)
      this.#hurryClose = done
      exchange = client.request({ method: 'DELETE', url: this.#target.url, headers }, sink)
    })
  }

  #post({ message, options }: Outgoing): void {
    const client = this.#client
    const gate = this.#gate
    if (client === undefined || gate === undefined) return
    if (mustArriveFirst(message)) {
      this.#heldFor = message
      this.#outbox.hold()
    }
    const transport = this
    const exchange = new PostExchange(
      {
        ...this.#hostParts(client, gate),
        get hasSession() {
          return transport.#session !== undefined
        },
        resumeHeaders: (lastEventId) => (this.#era === 'modern' ? undefined : this.#listenHeaders(lastEventId)),
        onAccepted: (accepted, headers) => this.#captureSession(accepted, headers),
        onAcknowledged: (acknowledged) => this.#onAcknowledged(acknowledged),
        onFinished: (finished) => this.#forget(finished),
      },
      message,
    )
    this.#exchanges.add(exchange)
    if (exchange.id !== undefined) this.#exchangeOf.set(exchange.id, exchange)
    exchange.start({
      ...this.#target.headers,
      ...this.#protocolHeaders(),
      ...lowerCased(options?.headers),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    })
  }

  #hostParts(client: HttpClient, gate: HandlerGate) {
    return {
      client,
      gate,
      clock: this.#clock,
      target: this.#target,
      maxMessageBytes: this.#maxMessageBytes,
      onSessionLost: () =>
        this.#end({
          reason: 'session_expired',
          message: `${this.#target.text} no longer knows our session; it was restarted or let the session expire`,
        }),
      onNetworkError: (error: Error) =>
        this.#end({ reason: 'network', message: describeNetworkError(this.#target.text, error), cause: error }),
    }
  }

  #captureSession(message: JsonRpcMessage, headers: HttpHeaders): void {
    if ('method' in message && message.method === 'initialize') this.#session = headerText(headers, SESSION_HEADER)
  }

  #onAcknowledged(message: JsonRpcMessage): void {
    if (message !== this.#heldFor) return
    this.#heldFor = undefined
    if (!this.#gate?.isOpen) return
    if (this.#era === 'legacy') this.#listen()
    this.#outbox.release()
  }

  #forget(exchange: PostExchange): void {
    this.#exchanges.delete(exchange)
    this.#onForgotten?.()
    if (exchange.id !== undefined && this.#exchangeOf.get(exchange.id) === exchange)
      this.#exchangeOf.delete(exchange.id)
  }

  #listen(): void {
    const client = this.#client
    const gate = this.#gate
    if (this.#listening !== undefined || client === undefined || !gate?.isOpen) return
    this.#listening = new ListeningStream({
      ...this.#hostParts(client, gate),
      hasSession: this.#session !== undefined,
      listenHeaders: (lastEventId) => this.#listenHeaders(lastEventId),
    })
    this.#listening.start()
  }

  /** Session and version, as far as they are settled. */
  #protocolHeaders(): Record<string, string> {
    const headers: Record<string, string> = {}
    if (this.#session !== undefined && this.#era !== 'modern') headers[SESSION_HEADER] = this.#session
    if (this.#version !== undefined && this.#version >= FIRST_VERSION_WITH_HEADER)
      headers[VERSION_HEADER] = this.#version
    return headers
  }

  #listenHeaders(lastEventId: string | undefined): Record<string, string> {
    return {
      ...this.#target.headers,
      ...this.#protocolHeaders(),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    }
  }

  #end(info: ClosedInfo): void {
    if (!this.#gate?.isOpen) return
    this.#gate.onClosed(info)
    this.#stopAll()
    void this.#client?.destroy()
  }

  #stopAll(): void {
    this.#outbox.clear()
    this.#listening?.stop()
    for (const exchange of this.#exchanges) exchange.abort()
  }
}

function lowerCased(headers: ConfiguredHeaders | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
}
