/**
 * Requests of the modern era, each complete in itself: its method is one we know, its call is made, and it is answered.
 * Nothing is remembered of the connection it came by.
 */
import {
  type Call,
  type Caller,
  createCallTimes,
  createNotification,
  createSuccess,
  isJsonObject,
  isRequestId,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcResponse,
  type LogEntry,
  MODERN_VERSIONS,
  type Progress,
} from '@switchboard/protocol'
import { readUpstreamRpcError, SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { RESOURCE_NOT_FOUND } from '@switchboard/protocol/legacy'
import type { Implementation, LoggingLevel } from '@switchboard/protocol/mcp'
import {
  DISCOVER_METHOD,
  INPUT_REQUIRED_METHODS,
  LISTEN_METHOD,
  META_KEY,
  MODERN_ERROR,
  REMOVED_IN_MODERN,
  type RequestEnvelope,
} from '@switchboard/protocol/modern'
import type { CallSpan, Tracer } from '@switchboard/protocol/tracing'
import { answerWithError } from '../answer-with-error.ts'
import { declareCapabilities } from '../declared-capabilities.ts'
import type { Dispatcher } from '../dispatcher.ts'
import { callerKey, createCaller, type Identity } from '../identity.ts'
import type { View } from '../router/view.ts'
import { isAsSevere } from '../severity.ts'
import { toolOf } from '../tool-of.ts'
import { endSpan, noteResult, openSpan } from '../trace-request.ts'
import { readUrlElicitations } from '../url-elicitations.ts'
import type { ModernExchange } from './exchange.ts'
import type { ListenStreams } from './listen-streams.ts'
import type { ModernRequest } from './modern-request.ts'
import { toModernResult } from './modern-result.ts'
import { type Outlet, ParkedCall, ParkedCalls } from './parked-calls.ts'

export interface ModernEndpointOptions {
  readonly dispatcher: Dispatcher
  readonly listens: ListenStreams
  readonly parked: ParkedCalls
  readonly serverInfo: Implementation
  readonly tracer?: Tracer | undefined
  /** A request wants log messages from this level on. */
  setLogLevel(level: LoggingLevel): void
}

/** One of those that may be answered with questions. */
interface AskingRequest {
  readonly method: string
  readonly params: JsonObject
  readonly identity: Identity
  readonly outlet: Outlet
  readonly span: CallSpan | undefined
}

/** Marks the retry of a call that left nothing waiting: it is made again from the start. */
const REPEAT_STATE = 'switchboard:repeat'
/** Requests that may be answered with questions. */
const ASKING: readonly string[] = INPUT_REQUIRED_METHODS
const REMOVED: readonly string[] = REMOVED_IN_MODERN

export class ModernEndpoint {
  readonly #options: ModernEndpointOptions

  constructor(options: ModernEndpointOptions) {
    this.#options = options
  }

  /** Never rejects. */
  async handle(request: ModernRequest, exchange: ModernExchange): Promise<JsonRpcResponse> {
    const { id, method, envelope, identity } = request
    let { view } = request
    const span = this.#openSpan(request)
    if (envelope.logLevel !== undefined) this.#options.setLogLevel(envelope.logLevel)
    try {
      if (REMOVED.includes(method) || method === 'initialize') {
        throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
      }
      view ??= this.#options.dispatcher.view(identity)
      const result = await this.#answer(request, view, exchange, span)
      endSpan(span)
      return createSuccess(id, toModernResult(method, result, view, identity, this.#options.serverInfo))
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      endSpan(span, error)
      return toModernFailure(error, request, view)
    }
  }

  #openSpan(request: ModernRequest): CallSpan | undefined {
    const { tracer } = this.#options
    if (tracer?.isOn !== true) return undefined
    const { version, clientInfo } = request.envelope
    return openSpan(tracer, request, request.identity, {
      era: 'modern',
      version,
      client: clientInfo?.name,
    })
  }

  #answer(
    request: ModernRequest,
    view: View,
    exchange: ModernExchange,
    span: CallSpan | undefined,
  ): Promise<JsonObject> {
    const { id, method, envelope, identity, target } = request
    if (method === DISCOVER_METHOD) return Promise.resolve(createDiscovery(view))
    const { capabilities, clientInfo } = envelope
    const caller = createCaller(identity, { era: 'modern', capabilities, ...(clientInfo && { clientInfo }) })
    if (method === LISTEN_METHOD) return this.#options.listens.listen(request, exchange, identity, caller)
    const params = withoutEnvelope(request.params)
    const outlet = createOutlet(params, envelope, exchange)
    const run = (sent: JsonObject, parked?: ParkedCall): Promise<JsonObject> => {
      const call = createCall(request, caller, outlet, parked, span)
      return this.#options.dispatcher.dispatch({ id, method, params: sent, identity, view, target, call })
    }
    return ASKING.includes(method) ? this.#runAsking({ method, params, identity, outlet, span }, run) : run(params)
  }

  async #runAsking(
    { method, params, identity, outlet, span }: AskingRequest,
    run: (params: JsonObject, parked: ParkedCall) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { parked } = this.#options
    const owner = `${identity.profile}\0${callerKey(identity)}`
    const named = params.name ?? params.uri
    const subject = `${method}\0${typeof named === 'string' ? named : ''}`
    const state = params.requestState
    let call: ParkedCall
    if (ParkedCalls.isToken(state)) {
      call = parked.take(state, owner, subject)
      noteRetry(span, call, method, named)
      call.answer(isJsonObject(params.inputResponses) ? params.inputResponses : {})
    } else {
      call = new ParkedCall({ owner, subject, outlet, traceparent: span?.traceparent })
      call.follow(run(state === REPEAT_STATE ? withoutAnswers(params) : params, call))
    }
    const outcome = await call.attach(outlet)
    if (outcome.type === 'result') {
      if (span !== undefined) noteResult(span, '', outcome.result)
      return outcome.result
    }
    if (outcome.type === 'error') return toUrlQuestions(outcome.error)
    span?.note('switchboard.input_required')
    return { resultType: 'input_required', inputRequests: call.inputRequests(), requestState: parked.park(call) }
  }
}

