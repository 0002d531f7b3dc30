/**
 * One message sent by POST, until nothing more can come of it: an answer as JSON, an answer as an event stream (taken
 * up again by GET where the era allows it), a refusal, or a broken connection. Each request ends in exactly one of:
 * its response delivered, `onOversized`, `onRequestFailed`, `onClosed` of the whole transport, or being abandoned. A request
 * that is known not to have been taken fails by itself before the transport does.
 */
import type { Clock, Timer } from '@switchboard/base'
import type { JsonObject, JsonRpcMessage, RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import {
  decodeMessages,
  isResponseTo,
  LARGE_MESSAGE_BYTES,
  recoverIdOf,
  refuseLarge,
  refuseUnread,
} from '../decode-messages.ts'
import { encodeOutgoing } from '../encode-outgoing.ts'
import type { HandlerGate } from '../handler-gate.ts'
import type { RemoteTarget } from '../remote-url.ts'
import { BodyCollector } from './body-collector.ts'
import type { HttpClient, HttpExchange, HttpSink } from './http-client.ts'
import {
  classifyRequestError,
  createRequestError,
  createStatusError,
  describeNetworkError,
  type HttpFailure,
  isRefused,
  isSessionLost,
  MAX_FAILURE_BODY_BYTES,
  readFailureMessage,
} from './http-failure.ts'
import { type HttpHeaders, headerText, isEventStream } from './http-headers.ts'
import { MessageStream } from './message-stream.ts'
import { requestIdOf } from './outbox.ts'

const MAX_RESUME_FAILURES = 3
/** A server should end the stream with the answer; one that does not would hold a connection for ever. */
const LINGER_MS = 5000
/** How long a message that gets no answer may hold a connection, and how much may be said to it. */
const UNANSWERED_MS = 30_000
const MAX_DRAINED_BYTES = 64 * 1024

/** What an exchange needs of its transport. */
export interface PostHost {
  readonly client: HttpClient
  readonly gate: HandlerGate
  readonly clock: Clock
  readonly target: RemoteTarget
  readonly maxMessageBytes: number
  readonly hasSession: boolean
  /** Of a GET that goes on after that event; undefined where the era has no such thing. */
  resumeHeaders(lastEventId: string): Record<string, string> | undefined
  onAccepted(message: JsonRpcMessage, headers: HttpHeaders): void
  /** The server has taken the message, or never will. */
  onAcknowledged(message: JsonRpcMessage): void
  onFinished(exchange: PostExchange): void
  onSessionLost(): void
  onNetworkError(error: Error): void
}

type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'drain'; bytes: number }
  | { readonly kind: 'stream' }
  | { readonly kind: 'body'; readonly body: BodyCollector; readonly status: number; readonly headers: HttpHeaders }
  | { readonly kind: 'failure'; readonly body: BodyCollector; readonly status: number; readonly headers: HttpHeaders }

export class PostExchange implements HttpSink {
  readonly id: RequestId | undefined
  readonly #host: PostHost
  readonly #message: JsonRpcMessage
  readonly #stream: MessageStream
  #reading: Reading = { kind: 'nothing' }
  #exchange: HttpExchange | undefined
  #timer: Timer | undefined
  #acknowledged = false
  #over = false
  #resumeFailures = 0

