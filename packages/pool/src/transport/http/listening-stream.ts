/**
 * The stream a legacy server may offer for messages of its own (GET), and with it the only way to notice its death
 * while nothing is in flight. A server that refuses it goes without: that is allowed. Once it has stood, losing it
 * means trying again at once, because a refused connection is how a dead server shows.
 */
import type { Clock, Timer } from '@switchboard/base'
import type { HandlerGate } from '../handler-gate.ts'
import type { RemoteTarget } from '../remote-url.ts'
import type { HttpClient, HttpExchange, HttpSink } from './http-client.ts'
import { isRefused } from './http-failure.ts'
import { isEventStream } from './http-headers.ts'
import { MessageStream } from './message-stream.ts'

const MAX_FAILURES = 3

export interface ListeningHost {
  readonly client: HttpClient
  readonly gate: HandlerGate
  readonly clock: Clock
  readonly target: RemoteTarget
  readonly maxMessageBytes: number
  readonly hasSession: boolean
  listenHeaders(lastEventId: string | undefined): Record<string, string>
  onSessionLost(): void
  onNetworkError(error: Error): void
}

export class ListeningStream {
  readonly #host: ListeningHost
  readonly #messages: MessageStream
  #exchange: HttpExchange | undefined
  #timer: Timer | undefined
  #stopped = false
  #established = false
  #failures = 0
  /** One free reconnect for each stream that was of use; a server that keeps hanging up is asked at its pace. */
  #mayHurry = true

  constructor(host: ListeningHost) {
    this.#host = host
    this.#messages = new MessageStream({
      gate: host.gate,
      maxMessageBytes: host.maxMessageBytes,
      onEvent: () => {
        this.#mayHurry = true
      },
    })
  }

  /** The server offers the stream; it stands, or is being taken up again. */
  get established(): boolean {
    return this.#established
  }

  start(): void {
    if (!this.#stopped) this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#established = false
    this.#timer?.cancel()
    this.#messages.stop()
    this.#exchange?.abort()
  }

  #connect(): void {
    const { client, target } = this.#host
    let status = 0
    let listening = false
    const sink: HttpSink = {
      onHeaders: (answered, headers) => {
        status = answered
        listening = answered === 200 && isEventStream(headers)
        if (!listening) return
        this.#established = true
        this.#failures = 0
        this.#messages.restart()
      },
      onData: (chunk) => {
        if (listening) this.#messages.push(chunk)
      },
      onEnd: () => {
        if (this.#stopped) return
        if (listening) this.#reconnect(!this.#messages.retry.asked)
        else this.#onRefused(status)
      },
      onError: (error) => {
        if (this.#stopped) return
        if (listening) this.#reconnect(true)
        else if (status !== 0) this.#onRefused(status)
        else this.#onUnreachable(error)
      },
    }
    this.#exchange = client.request(
      { method: 'GET', url: target.url, headers: this.#host.listenHeaders(this.#messages.lastEventId) },
      sink,
    )
    if (this.#stopped) this.#exchange.abort()
  }

  #reconnect(hurry: boolean): void {
    if (hurry && this.#mayHurry) {
      this.#mayHurry = false
      this.#connect()
      return
    }
    this.#timer = this.#host.clock.setTimer(this.#messages.retry.ms, () => this.#connect())
  }

  #onRefused(status: number): void {
    if (status === 404 && this.#established && this.#host.hasSession) {
      this.#host.onSessionLost()
      return
    }
    this.#failures += 1
    if (status >= 500 && this.#failures < MAX_FAILURES) this.#reconnect(false)
    else this.stop()
  }

  /** On the first attempt only a refused connection is proof; some servers just hang up on a GET they do not know. */
  #onUnreachable(error: Error): void {
    if (this.#established || isRefused(error)) this.#host.onNetworkError(error)
    else this.stop()
  }
}
