/**
 * HTTP+SSE of 2024-11-05: one event stream brings everything; its first event names the address that messages are
 * POSTed to. The stream is the connection: when it ends, all is over. The address must be of the same origin, so that
 * a server cannot have our headers sent elsewhere.
 */
import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { Authorization } from '../oauth/upstream-login.ts'
import { encodeOutgoing } from './encode-outgoing.ts'
import { HandlerGate } from './handler-gate.ts'
import { BodyCollector } from './http/body-collector.ts'
import { HttpClient, type HttpExchange, type HttpSink } from './http/http-client.ts'
import {
  classifyRequestError,
  createRequestError,
  createStatusError,
  describeNetworkError,
  type HttpFailure,
  MAX_FAILURE_BODY_BYTES,
  readFailureMessage,
} from './http/http-failure.ts'
import { type HttpHeaders, isEventStream } from './http/http-headers.ts'
import { MessageStream } from './http/message-stream.ts'
import { mustArriveFirst, Outbox, type Outgoing, requestIdOf } from './http/outbox.ts'
import { type ConfiguredHeaders, describeUrl, parseRemoteTarget, type RemoteTarget } from './remote-url.ts'
import {
  type ClosedInfo,
  type CloseOptions,
  MAX_MESSAGE_BYTES,
  type TransportHandlers,
  type UpstreamTransport,
} from './transport.ts'

/** How long messages that are on their way may delay a close. */
const POST_WAIT_MS = 1000

export interface SseTransportOptions {
  readonly url: string
  readonly headers?: ConfiguredHeaders
  readonly authorization?: Authorization | undefined
  readonly maxMessageBytes?: number
}

export function createSseTransport(options: SseTransportOptions): UpstreamTransport {
  return new SseTransport(options)
}

class SseTransport implements UpstreamTransport {
  readonly kind = 'sse'
  readonly pid = undefined
  readonly noticesExit = true
  readonly #target: RemoteTarget
  readonly #maxMessageBytes: number
  readonly #authorization: Authorization | undefined
  readonly #outbox = new Outbox((outgoing) => this.#post(outgoing))
  readonly #posts = new Set<HttpExchange>()
  #gate: HandlerGate | undefined
  #client: HttpClient | undefined
  #loading: Promise<void> | undefined
  #messages: MessageStream | undefined
  #stream: HttpExchange | undefined
  #endpoint: URL | undefined
  #heldFor: JsonRpcMessage | undefined
  #closing: Promise<void> | undefined
  #hurryClose: (() => void) | undefined
  #onPosted: (() => void) | undefined

  constructor(options: SseTransportOptions) {
    this.#target = parseRemoteTarget(options.url, options.headers, ['http:', 'https:'])
    this.#maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#authorization = options.authorization
  }

