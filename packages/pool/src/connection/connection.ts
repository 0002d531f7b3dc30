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
import {
  type Call,
  classifyMessage,
  createFailure,
  createModernHeaders,
  createNotification,
  createRequest,
  createSuccess,
  createTraceparent,
  type Era,
  fromJsonRpcError,
  isJsonObject,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type Progress,
  type RequestId,
  SwitchboardError,
  type Tool,
} from '@switchboard/protocol'
import type { Clock } from '../clock.ts'
import type { ClosedInfo, CloseOptions, UpstreamTransport } from '../transport/transport.ts'
import type { EnvelopeFactory } from './envelopes.ts'
import { createAbortError, type PendingRequest, PendingRequests, type RequestOptions } from './pending-requests.ts'
import { QuestionAttribution } from './question-origin.ts'

export interface ConnectionHandlers {
  onNotification(notification: JsonRpcNotification, call: Call | undefined): void
  /** A server's request to its client. `ask` answers; it throws a SwitchboardError to decline. */
  onQuestion(
    request: JsonRpcRequest,
    origin: ReturnType<QuestionAttribution['attribute']>,
    signal: AbortSignal,
  ): Promise<JsonObject>
  onOutput(stream: 'stdout' | 'stderr', line: string): void
  onClosed(info: ClosedInfo): void
}

export interface ConnectionCounters {
  /** Replies to nobody: unknown or already answered ids. */
  droppedReplies: number
  /** Replies that came after their caller had gone. */
  lateReplies: number
  /** Lines and messages that are not the protocol. */
  strayOutput: number
  oversized: number
}

export interface SendRequestOptions extends RequestOptions {
  /** As the server lists it: modern HTTP repeats some arguments as headers. */
  readonly tool?: Tool | undefined
}

export class Connection {
  readonly transport: UpstreamTransport
  readonly counters: ConnectionCounters = { droppedReplies: 0, lateReplies: 0, strayOutput: 0, oversized: 0 }
  readonly #handlers: ConnectionHandlers
  readonly #envelopes: EnvelopeFactory
  readonly #pending: PendingRequests
  readonly #attribution: QuestionAttribution
  /** Of the server, and not answered yet. */
  readonly #questions = new Map<RequestId, AbortController>()
  #era: Era = 'legacy'
  #version = ''
  #nextId = 1
  #closed: ClosedInfo | undefined

  constructor(transport: UpstreamTransport, clock: Clock, envelopes: EnvelopeFactory, handlers: ConnectionHandlers) {
    this.transport = transport
    this.#handlers = handlers
    this.#envelopes = envelopes
    this.#pending = new PendingRequests(clock, (request, error) => this.#cancelUpstream(request, error))
    this.#attribution = new QuestionAttribution(clock, this.#pending)
  }

  get era(): Era {
    return this.#era
  }

  get version(): string {
    return this.#version
  }

  get inFlight(): number {
    return this.#pending.size
  }

