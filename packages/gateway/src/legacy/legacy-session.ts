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
  type Caller,
  type ClientCapabilities,
  classifyMessage,
  createFailure,
  createNotification,
  createRequest,
  createSuccess,
  findBatchError,
  fromJsonRpcError,
  type Implementation,
  isBatch,
  isJsonObject,
  isLegacyVersion,
  isLoggingLevel,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  LATEST_LEGACY_VERSION,
  LOGGING_LEVELS,
  type LogEntry,
  type LoggingLevel,
  type Progress,
  type RequestId,
  readInitializeParams,
  SwitchboardError,
  toJsonRpcError,
  toSwitchboardError,
} from '@switchboard/protocol'
import { createBadMessageError } from '../bad-message.ts'
import type { Dispatcher, RequestContext } from '../dispatcher.ts'
import type { Identity } from '../identity.ts'
import { AwaitedNotices } from './awaited-notices.ts'
import type { Channel } from './channel.ts'
import { createInitializeResult } from './initialize-result.ts'
import { toLegacyResult } from './legacy-result.ts'

export interface LegacySessionHost {
  readonly dispatcher: Dispatcher
  readonly serverInfo: Implementation
  onClosed(session: LegacySession): void
  setLogLevel(level: LoggingLevel): void
  onRootsChanged(caller: Caller): void
}

interface Question {
  readonly relatedTo: RequestId
  resolve(answer: JsonObject): void
  reject(error: SwitchboardError): void
}

/** What a client hears that never named a level. */
export const DEFAULT_LOG_LEVEL: LoggingLevel = 'info'

const NO_PARAMS: JsonObject = Object.freeze({})

export class LegacySession {
  readonly id: string
  readonly identity: Identity
  readonly #host: LegacySessionHost
  readonly #channel: Channel
  readonly #running = new Map<RequestId, AbortController>()
  readonly #questions = new Map<RequestId, Question>()
  readonly #notices = new AwaitedNotices()
  #nextQuestion = 1
  #caller: Caller | undefined
  #version: string | undefined
  #logLevel: LoggingLevel = DEFAULT_LOG_LEVEL
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