  open(handlers: TransportHandlers): void {
    const gate = new HandlerGate(handlers)
    this.#gate = gate
    this.#loading = HttpClient.load(this.#target.url.origin, this.#authorization).then(
      (client) => {
        this.#client = client
        if (gate.isOpen) this.#connect(client, gate)
      },
      (error: unknown) =>
        this.#end({ reason: 'closed', message: `the HTTP client could not be loaded: ${String(error)}`, cause: error }),
    )
  }

  send(message: JsonRpcMessage): void {
    if (this.#gate?.isOpen) this.#outbox.add({ message, options: undefined })
  }

  /** Answers come on the common stream: there is nothing to close for one request. */
  abandon(id: RequestId): void {
    this.#outbox.drop(id)
  }

  setProtocol(): void {}

  close({ force = false }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#shutDown(force)
    if (force) this.#hurryClose?.()
    return this.#closing
  }

  async #shutDown(force: boolean): Promise<void> {
    this.#gate?.shut()
    this.#outbox.clear()
    if (!force) await this.#awaitPosts()
    this.#stopAll()
    await this.#loading
    await this.#client?.destroy()
  }

  /** A cancellation that was just sent must still arrive: the server would go on working for nobody. */
  #awaitPosts(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#onPosted = undefined
        resolve()
      }
      const timer = setTimeout(done, POST_WAIT_MS)
      this.#hurryClose = done
      this.#onPosted = () => {
        if (this.#posts.size === 0) done()
      }
      this.#onPosted()
    })
  }

  #connect(client: HttpClient, gate: HandlerGate): void {
    const messages = new MessageStream({
      gate,
      maxMessageBytes: this.#maxMessageBytes,
      onOtherEvent: ({ type, data }) => {
        if (type === 'endpoint') this.#onEndpoint(data)
      },
    })
    this.#messages = messages
    let failure: { status: number; headers: HttpHeaders; body: BodyCollector } | undefined
    const sink: HttpSink = {
      onHeaders: (status, headers) => {
        if (status === 200 && isEventStream(headers)) return
        failure = { status, headers, body: new BodyCollector(MAX_FAILURE_BODY_BYTES) }
      },
      onData: (chunk) => {
        if (failure === undefined) messages.push(chunk)
        else if (!failure.body.add(chunk)) this.#endRefused(failure)
      },
      onEnd: () => {
        if (failure !== undefined) this.#endRefused(failure)
        else
          this.#end({
            reason: 'closed',
            message: `${this.#target.text} ended the event stream; check the server's log`,
          })
      },
      onError: (error) => (failure === undefined ? this.#endUnreachable('GET', error) : this.#endRefused(failure)),
    }
    const headers = { ...this.#target.headers, accept: 'text/event-stream' }
    this.#stream = client.request({ method: 'GET', url: this.#target.url, headers }, sink)
  }

  #onEndpoint(data: string): void {
    if (this.#endpoint !== undefined) return
    const endpoint = URL.parse(data.trim(), this.#target.url.href)
    if (endpoint?.origin !== this.#target.url.origin) {
      const seen =
        endpoint === null ? `"${data.slice(0, 200)}", which is no URL` : `${describeUrl(endpoint)}, of another origin`
      this.#end({
        reason: 'network',
        message: `${this.#target.text} names as its address for messages ${seen}; nothing was sent there. Check \`url\`, or a proxy that hides the server's own address`,
      })
      return
    }
    this.#endpoint = endpoint
    this.#outbox.release()
  }

  #post({ message }: Outgoing): void {
    const client = this.#client
    const url = this.#endpoint
    if (client === undefined || url === undefined || this.#gate === undefined) return
    const body = encodeOutgoing(message, this.#gate)
    if (body === undefined) return
    if (mustArriveFirst(message)) {
      this.#heldFor = message
      this.#outbox.hold()
    }
    let failure: { status: number; headers: HttpHeaders; body: BodyCollector } | undefined
    let answered = false
    const done = (): void => {
      if (exchange !== undefined) this.#posts.delete(exchange)
      this.#onPosted?.()
      this.#acknowledge(message)
      if (failure !== undefined) this.#deliverFailure(message, url, failure)
    }
    const sink: HttpSink = {
      onHeaders: (status, headers) => {
        answered = true
        if (status < 200 || status > 299) failure = { status, headers, body: new BodyCollector(MAX_FAILURE_BODY_BYTES) }
        else this.#acknowledge(message)
      },
      onData: (chunk) => {
        if (failure === undefined || failure.body.add(chunk)) return
        exchange?.abort()
        done()
      },
      onEnd: done,
      onError: (error) => {
        if (!answered && classifyRequestError(error) === 'network') this.#endUnreachable('POST', error)
        else if (!answered) this.#deliverProblem(message, error)
        done()
      },
    }
    const headers = { ...this.#target.headers, 'content-type': 'application/json' }
    let exchange: HttpExchange | undefined
    exchange = client.request({ method: 'POST', url, headers, body }, sink)
    this.#posts.add(exchange)
  }

  #acknowledge(message: JsonRpcMessage): void {
    if (message !== this.#heldFor) return
    this.#heldFor = undefined
    if (this.#gate?.isOpen) this.#outbox.release()
  }

  #deliverFailure(
    message: JsonRpcMessage,
    url: URL,
    answer: { status: number; headers: HttpHeaders; body: BodyCollector },
  ): void {
    const { status, headers, body } = answer
    const failure: HttpFailure = { method: 'POST', target: describeUrl(url), url, status, headers, body: body.text() }
    const id = requestIdOf(message)
    if (id === undefined) {
      this.#gate?.onOutput('stderr', createStatusError(failure).message)
      return
    }
    const error = readFailureMessage(failure, id)
    if (error === undefined) this.#gate?.onRequestFailed(id, createStatusError(failure))
    else this.#gate?.onMessage(error)
  }

  #deliverProblem(message: JsonRpcMessage, error: Error): void {
    const problem = createRequestError('POST', this.#target.text, error)
    const id = requestIdOf(message)
    if (id === undefined) this.#gate?.onOutput('stderr', problem.message)
    else this.#gate?.onRequestFailed(id, problem)
  }

  #endRefused({ status, headers, body }: { status: number; headers: HttpHeaders; body: BodyCollector }): void {
    const { url, text } = this.#target
    const cause = createStatusError({ method: 'GET', target: text, url, status, headers, body: body.text() })
    const notStream =
      status === 200 ? `GET ${text} was not answered with an event stream; check \`url\` and \`type\`` : undefined
    this.#end({
      reason: cause.code === 'unauthorized_upstream' ? 'auth_required' : 'closed',
      message: notStream ?? cause.message,
      cause,
    })
  }

  #endUnreachable(method: string, error: Error): void {
    if (classifyRequestError(error) === 'network') {
      this.#end({ reason: 'network', message: describeNetworkError(this.#target.text, error), cause: error })
      return
    }
    const cause = createRequestError(method, this.#target.text, error)
    const reason = cause.code === 'unauthorized_upstream' ? 'auth_required' : 'network'
    this.#end({ reason, message: cause.message, cause })
  }

  #end(info: ClosedInfo): void {
    if (!this.#gate?.isOpen) return
    this.#gate.onClosed(info)
    this.#stopAll()
    void this.#client?.destroy()
  }

  #stopAll(): void {
    this.#outbox.clear()
    this.#messages?.stop()
    this.#stream?.abort()
    for (const post of this.#posts) post.abort()
    this.#posts.clear()
  }
}
