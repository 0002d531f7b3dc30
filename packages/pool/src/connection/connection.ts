/**
 * One live conversation with one server: matches answers to requests by id, progress by token, cancels upstream what
 * nobody waits for any more, and answers the server's own questions. It knows both eras' wire manners, and nothing of
 * restarts.
 *
 * Invariants
 * 1. Every request settles exactly once, at the latest when the connection ends.
 * 2. Progress is delivered while reading, so it always comes before the result it belongs to.
 * 3. A reply that nobody waits for is dropped and counted; it disturbs nothing.
 * 4. A question is passed on only to the one call it can belong to.
 */
import type { Clock } from '@switchboard/base'
import {
  type Call,
  classifyMessage,
  createFailure,
  createNotification,
  createRequest,
  createSuccess,
  type Era,
  isJsonObject,
  isRequestId,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type Progress,
  type RequestId,
} from '@switchboard/protocol'
import { fromJsonRpcError, readUpstreamRpcError, SwitchboardError } from '@switchboard/protocol/errors'
import { MAX_JSON_DEPTH, stringifyJson } from '@switchboard/protocol/framing'
import { createModernHeaders } from '@switchboard/protocol/modern'
import type { ClosedInfo, CloseOptions, UpstreamTransport } from '../transport/transport.ts'
import { MAX_OWN_ANSWER_BYTES } from './catalog-bounds.ts'
import type { EnvelopeFactory } from './envelopes.ts'
import { type AskedQuestion, QuestionAttribution } from './question-origin.ts'
import {
  createAbortError,
  createServerRequests,
  listCallerRequests,
  type RequestOptions,
  type ServerRequest,
  type ServerRequests,
} from './server-requests.ts'
import { createTraceHeaders, describeRequest, putTrace } from './trace-headers.ts'

export interface ConnectionHandlers {
  onNotification(notification: JsonRpcNotification, call: Call | undefined): void
  /** A server's request to its client. `ask` answers; it throws a SwitchboardError to decline. */
  onQuestion(request: JsonRpcRequest, question: AskedQuestion, signal: AbortSignal): Promise<JsonObject>
  onOutput(stream: 'stdout' | 'stderr', line: string): void
  /** A message was thrown away unread, for its size or depth. */
  onRefused(error: SwitchboardError): void
  /** A throw of our own while a message was taken in. */
  onBug(thrown: unknown): void
  onClosed(info: ClosedInfo): void
}

export interface ConnectionCounters {
  /** Replies to nobody: unknown or already answered ids. */
  droppedReplies: number
  /** Replies that came after their caller had gone. */
  lateReplies: number
  /** Lines and messages that are not the protocol. */
  strayOutput: number
  /** Too large, or nested too deeply. */
  oversized: number
}

/** Of what a server sent, in a message about it. */
const MAX_QUOTED = 100

export class Connection {
  readonly transport: UpstreamTransport
  readonly counters: ConnectionCounters = { droppedReplies: 0, lateReplies: 0, strayOutput: 0, oversized: 0 }
  readonly #clock: Clock
  readonly #handlers: ConnectionHandlers
  readonly #envelopes: EnvelopeFactory
  readonly #pending: ServerRequests
  readonly #attribution: QuestionAttribution
  /** Of the server, and not answered yet. */
  readonly #questions = new Map<RequestId, AbortController>()
  #era: Era = 'legacy'
  #version = ''
  #nextId = 1
  #closed: ClosedInfo | undefined

