/**
 * One legacy conversation, whatever carries it: the handshake, requests under way, the server's questions to the client.
 *
 * Invariants
 * 1. Every request gets exactly one response, unless the client cancelled it or is gone.
 * 2. Progress and questions of a request travel before its response, on its stream.
 * 3. Closing cancels upstream whatever is under way, and fails every question that is still open.
 */
import { randomUUID } from 'node:crypto'
import {
  type AskRequests,
  type AskResponses,
  type Call,
  type Caller,
  createCallTimes,
  createNotification,
  createRequest,
  createSuccess,
  isJsonObject,
  isLegacyVersion,
  isRequestId,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcMessage,
  LATEST_LEGACY_VERSION,
  type LogEntry,
  type Progress,
  type ProgressToken,
  type RequestId,
} from '@switchboard/protocol'
import { fromJsonRpcError, SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { findBatchError, RESOURCE_NOT_FOUND, readInitializeParams } from '@switchboard/protocol/legacy'
import {
  type ClientCapabilities,
  type Implementation,
  LOGGING_LEVELS,
  type LoggingLevel,
} from '@switchboard/protocol/mcp'
import { isLoggingLevel } from '@switchboard/protocol/modern'
import type { CallSpan, Tracer } from '@switchboard/protocol/tracing'
import { answerBadMessage, answerWithError, createStoppingError, quoteId } from '../answer-with-error.ts'
import type { Dispatcher } from '../dispatcher.ts'
import { createCaller, type Identity } from '../identity.ts'
import {
  type Incoming,
  type IncomingBatch,
  type IncomingNotification,
  type IncomingRequest,
  type IncomingResponse,
  judgeMessage,
} from '../incoming.ts'
import type { View } from '../router/view.ts'
import { isAsSevere } from '../severity.ts'
import { toolOf } from '../tool-of.ts'
import { endSpan, openSpan } from '../trace-request.ts'
import { AwaitedNotices } from './awaited-notices.ts'
import type { Channel } from './channel.ts'
import { createInitializeResult } from './initialize-result.ts'
import { toLegacyResult } from './legacy-result.ts'

export interface LegacySessionHost {
  readonly dispatcher: Dispatcher
  readonly serverInfo: Implementation
  readonly tracer: Tracer | undefined
  onClosed(session: LegacySession): void
  setLogLevel(level: LoggingLevel): void
  onRootsChanged(caller: Caller): void
}

interface RunningRequest {
  readonly request: IncomingRequest
  readonly controller: AbortController
}

interface OpenQuestion {
  readonly relatedTo: RequestId
  resolve(answer: JsonObject): void
  reject(error: SwitchboardError): void
}

/** What a client hears that never named a level. */
export const DEFAULT_CLIENT_LEVEL: LoggingLevel = 'info'

export class LegacySession {
  readonly id: string
  readonly identity: Identity
  readonly #host: LegacySessionHost
  readonly #channel: Channel
  readonly #running = new Map<RequestId, RunningRequest>()
  readonly #questions = new Map<RequestId, OpenQuestion>()
  readonly #notices = new AwaitedNotices()
  #nextQuestion = 1
  #caller: Caller | undefined
  #version: string | undefined
  #logLevel: LoggingLevel = DEFAULT_CLIENT_LEVEL
  #initialized = false
  #refusing = false
  #closed = false

  constructor(id: string, identity: Identity, host: LegacySessionHost, channel: Channel) {
    this.id = id
    this.identity = identity
    this.#host = host
    this.#channel = channel
  }

  get version(): string | undefined {
    return this.#version
  }

  get closed(): boolean {
    return this.#closed
  }

  get inFlight(): number {
    return this.#running.size
  }

  get capabilities(): ClientCapabilities {
    return this.#caller?.capabilities ?? {}
  }

  /** As it named itself; undefined before the handshake. */
  get clientInfo(): Caller['clientInfo'] {
    return this.#caller?.clientInfo
  }

  /** Answers leave through the channel. */
  receive(incoming: Incoming): void {
    if (this.#closed) return
    switch (incoming.kind) {
      case 'request':
        void this.#onRequest(incoming)
        break
      case 'notification':
        this.#onNotification(incoming)
        break
      case 'response':
        this.#onResponse(incoming)
        break
      case 'batch':
        this.#onBatch(incoming)
        break
      case 'invalid':
        this.#channel.send(answerBadMessage('This is not a JSON-RPC message', incoming), incoming.id ?? undefined)
        break
    }
  }

  notify(method: string, params?: JsonObject): void {
    if (this.#initialized && !this.#closed) this.#channel.send(createNotification(method, params), undefined)
  }

  /** A server announced something; whether it is for this client shows in what that one was told before. */
  hear(method: string, params: JsonObject): void {
    if (this.#notices.isFor(method, params)) this.notify(method, params)
  }

  /** Nobody waits for this request any more: it is cancelled upstream and gets no answer. */
  cancel(id: RequestId, reason: string): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    const error = new SwitchboardError('cancelled', reason)
    this.#withdrawQuestions(id, error)
    running.controller.abort(error)
  }

  /** From now on requests are refused with `shutting_down`; those under way go on, and their questions are answered. */
  refuseRequests(): void {
    this.#refusing = true
  }

  /** We are the ones who end: whatever is under way is answered with the error, and cancelled upstream with it. */
  shutDown(error: SwitchboardError): void {
    if (this.#closed) return
    const view = this.#running.size === 0 ? undefined : this.#host.dispatcher.view(this.identity)
    for (const { request, controller } of [...this.#running.values()]) {
      this.#channel.send(answerWithError(error, request, { view }), request.id)
      controller.abort(error)
    }
    this.close(error.message)
  }

  /** The client is gone, or its session is over. */
  close(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    const gone = new SwitchboardError('cancelled', `The client is gone: ${reason}`)
    for (const { controller } of this.#running.values()) controller.abort(gone)
    this.#running.clear()
    for (const question of this.#questions.values()) question.reject(gone)
    this.#questions.clear()
    this.#host.onClosed(this)
  }

  #onBatch({ members }: IncomingBatch): void {
    const error = findBatchError(members)
    if (error !== undefined)
      this.#channel.send(answerBadMessage(error.message, { id: null }, { code: error.code }), undefined)
    else for (const member of members) this.receive(judgeMessage(member))
  }

  async #onRequest(request: IncomingRequest): Promise<void> {
    const { id } = request
    const answer = await this.#run(request).catch((thrown: unknown) =>
      answerWithError(toSwitchboardError(thrown), request),
    )
    if (this.#closed) return
    if (answer === undefined) this.#channel.drop?.(id)
    else this.#channel.send(answer, id)
  }

  /** Undefined: cancelled by the client, who wants no answer. */
  async #run(request: IncomingRequest): Promise<JsonRpcMessage | undefined> {
    const { id, method, params } = request
    if (this.#caller === undefined || method === 'initialize') return this.#handshake(request)
    if (method === 'ping') return createSuccess(id, {})
    if (this.#refusing) return answerWithError(createStoppingError({ executed: false }), request)
    if (method === 'logging/setLevel') return this.#setLogLevel(request)
    if (this.#running.has(id)) return answerBadMessage(`The id ${quoteId(id)} is in use`, request)
    const controller = new AbortController()
    this.#running.set(id, { request, controller })
    let view: View | undefined
    const { identity } = this
    const span = this.#openSpan(request, this.#caller)
    try {
      const { dispatcher } = this.#host
      view = dispatcher.view(identity)
      const call = this.#createCall(request, this.#caller, controller.signal, span)
      const result = await dispatcher.dispatch({ id, method, params, identity, view, call })
      endSpan(span)
      if (controller.signal.aborted) return undefined
      this.#notices.onResult(result)
      return createSuccess(id, toLegacyResult(method, result))
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      endSpan(span, error)
      if (controller.signal.aborted) return undefined
      this.#notices.onError(error)
      const code = error.code === 'unknown_resource' ? RESOURCE_NOT_FOUND : undefined
      return answerWithError(error, request, { code, view })
    } finally {
      if (this.#questions.size > 0) {
        this.#withdrawQuestions(id, new SwitchboardError('cancelled', 'The call that asked is over'))
      }
      this.#running.delete(id)
    }
  }

  #handshake(request: IncomingRequest): JsonRpcMessage {
    const { id, method, params } = request
    if (method === 'ping') return createSuccess(id, {})
    if (method !== 'initialize') return answerBadMessage(`${method} came before initialize`, request)
    if (this.#caller !== undefined) return answerBadMessage('This session is initialized already', request)
    const reading = readInitializeParams(params)
    if (!reading.ok) return answerBadMessage(reading.reason, request, { code: JSON_RPC_ERROR.invalidParams })
    const { protocolVersion, capabilities, clientInfo } = reading.params
    const version = isLegacyVersion(protocolVersion) ? protocolVersion : LATEST_LEGACY_VERSION
    try {
      const view = this.#host.dispatcher.view(this.identity)
      const result = createInitializeResult(view, version, this.#host.serverInfo)
      this.#version = version
      this.#caller = createCaller(this.identity, { session: this.id, era: 'legacy', capabilities, clientInfo })
      return createSuccess(id, result)
    } catch (thrown) {
      return answerWithError(toSwitchboardError(thrown), request)
    }
  }

  #openSpan(request: IncomingRequest, { clientInfo }: Caller): CallSpan | undefined {
    const { tracer } = this.#host
    if (tracer?.isOn !== true) return undefined
    const { id: session, identity } = this
    const version = this.#version ?? LATEST_LEGACY_VERSION
    return openSpan(tracer, request, identity, { era: 'legacy', version, session, client: clientInfo?.name })
  }

  #createCall(request: IncomingRequest, caller: Caller, signal: AbortSignal, span: CallSpan | undefined): Call {
    const { id, params, traceId, carrier } = request
    const { identity } = this
    const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined
    return {
      id: String(id),
      traceId,
      caller,
      tool: toolOf(request),
      signal,
      timeout: identity.budget,
      defaultTimeout: identity.timeout,
      progress: isRequestId(token) ? (progress) => this.#sendProgress(progress, token, id) : undefined,
      log: (entry) => this.#sendLog(entry, id),
      logLevel: this.#logLevel,
      ask: (requests, options) => this.#ask(requests, id, options?.signal),
      times: createCallTimes(),
      span,
      carrier,
    }
  }

  #sendProgress(progress: Progress, progressToken: ProgressToken, id: RequestId): void {
    this.#sendRelated(createNotification('notifications/progress', { ...progress, progressToken }), id)
  }

  #sendRelated(message: JsonRpcMessage, id: RequestId): void {
    if (!this.#closed && this.#running.has(id)) this.#channel.send(message, id)
  }

  #sendLog(entry: LogEntry, id: RequestId): void {
    if (!isAsSevere(entry.level, this.#logLevel)) return
    this.#sendRelated(createNotification('notifications/message', { ...entry }), id)
  }

  /** A modern server's questions, or a legacy one's, as requests to this client. */
  async #ask(requests: AskRequests, relatedTo: RequestId, signal?: AbortSignal): Promise<AskResponses> {
    const first = this.#nextQuestion
    const asked = Object.entries(requests).map(
      async ([key, { method, params }]) => [key, await this.#askOne(method, params, relatedTo)] as const,
    )
    const ids = asked.map((_, index) => `sb-${first + index}`)
    const onTakenBack = (): void => {
      for (const id of ids) this.#withdraw(id, toSwitchboardError(signal?.reason))
    }
    signal?.addEventListener('abort', onTakenBack)
    try {
      return Object.fromEntries(await Promise.all(asked))
    } finally {
      signal?.removeEventListener('abort', onTakenBack)
    }
  }

  #askOne(method: string, params: JsonObject | undefined, relatedTo: RequestId): Promise<JsonObject> {
    if (this.#closed) return Promise.reject(new SwitchboardError('cancelled', 'The client is gone'))
    const id = `sb-${this.#nextQuestion++}`
    const question = toLegacyQuestion(method, params ?? {})
    this.#notices.onQuestion(method, question)
    return new Promise((resolve, reject) => {
      this.#questions.set(id, { relatedTo, resolve, reject })
      this.#channel.send(createRequest(id, method, question), relatedTo)
    })
  }

  /** Nobody wants these answers any more; the client is told, so that it need not bother its person. */
  #withdrawQuestions(relatedTo: RequestId, error: SwitchboardError): void {
    for (const [id, question] of this.#questions) if (question.relatedTo === relatedTo) this.#withdraw(id, error)
  }

  #withdraw(id: RequestId, error: SwitchboardError): void {
    const question = this.#questions.get(id)
    if (question === undefined) return
    this.#questions.delete(id)
    question.reject(error)
    const params = { requestId: id, reason: error.message }
    this.#channel.send(createNotification('notifications/cancelled', params), question.relatedTo)
  }

  #onResponse({ id, result, error }: IncomingResponse): void {
    // Checked by nobody: whatever it is, it names an open question or none.
    const question = this.#questions.get(id as RequestId)
    if (question === undefined) return
    this.#questions.delete(id as RequestId)
    if (isJsonObject(result)) question.resolve(result)
    else question.reject(fromJsonRpcError(error))
  }

  #onNotification({ method, params }: IncomingNotification): void {
    if (method === 'notifications/cancelled') {
      const reason = typeof params.reason === 'string' ? `: ${params.reason}` : ''
      this.cancel(params.requestId as RequestId, `The client cancelled the call${reason}`)
    } else if (method === 'notifications/initialized' && this.#caller !== undefined && !this.#initialized) {
      this.#initialized = true
    } else if (method === 'notifications/roots/list_changed' && this.#caller !== undefined) {
      this.#host.onRootsChanged(this.#caller)
    }
  }

  #setLogLevel(request: IncomingRequest): JsonRpcMessage {
    const { id, params } = request
    if (!isLoggingLevel(params.level)) {
      const message = `level must be one of ${LOGGING_LEVELS.join(', ')}`
      return answerBadMessage(message, request, { code: JSON_RPC_ERROR.invalidParams })
    }
    this.#logLevel = params.level
    this.#host.setLogLevel(params.level)
    return createSuccess(id, {})
  }
}

/** A visit to a URL has an id in this era, which a modern server does not give it. */
function toLegacyQuestion(method: string, params: JsonObject): JsonObject {
  const isVisit = method === 'elicitation/create' && params.mode === 'url' && params.elicitationId === undefined
  return isVisit ? { ...params, elicitationId: randomUUID() } : params
}