/** The answers to a call that goes on under the span of the request that began it, which may be of another trace. */
function noteRetry(span: CallSpan | undefined, call: ParkedCall, method: string, named: unknown): void {
  if (span === undefined) return
  if (call.traceparent !== undefined) span.link(call.traceparent)
  if (method === 'tools/call' && typeof named === 'string') span.set({ 'gen_ai.tool.name': named })
}

/**
 * How a call speaks: through the outlet that is attached when it does, as far as that one wants to hear it. `parked`: what
 * goes on over several exchanges, and may ask.
 */
function createCall(
  request: ModernRequest,
  caller: Caller,
  outlet: Outlet,
  parked: ParkedCall | undefined,
  span: CallSpan | undefined,
): Call {
  const { id, traceId, identity, carrier } = request
  const current = (): Outlet | undefined => (parked === undefined ? outlet : parked.outlet)
  return {
    id: String(id),
    traceId,
    caller,
    tool: toolOf(request),
    signal: parked === undefined ? outlet.exchange.signal : parked.signal,
    timeout: identity.budget,
    defaultTimeout: identity.timeout,
    progress: outlet.progressToken === undefined ? undefined : (progress) => sendProgress(current(), progress),
    // Without a level in its envelope a request hears no log messages at all.
    log: (entry) => sendLog(current(), entry),
    logLevel: outlet.logLevel,
    ask: parked?.ask,
    times: createCallTimes(),
    span,
    carrier,
  }
}

function sendProgress(outlet: Outlet | undefined, progress: Progress): void {
  if (outlet?.progressToken === undefined) return
  const params = { ...progress, progressToken: outlet.progressToken }
  outlet.exchange.notify(createNotification('notifications/progress', params))
}

function sendLog(outlet: Outlet | undefined, entry: LogEntry): void {
  if (outlet?.logLevel === undefined || !isAsSevere(entry.level, outlet.logLevel)) return
  outlet.exchange.notify(createNotification('notifications/message', { ...entry }))
}

function createOutlet(params: JsonObject, { logLevel }: RequestEnvelope, exchange: ModernExchange): Outlet {
  const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined
  return {
    exchange,
    ...(isRequestId(token) ? { progressToken: token } : {}),
    ...(logLevel === undefined ? {} : { logLevel }),
  }
}

function createDiscovery(view: View): JsonObject {
  const { tasks: _legacyTasks, ...capabilities } = declareCapabilities(view)
  return {
    supportedVersions: [...MODERN_VERSIONS],
    capabilities,
    ...(view.instructions === '' ? {} : { instructions: view.instructions }),
  }
}

/** The envelope describes this hop; the next one gets its own. */
function withoutEnvelope(params: JsonObject): JsonObject {
  const meta = params._meta
  if (!isJsonObject(meta)) return params
  const {
    [META_KEY.protocolVersion]: _version,
    [META_KEY.clientCapabilities]: _capabilities,
    [META_KEY.clientInfo]: _info,
    [META_KEY.logLevel]: _level,
    ...kept
  } = meta
  return { ...params, _meta: kept }
}

/** A legacy server's error that asks for a visit to a URL is a question in the modern era. */
function toUrlQuestions(error: unknown): JsonObject {
  const visits = error instanceof SwitchboardError ? readUrlElicitations(error) : []
  if (visits.length === 0) throw error
  const inputRequests = Object.fromEntries(
    visits.map((params, index) => [`url${index + 1}`, { method: 'elicitation/create', params }]),
  )
  // The server keeps no state of ours: the retry is the call made again.
  return { resultType: 'input_required', inputRequests, requestState: REPEAT_STATE }
}

/** The visit to the URL was the answer; a legacy server knows nothing of these members. */
function withoutAnswers(params: JsonObject): JsonObject {
  const { requestState: _state, inputResponses: _responses, ...rest } = params
  return rest
}

function toModernFailure(error: SwitchboardError, request: ModernRequest, view: View | undefined): JsonRpcResponse {
  const { requiredCapabilities } = error.details
  if (isJsonObject(requiredCapabilities)) {
    // Its data is what the protocol wants of this error, beside our envelope.
    const answer = answerWithError(error, request, { code: MODERN_ERROR.missingClientCapability, view })
    const data = isJsonObject(answer.error.data) ? answer.error.data : {}
    return { ...answer, error: { ...answer.error, data: { ...data, requiredCapabilities } } }
  }
  const code = readUpstreamRpcError(error)?.code ?? error.rpcCode
  const isGivenUp = code === RESOURCE_NOT_FOUND
  return answerWithError(error, request, { code: isGivenUp ? JSON_RPC_ERROR.invalidParams : undefined, view })
}