  constructor(transport: UpstreamTransport, clock: Clock, envelopes: EnvelopeFactory, handlers: ConnectionHandlers) {
    this.transport = transport
    this.#clock = clock
    this.#handlers = handlers
    this.#envelopes = envelopes
    this.#pending = createServerRequests(clock, {
      onAbandoned: (request, error) => this.#cancelUpstream(request, error),
      onReleased: ({ id }) => this.#attribution.onReleased(id),
    })
    this.#attribution = new QuestionAttribution(clock, this.#pending)
  }

  get era(): Era {
    return this.#era
  }

  get version(): string {
    return this.#version
  }

  /** Of the clock that budgets are counted by. */
  now(): number {
    return this.#clock.now()
  }

  get inFlight(): number {
    return this.#pending.size
  }

  open(): void {
    this.transport.open({
      onMessage: (message, origin) => this.#receive(message, origin),
      onOutput: (stream, line) => {
        if (stream === 'stdout') this.counters.strayOutput++
        this.#handlers.onOutput(stream, line)
      },
      onOversized: (id, bytes) => this.#onOversized(id, bytes),
      onTooDeep: (id) => this.#onTooDeep(id),
      isTooLarge: (id, bytes) => this.#isTooLarge(id, bytes),
      onRequestFailed: (id, error) => this.#pending.take(id)?.reject(error),
      onClosed: (info) => this.#onClosed(info),
    })
  }

  /** From here on every request follows that era. */
  setProtocol(era: Era, version: string): void {
    this.#era = era
    this.#version = version
    this.transport.setProtocol(era, version)
  }

  request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject> {
    return this.#send(this.#era, this.#version, method, params, options)
  }

  /** A request of a given era before the connection has settled on one: what finds the era out. */
  probeRequest(era: Era, version: string, method: string, params: JsonObject, timeout: number): Promise<JsonObject> {
    return this.#send(era, version, method, params, { timeout })
  }

  notify(method: string, params?: JsonObject): void {
    if (this.#closed === undefined)
      this.transport.send(createNotification(method, params), this.#headersFor(method, params))
  }

  pauseBudget(id: RequestId): void {
    this.#pending.pauseBudget(id)
  }

  resumeBudget(id: RequestId): void {
    this.#pending.resumeBudget(id)
  }

  /** Fails what is in flight; the transport stays to be closed by its owner. */
  failAll(createError: (request: ServerRequest) => SwitchboardError): void {
    this.#pending.failAll(createError)
  }

  async close(options?: CloseOptions): Promise<void> {
    this.#closed ??= { reason: 'closed', message: 'the connection was closed by us' }
    const isStop = options?.manner !== 'restart'
    this.#pending.failAll((request) =>
      isStop
        ? new SwitchboardError('shutting_down', `Lost during ${request.method}: the server is being stopped`)
        : createLostError(request, 'the connection was closed'),
    )
    await this.transport.close(options)
  }

  #send(
    era: Era,
    version: string,
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<JsonObject> {
    if (this.#closed !== undefined) {
      const error = new SwitchboardError('server_exited', this.#closed.message, { executed: false })
      return Promise.reject(error)
    }
    // The caller may have gone while the call waited for its turn: then it is not sent at all.
    if (options.signal?.aborted) {
      const error = createAbortError(options.signal.reason)
      return Promise.reject(new SwitchboardError(error.code, error.message, { executed: false, cause: error }))
    }
    const id = this.#nextId++
    const meta = this.#createMeta(era, version, id, params?._meta, options)
    const sent = meta === undefined ? params : { ...params, _meta: meta }
    const answer = this.#pending.add(id, method, options)
    const { tool, span } = options
    const isHttp = this.transport.kind === 'http'
    const modern = era === 'modern' && isHttp ? createModernHeaders({ method, params: sent, version, tool }) : undefined
    if (span !== undefined) describeRequest(span, { id, version, transport: this.transport.kind })
    const headers = span !== undefined && isHttp ? { ...modern, ...createTraceHeaders(span) } : modern
    this.transport.send(createRequest(id, method, sent), headers === undefined ? undefined : { headers })
    this.#pending.watch(id)
    return answer
  }

  #createMeta(
    era: Era,
    version: string,
    id: RequestId,
    own: unknown,
    { progress, call, span = call?.span }: RequestOptions,
  ): JsonObject | undefined {
    if (era === 'legacy' && progress === undefined && call === undefined) return undefined
    const meta: JsonObject = isJsonObject(own) ? { ...own } : {}
    if (era === 'modern') Object.assign(meta, this.#envelopes.create(version, call))
    // The caller's own token means nothing here; ours is unique on this connection.
    if (progress !== undefined) meta.progressToken = id
    else delete meta.progressToken
    if (call !== undefined) putTrace(meta, call, span)
    return meta
  }

  #headersFor(method: string, params: JsonObject | undefined): { headers: Record<string, string> } | undefined {
    if (this.#era === 'legacy' || this.transport.kind !== 'http') return undefined
    return { headers: createModernHeaders({ method, params, version: this.#version }) }
  }

  /** Whatever goes wrong with one message is the loss of that message: the next one may be another caller's answer. */
  #receive(message: unknown, origin: RequestId | undefined): void {
    if (this.#closed !== undefined) return
    try {
      this.#onMessage(message, origin)
    } catch (thrown) {
      this.#handlers.onBug(thrown)
      const id = isJsonObject(message) && message.method === undefined ? (message.id as RequestId) : undefined
      const why = 'Switchboard failed to take in the answer'
      if (id !== undefined) this.#pending.take(id)?.reject(new SwitchboardError('internal', why, { cause: thrown }))
    }
  }

  #onMessage(message: unknown, origin: RequestId | undefined): void {
    const kind = classifyMessage(message)
    if (kind === 'invalid' && this.#isEmptyAnswer(message)) this.#onResponse(message, origin)
    else if (kind === 'invalid' || !isJsonObject(message)) {
      this.counters.strayOutput++
      this.#handlers.onOutput('stdout', stringifyJson(message))
    } else if (kind === 'response') this.#onResponse(message, origin)
    else {
      // What follows reads members of it.
      const sound = message.params === undefined || isJsonObject(message.params) ? message : { ...message, params: {} }
      if (kind === 'notification') this.#onNotification(sound as unknown as JsonRpcNotification, origin)
      else this.#onQuestion(sound as unknown as JsonRpcRequest, origin).catch((thrown) => this.#handlers.onBug(thrown))
    }
  }

  /** An id of ours, and nothing else: whoever waits for it need not wait any longer. */
  #isEmptyAnswer(message: unknown): message is JsonObject {
    if (!isJsonObject(message) || message.method !== undefined || !isRequestId(message.id)) return false
    return this.#pending.get(message.id) !== undefined
  }

  #onResponse(message: JsonObject, origin: RequestId | undefined): void {
    // An error about a request too broken to have an id names none; the stream it came on does.
    const id = (message.id ?? origin) as RequestId | undefined
    const request = id === undefined ? undefined : this.#pending.take(id)
    if (request === undefined) {
      if (id !== undefined && this.#attribution.removeGhost(id)) this.counters.lateReplies++
      else this.counters.droppedReplies++
      return
    }
    const { result, error } = message
    if (isJsonObject(result)) request.resolve(result)
    else request.reject(isAbsent(error) ? createBadResultError(request, result) : fromJsonRpcError(error))
  }

  #onNotification(notification: JsonRpcNotification, origin: RequestId | undefined): void {
    const { method, params } = notification
    if (method === 'notifications/progress') {
      const token = params?.progressToken
      if (typeof token === 'number' || typeof token === 'string') {
        this.#pending.get(token)?.options.progress?.(params as unknown as Progress)
      }
      return
    }
    if (method === 'notifications/cancelled') {
      // Checked by nobody: whatever it is, it names an open question or none.
      this.#questions.get(params?.requestId as RequestId)?.abort(createWithdrawnError(params?.reason))
      return
    }
    const belongsTo = this.#attribution.attribute(origin)
    // Of several calls of one agent, the last: it hears of it in any case.
    this.#handlers.onNotification(notification, belongsTo.known ? belongsTo.requests.at(-1)?.options.call : undefined)
  }

  async #onQuestion(request: JsonRpcRequest, origin: RequestId | undefined): Promise<void> {
    if (request.method === 'ping') {
      this.transport.send(createSuccess(request.id, {}))
      return
    }
    const taken = new AbortController()
    const { signal } = taken
    this.#questions.set(request.id, taken)
    try {
      const result = await this.#handlers.onQuestion(request, this.#attribution.open(origin), signal)
      if (this.#closed === undefined && !signal.aborted) this.transport.send(createSuccess(request.id, result))
    } catch (thrown) {
      if (this.#closed !== undefined || signal.aborted) return
      const error = thrown instanceof SwitchboardError ? thrown : new SwitchboardError('internal', String(thrown))
      const rpc = readUpstreamRpcError(error) ?? {
        code: error.rpcCode,
        message: error.message,
        data: { code: error.code, hint: error.hint },
      }
      this.transport.send(createFailure(request.id, rpc))
    } finally {
      if (this.#questions.get(request.id) === taken) this.#questions.delete(request.id)
    }
  }

  #onOversized(id: RequestId | null | undefined, bytes: number): void {
    this.#refuse(
      id,
      new SwitchboardError('message_too_large', `The answer was too large to accept (${bytes} bytes)`, {
        details: { bytes },
      }),
    )
  }

  /** What no caller waits for has a narrow bound: to parse it would keep everybody waiting. */
  #isTooLarge(id: RequestId | null | undefined, bytes: number): boolean {
    if (bytes <= MAX_OWN_ANSWER_BYTES || id === undefined) return false
    return id === null || this.#pending.get(id)?.options.call === undefined
  }

  #onTooDeep(id: RequestId | null | undefined): void {
    const message = `The answer was nested too deeply to accept (more than ${MAX_JSON_DEPTH} levels)`
    this.#refuse(id, new SwitchboardError('message_too_deep', message, { details: { maxDepth: MAX_JSON_DEPTH } }))
  }

  /** A message that was thrown away unread. */
  #refuse(id: RequestId | null | undefined, error: SwitchboardError): void {
    this.counters.oversized++
    this.#handlers.onRefused(error)
    if (id === null) return
    if (id !== undefined) {
      this.#pending.take(id)?.reject(error)
      return
    }
    // Nobody can be named. With one call in flight it can only be that one.
    const [only, other] = listCallerRequests(this.#pending)
    if (only !== undefined && other === undefined) this.#pending.take(only.id)?.reject(error)
  }

  #cancelUpstream(request: ServerRequest, error: Error): void {
    if (this.#closed !== undefined) return
    if (request.options.call !== undefined) this.#attribution.addGhost(request)
    // initialize must not be cancelled; the connection is given up instead.
    if (request.method === 'initialize') return
    if (this.#era === 'legacy' || this.transport.kind !== 'http') {
      this.transport.send(
        createNotification('notifications/cancelled', { requestId: request.id, reason: error.message }),
      )
    }
    this.transport.abandon(request.id)
  }

  #onClosed(info: ClosedInfo): void {
    if (this.#closed !== undefined) return
    this.#closed = info
    // The owner decides what an end means before the calls hear of it.
    this.#handlers.onClosed(info)
    this.#pending.failAll((request) => createLostError(request, info.message))
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function createBadResultError({ method }: ServerRequest, result: unknown): SwitchboardError {
  const seen = result === undefined ? 'neither a result nor an error' : `a result that is no object: ${quote(result)}`
  return new SwitchboardError('bad_response', `The server answered ${method} with ${seen}`)
}

function quote(value: unknown): string {
  const text = stringifyJson(value)
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

function createWithdrawnError(reason: unknown): SwitchboardError {
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return new SwitchboardError('cancelled', `The server took its question back${why}`)
}

export function createLostError(request: ServerRequest, why: string): SwitchboardError {
  return new SwitchboardError('server_exited', `Lost during ${request.method}: ${why}`, {
    executed: request.options.call === undefined ? false : 'unknown',
  })
}