  open(): void {
    this.transport.open({
      onMessage: (message, origin) => this.#onMessage(message, origin),
      onOutput: (stream, line) => {
        if (stream === 'stdout') this.counters.strayOutput++
        this.#handlers.onOutput(stream, line)
      },
      onOversized: (id, bytes) => this.#onOversized(id, bytes),
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

  request(method: string, params: JsonObject | undefined, options: SendRequestOptions): Promise<JsonObject> {
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
  failAll(createError: (request: PendingRequest) => SwitchboardError): void {
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
    options: SendRequestOptions,
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
    const headers =
      era === 'modern' && this.transport.kind === 'http'
        ? { headers: createModernHeaders({ method, params: sent, version, tool: options.tool }) }
        : undefined
    this.transport.send(createRequest(id, method, sent), headers)
    this.#pending.watch(id)
    return answer
  }

  #createMeta(
    era: Era,
    version: string,
    id: RequestId,
    own: unknown,
    { progress, call }: SendRequestOptions,
  ): JsonObject | undefined {
    if (era === 'legacy' && progress === undefined && call === undefined) return undefined
    const meta: JsonObject = isJsonObject(own) ? { ...own } : {}
    if (era === 'modern') Object.assign(meta, this.#envelopes.create(version, call))
    // The caller's own token means nothing here; ours is unique on this connection.
    if (progress !== undefined) meta.progressToken = id
    else delete meta.progressToken
    if (call !== undefined && meta.traceparent === undefined) meta.traceparent = createTraceparent(call.traceId)
    return meta
  }

  #headersFor(method: string, params: JsonObject | undefined): { headers: Record<string, string> } | undefined {
    if (this.#era === 'legacy' || this.transport.kind !== 'http') return undefined
    return { headers: createModernHeaders({ method, params, version: this.#version }) }
  }

  #onMessage(message: unknown, origin: RequestId | undefined): void {
    if (this.#closed !== undefined) return
    const kind = classifyMessage(message)
    if (kind === 'invalid' || !isJsonObject(message)) {
      this.counters.strayOutput++
      this.#handlers.onOutput('stdout', JSON.stringify(message))
    } else if (kind === 'response') this.#onResponse(message, origin)
    else if (kind === 'notification') this.#onNotification(message as unknown as JsonRpcNotification, origin)
    else void this.#onQuestion(message as unknown as JsonRpcRequest, origin)
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
    if (isJsonObject(message.result)) request.resolve(message.result)
    else request.reject(fromJsonRpcError(message.error))
  }

  #onNotification(notification: JsonRpcNotification, origin: RequestId | undefined): void {
    const { method, params } = notification
    if (method === 'notifications/progress') {
      const token = params?.progressToken
      if (typeof token === 'number' || typeof token === 'string') {
        this.#pending.get(token)?.progress?.(params as unknown as Progress)
      }
      return
    }
    if (method === 'notifications/cancelled') {
      // Checked by nobody: whatever it is, it names an open question or none.
      this.#questions.get(params?.requestId as RequestId)?.abort(createWithdrawnError(params?.reason))
      return
    }
    const belongsTo = this.#attribution.attribute(origin)
    this.#handlers.onNotification(notification, belongsTo.known ? belongsTo.request.call : undefined)
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
      const result = await this.#handlers.onQuestion(request, this.#attribution.attribute(origin), signal)
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

  #onOversized(id: RequestId | undefined, bytes: number): void {
    this.counters.oversized++
    const error = new SwitchboardError('message_too_large', `The answer was too large to accept (${bytes} bytes)`, {
      details: { bytes },
    })
    if (id !== undefined) {
      this.#pending.take(id)?.reject(error)
      return
    }
    // Nobody can be named. With one call in flight it can only be that one.
    const [only, other] = this.#pending.ofCallers()
    if (only !== undefined && other === undefined) this.#pending.take(only.id)?.reject(error)
  }

  #cancelUpstream(request: PendingRequest, error: SwitchboardError): void {
    if (this.#closed !== undefined) return
    if (request.call !== undefined) this.#attribution.addGhost(request.id)
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

function createWithdrawnError(reason: unknown): SwitchboardError {
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return new SwitchboardError('cancelled', `The server took its question back${why}`)
}

export function createLostError(request: PendingRequest, why: string): SwitchboardError {
  return new SwitchboardError('server_exited', `Lost during ${request.method}: ${why}`, {
    executed: request.call === undefined ? false : 'unknown',
  })
}

function readUpstreamRpcError(error: SwitchboardError): { code: number; message: string; data?: unknown } | undefined {
  const rpc = error.details.rpc
  if (!isJsonObject(rpc) || typeof rpc.code !== 'number' || typeof rpc.message !== 'string') return undefined
  return { code: rpc.code, message: rpc.message, ...(rpc.data === undefined ? {} : { data: rpc.data }) }
}