  /** One parsed message, or a batch. Answers leave through the channel. */
  receive(message: unknown): void {
    if (this.#closed) return
    if (isBatch(message)) {
      const error = findBatchError(message)
      if (error !== undefined) this.#channel.send(refuse(null, error.message, error.code), undefined)
      else for (const one of message) this.#receiveOne(one)
    } else this.#receiveOne(message)
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
    const controller = this.#running.get(id)
    if (controller === undefined) return
    const error = new SwitchboardError('cancelled', reason)
    this.#withdrawQuestions(id, error)
    controller.abort(error)
  }

  /** From now on requests are refused with `shutting_down`; those under way go on, and their questions are answered. */
  refuseRequests(): void {
    this.#refusing = true
  }

  /** We are the ones who end: whatever is under way is answered with the error, and cancelled upstream with it. */
  shutDown(error: SwitchboardError): void {
    if (this.#closed) return
    const rpc = toJsonRpcError(error)
    for (const [id, controller] of [...this.#running]) {
      this.#channel.send(createFailure(id, rpc), id)
      controller.abort(error)
    }
    this.close(error.message)
  }

  /** The client is gone, or its session is over. */
  close(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    const gone = new SwitchboardError('cancelled', `The client is gone: ${reason}`)
    for (const controller of this.#running.values()) controller.abort(gone)
    this.#running.clear()
    for (const question of this.#questions.values()) question.reject(gone)
    this.#questions.clear()
    this.#host.onClosed(this)
  }

  #receiveOne(message: unknown): void {
    const kind = classifyMessage(message)
    if (kind === 'request') void this.#onRequest(message as JsonRpcRequest)
    else if (kind === 'notification') this.#onNotification(message as { method: string; params?: JsonObject })
    else if (kind === 'response') this.#onResponse(message as JsonObject)
    else {
      const id =
        isJsonObject(message) && (typeof message.id === 'string' || typeof message.id === 'number') ? message.id : null
      this.#channel.send(refuse(id, 'This is not a JSON-RPC message'), id ?? undefined)
    }
  }

  async #onRequest(request: JsonRpcRequest): Promise<void> {
    const { id, method } = request
    const params = isJsonObject(request.params) ? request.params : NO_PARAMS
    const answer = await this.#run(id, method, params)
    if (this.#closed) return
    if (answer === undefined) this.#channel.drop?.(id)
    else this.#channel.send(answer, id)
  }

  /** Undefined: cancelled by the client, who wants no answer. */
  async #run(id: RequestId, method: string, params: JsonObject): Promise<JsonRpcMessage | undefined> {
    if (this.#caller === undefined || method === 'initialize') return this.#handshake(id, method, params)
    if (method === 'ping') return createSuccess(id, {})
    if (this.#refusing) {
      const error = new SwitchboardError('shutting_down', 'Switchboard is stopping', { executed: false })
      return createFailure(id, toJsonRpcError(error, { requestId: id }))
    }
    if (method === 'logging/setLevel') return this.#setLogLevel(id, params)
    if (this.#running.has(id)) return refuse(id, `The id ${JSON.stringify(id)} is in use`)
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await this.#host.dispatcher.dispatch(
        method,
        params,
        this.#createContext(id, params, controller.signal),
      )
      if (controller.signal.aborted) return undefined
      this.#notices.onResult(result)
      return createSuccess(id, toLegacyResult(method, result))
    } catch (thrown) {
      if (controller.signal.aborted) return undefined
      const error = toSwitchboardError(thrown)
      this.#notices.onError(error)
      return createFailure(id, toJsonRpcError(error, { requestId: id }))
    } finally {
      if (this.#questions.size > 0) {
        this.#withdrawQuestions(id, new SwitchboardError('cancelled', 'The call that asked is over'))
      }
      this.#running.delete(id)
    }
  }

  #handshake(id: RequestId, method: string, params: JsonObject): JsonRpcMessage {
    if (method === 'ping') return createSuccess(id, {})
    if (method !== 'initialize') return refuse(id, `${method} came before initialize`)
    if (this.#caller !== undefined) return refuse(id, 'This session is initialized already')
    const reading = readInitializeParams(params)
    if (!reading.ok) return refuse(id, reading.reason, JSON_RPC_ERROR.invalidParams)
    const { protocolVersion, capabilities, clientInfo } = reading.params
    const version = isLegacyVersion(protocolVersion) ? protocolVersion : LATEST_LEGACY_VERSION
    try {
      const view = this.#host.dispatcher.view(this.identity)
      const result = createInitializeResult(view, version, this.#host.serverInfo)
      this.#version = version
      this.#caller = {
        ...(this.identity.instance === undefined ? {} : { instance: this.identity.instance }),
        session: this.id,
        ...(this.identity.isUnrestricted === true ? {} : { profile: this.identity.profile }),
        ...(this.identity.workspace === undefined ? {} : { workspace: this.identity.workspace }),
        era: 'legacy',
        capabilities,
        clientInfo,
      }
      return createSuccess(id, result)
    } catch (thrown) {
      return createFailure(id, toJsonRpcError(toSwitchboardError(thrown), { requestId: id }))
    }
  }

  #createContext(id: RequestId, params: JsonObject, signal: AbortSignal): RequestContext {
    const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined
    const wantsProgress = typeof token === 'string' || typeof token === 'number'
    return {
      identity: this.identity,
      caller: this.#caller as Caller,
      requestId: id,
      signal,
      ...(wantsProgress
        ? {
            progress: (progress: Progress) =>
              this.#sendRelated(
                createNotification('notifications/progress', { ...progress, progressToken: token }),
                id,
              ),
          }
        : {}),
      log: (entry) => this.#sendLog(entry, id),
      logLevel: this.#logLevel,
      ask: (requests, options) => this.#ask(requests, id, options?.signal),
    }
  }

  #sendRelated(message: JsonRpcMessage, id: RequestId): void {
    if (!this.#closed && this.#running.has(id)) this.#channel.send(message, id)
  }

  #sendLog(entry: LogEntry, id: RequestId): void {
    if (severity(entry.level) < severity(this.#logLevel)) return
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

  #onResponse(message: JsonObject): void {
    const question = this.#questions.get(message.id as RequestId)
    if (question === undefined) return
    this.#questions.delete(message.id as RequestId)
    if (isJsonObject(message.result)) question.resolve(message.result)
    else question.reject(fromJsonRpcError(message.error))
  }

  #onNotification({ method, params }: { method: string; params?: JsonObject }): void {
    if (method === 'notifications/cancelled') {
      const id = params?.requestId as RequestId
      const reason = typeof params?.reason === 'string' ? `: ${params.reason}` : ''
      this.cancel(id, `The client cancelled the call${reason}`)
    } else if (method === 'notifications/initialized' && this.#caller !== undefined && !this.#initialized) {
      this.#initialized = true
    } else if (method === 'notifications/roots/list_changed' && this.#caller !== undefined) {
      this.#host.onRootsChanged(this.#caller)
    }
  }

  #setLogLevel(id: RequestId, params: JsonObject): JsonRpcMessage {
    if (!isLoggingLevel(params.level)) {
      const message = `level must be one of ${LOGGING_LEVELS.join(', ')}`
      return refuse(id, message, JSON_RPC_ERROR.invalidParams)
    }
    this.#logLevel = params.level
    this.#host.setLogLevel(params.level)
    return createSuccess(id, {})
  }
}

function refuse(id: RequestId | null, message: string, code: number = JSON_RPC_ERROR.invalidRequest): JsonRpcMessage {
  return createFailure(id, createBadMessageError({ code, message, id }))
}

/** A visit to a URL has an id in this era, which a modern server does not give it. */
function toLegacyQuestion(method: string, params: JsonObject): JsonObject {
  const isVisit = method === 'elicitation/create' && params.mode === 'url' && params.elicitationId === undefined
  return isVisit ? { ...params, elicitationId: randomUUID() } : params
}

function severity(level: string): number {
  return (LOGGING_LEVELS as readonly string[]).indexOf(level)
}