  constructor(host: PostHost, message: JsonRpcMessage) {
    this.#host = host
    this.#message = message
    this.id = requestIdOf(message)
    this.#stream = new MessageStream({
      gate: host.gate,
      maxMessageBytes: host.maxMessageBytes,
      ...(this.id === undefined ? {} : { origin: this.id }),
      onSettled: () => {
        if (!this.#over) this.#timer = host.clock.setTimer(LINGER_MS, () => this.abort())
      },
    })
  }

  start(headers: Readonly<Record<string, string>>): void {
    const { client, target, gate } = this.#host
    const body = encodeOutgoing(this.#message, gate)
    if (body === undefined) {
      this.#finish()
      return
    }
    // A request has the budget of its caller; nobody else waits for this one.
    if (this.id === undefined) this.#timer = this.#host.clock.setTimer(UNANSWERED_MS, () => this.abort())
    this.#exchange = client.request({ method: 'POST', url: target.url, headers, body }, this)
    if (this.#over) this.#exchange.abort()
  }

  abort(): void {
    if (this.#over) return
    this.#finish()
    this.#exchange?.abort()
  }

  onHeaders(status: number, headers: HttpHeaders): void {
    const accepted = status >= 200 && status < 300
    if (accepted) this.#host.onAccepted(this.#message, headers)
    this.#reading = this.#chooseReading(accepted, status, headers)
    this.#acknowledge()
    const announced = Number(headerText(headers, 'content-length') ?? 0)
    if (this.#reading.kind === 'body' && announced > this.#host.maxMessageBytes) this.#refuseOversized(announced)
  }

  onData(chunk: Buffer): void {
    const reading = this.#reading
    if (reading.kind === 'stream') this.#stream.push(chunk)
    else if (reading.kind === 'body') {
      if (!reading.body.add(chunk)) this.#refuseOversized(reading.body.bytes)
    } else if (reading.kind === 'drain') {
      reading.bytes += chunk.length
      if (reading.bytes > MAX_DRAINED_BYTES) this.abort()
    } else if (reading.kind === 'failure' && !reading.body.add(chunk)) {
      this.#exchange?.abort()
      this.#deliverFailure(reading)
    }
  }

  onEnd(): void {
    const reading = this.#reading
    if (reading.kind === 'stream') this.#onStreamEnded(undefined)
    else if (reading.kind === 'body') this.#deliverBody(reading)
    else if (reading.kind === 'failure') this.#deliverFailure(reading)
    else this.#finish()
  }

  onError(error: Error): void {
    const reading = this.#reading
    if (reading.kind === 'stream') this.#onStreamEnded(error)
    else if (reading.kind === 'body') this.#failAsLost(error)
    else if (reading.kind === 'failure') this.#deliverFailure(reading)
    else if (reading.kind === 'drain') this.#finish()
    else this.#failUnsent(error)
  }

  #chooseReading(accepted: boolean, status: number, headers: HttpHeaders): Reading {
    if (!accepted) return { kind: 'failure', body: new BodyCollector(MAX_FAILURE_BODY_BYTES), status, headers }
    if (isEventStream(headers)) return { kind: 'stream' }
    const isJson = (headerText(headers, 'content-type') ?? '').toLowerCase().includes('json')
    if (this.id === undefined && !isJson) return { kind: 'drain', bytes: 0 }
    return { kind: 'body', body: new BodyCollector(this.#host.maxMessageBytes), status, headers }
  }

  #deliverBody({ body, status, headers }: Extract<Reading, { kind: 'body' }>): void {
    const { gate } = this.#host
    const text = body.text()
    this.#finish()
    if (text.length > LARGE_MESSAGE_BYTES && refuseLarge(gate, this.id, text.length)) return
    const messages = decodeMessages(text)
    if (typeof messages === 'string') {
      refuseUnread(gate, messages, this.id ?? recoverIdOf(text), text.length)
      return
    }
    let settled = false
    for (const message of messages ?? []) {
      const adopted = messages?.length === 1 ? this.#adopt(message) : message
      settled ||= isResponseTo(adopted, this.id)
      gate.onMessage(adopted, this.id)
    }
    if (settled || this.id === undefined) return
    const type = headerText(headers, 'content-type') ?? 'no content type'
    const what =
      text === '' ? 'an empty body' : messages === undefined ? `a body that is not JSON (${type})` : 'no response to it'
    const message = `a request to ${this.#host.target.text} was answered with ${status} and ${what}; check that \`url\` is the MCP endpoint`
    gate.onRequestFailed(
      this.id,
      new SwitchboardError('bad_response', message, { details: { status, body: text.slice(0, 500) } }),
    )
  }

  /** An error whose id is null or made up can only be about the request that was sent here. */
  #adopt(message: JsonObject): JsonObject {
    const foreign = this.id !== undefined && message.error !== undefined && message.method === undefined
    return foreign && message.id !== this.id ? { ...message, id: this.id } : message
  }

  #refuseOversized(bytes: number): void {
    this.abort()
    this.#host.gate.onOversized(this.id, bytes)
  }

  #deliverFailure({ body, status, headers }: Extract<Reading, { kind: 'failure' }>): void {
    const { gate, target, hasSession } = this.#host
    this.#finish()
    const failure: HttpFailure = {
      method: 'POST',
      target: target.text,
      url: target.url,
      status,
      headers,
      body: body.text(),
    }
    if (hasSession && isSessionLost(failure, this.id)) {
      this.#failUnexecuted(`${target.text} no longer knows our session`)
      this.#host.onSessionLost()
      return
    }
    if (this.id === undefined) {
      gate.onOutput('stderr', createStatusError(failure).message)
      return
    }
    const message = readFailureMessage(failure, this.id)
    if (message === undefined) gate.onRequestFailed(this.id, createStatusError(failure))
    else gate.onMessage(message, this.id)
  }

  #failUnsent(error: Error): void {
    this.#finish()
    if (classifyRequestError(error) === 'network') {
      if (isRefused(error)) this.#failUnexecuted(describeNetworkError(this.#host.target.text, error))
      this.#host.onNetworkError(error)
      return
    }
    const problem = createRequestError('POST', this.#host.target.text, error)
    if (this.id === undefined) this.#host.gate.onOutput('stderr', problem.message)
    else this.#host.gate.onRequestFailed(this.id, problem)
  }

  /** The server is gone, but this much is sure: it never took this request, so it may be sent again. */
  #failUnexecuted(message: string): void {
    if (this.id !== undefined) {
      this.#host.gate.onRequestFailed(this.id, new SwitchboardError('server_exited', message, { executed: false }))
    }
  }

  #onStreamEnded(error: Error | undefined): void {
    if (this.#over) return
    if (this.#stream.settled || this.id === undefined) {
      this.#finish()
      return
    }
    const { lastEventId, retry } = this.#stream
    const headers = lastEventId === undefined ? undefined : this.#host.resumeHeaders(lastEventId)
    if (headers === undefined || this.#resumeFailures >= MAX_RESUME_FAILURES) {
      this.#failAsLost(error)
      return
    }
    this.#timer = this.#host.clock.setTimer(retry.ms, () => this.#resume(headers))
  }

  #resume(headers: Readonly<Record<string, string>>): void {
    const { client, target } = this.#host
    let refusal: number | undefined
    let resumed = false
    const failed = (error?: Error): void => {
      this.#resumeFailures += 1
      this.#onStreamEnded(error)
    }
    const sink: HttpSink = {
      onHeaders: (status, answer) => {
        resumed = status === 200 && isEventStream(answer)
        if (!resumed) refusal = status
        else {
          this.#resumeFailures = 0
          this.#stream.restart()
        }
      },
      onData: (chunk) => {
        if (resumed) this.#stream.push(chunk)
      },
      onEnd: () => {
        if (refusal === undefined) this.#onStreamEnded(undefined)
        else if (refusal === 404 && this.#host.hasSession) {
          this.#finish()
          this.#host.onSessionLost()
        } else if (refusal >= 500) failed()
        else this.#failAsLost(undefined, `taking it up again was answered with ${refusal}`)
      },
      onError: (error) => {
        if (resumed) this.#onStreamEnded(error)
        else failed(error)
      },
    }
    this.#exchange = client.request({ method: 'GET', url: target.url, headers }, sink)
  }

  #failAsLost(error: Error | undefined, why?: string): void {
    const { gate, target } = this.#host
    this.#finish()
    if (this.id !== undefined) {
      const how = error === undefined ? 'response stream ended' : `response broke off (${error.message})`
      const message = `${target.text}: ${how} before the answer came${why === undefined ? '' : `; ${why}`}; check the server's log`
      gate.onRequestFailed(this.id, new SwitchboardError('server_exited', message, { cause: error }))
    }
    if (error !== undefined) this.#host.onNetworkError(error)
  }

  #acknowledge(): void {
    if (this.#acknowledged) return
    this.#acknowledged = true
    this.#host.onAcknowledged(this.#message)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#timer?.cancel()
    this.#stream.stop()
    this.#host.onFinished(this)
    this.#acknowledge()
  }
}
