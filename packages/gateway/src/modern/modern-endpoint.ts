/**
 * A request of the modern era, complete in itself: its envelope is read, its method is one we know, and it is answered.
 * Nothing is remembered of the connection it came by.
 */
import {
  type Caller,
  createFailure,
  createNotification,
  createSuccess,
  createUnsupportedVersionError,
  DISCOVER_METHOD,
  type Envelope,
  type Implementation,
  INPUT_REQUIRED_METHODS,
  isJsonObject,
  isModernVersion,
  type JsonObject,
  type JsonRpcErrorObject,
  type JsonRpcRequest,
  type JsonRpcResponse,
  LISTEN_METHOD,
  LOGGING_LEVELS,
  type LoggingLevel,
  META_KEY,
  MODERN_VERSIONS,
  type Progress,
  REMOVED_IN_MODERN,
  type RequestId,
  readEnvelope,
  readUpstreamRpcError,
  SwitchboardError,
  toJsonRpcError,
  toSwitchboardError,
  URL_ELICITATION_REQUIRED,
} from '@switchboard/protocol'
import { createBadMessageError } from '../bad-message.ts'
import type { Dispatcher, RequestContext } from '../dispatcher.ts'
import { callerKey, type Identity, laneKey } from '../identity.ts'
import type { View } from '../router/view.ts'
import type { ModernExchange } from './exchange.ts'
import type { ListenStreams } from './listen-streams.ts'
import { toModernResult } from './modern-result.ts'
import { type Outlet, ParkedCall, ParkedCalls } from './parked-calls.ts'

export interface ModernEndpointOptions {
  readonly dispatcher: Dispatcher
  readonly listens: ListenStreams
  readonly parked: ParkedCalls
  readonly serverInfo: Implementation
  /** A request wants log messages from this level on. */
  setLogLevel(level: LoggingLevel): void
}

const RESOURCE_NOT_FOUND_LEGACY = -32002
const INVALID_PARAMS = -32602
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
  async handle(request: JsonRpcRequest, exchange: ModernExchange, identity: Identity): Promise<JsonRpcResponse> {
    const { id, method } = request
    const reading = readEnvelope(request.params)
    if (!reading.ok) {
      const message = `Invalid _meta: ${reading.reason}`
      return createFailure(id, createBadMessageError({ code: INVALID_PARAMS, message, id }))
    }
    const { envelope } = reading
    if (!isModernVersion(envelope.version)) {
      return createFailure(id, createUnsupportedVersionError(envelope.version, MODERN_VERSIONS))
    }
    if (envelope.logLevel !== undefined) this.#options.setLogLevel(envelope.logLevel)
    try {
      if (REMOVED.includes(method) || method === 'initialize') {
        throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
      }
      const view = this.#options.dispatcher.view(identity)
      const result = await this.#answer(request, envelope, exchange, identity, view)
      return createSuccess(id, toModernResult(method, result, view, identity, this.#options.serverInfo))
    } catch (thrown) {
      return createFailure(id, toModernError(toSwitchboardError(thrown), id))
    }
  }

  #answer(
    request: JsonRpcRequest,
    envelope: Envelope,
    exchange: ModernExchange,
    identity: Identity,
    view: View,
  ): Promise<JsonObject> {
    const { id, method } = request
    const params = withoutEnvelope(request.params ?? {})
    if (method === DISCOVER_METHOD) return Promise.resolve(createDiscovery(view))
    if (method === LISTEN_METHOD) return this.#options.listens.listen(request, exchange, identity)
    const caller = createCaller(envelope, identity)
    const outlet = createOutlet(params, envelope, exchange)
    if (ASKING.includes(method)) return this.#runAsking(id, method, params, caller, outlet, identity)
    const context = {
      identity,
      caller,
      requestId: id,
      signal: exchange.signal,
      ...createVoice(outlet, () => outlet),
    }
    return this.#options.dispatcher.dispatch(method, params, context)
  }

  async #runAsking(
    id: RequestId,
    method: string,
    params: JsonObject,
    caller: Caller,
    outlet: Outlet,
    identity: Identity,
  ): Promise<JsonObject> {
    const { parked, dispatcher } = this.#options
    const owner = `${identity.profile}\0${callerKey(identity)}`
    const named = params.name ?? params.uri
    const subject = `${method}\0${typeof named === 'string' ? named : ''}`
    const state = params.requestState
    let call: ParkedCall
    if (ParkedCalls.isToken(state)) {
      call = parked.take(state, owner, subject)
      call.answer(isJsonObject(params.inputResponses) ? params.inputResponses : {})
    } else {
      call = new ParkedCall({
        owner,
        subject,
        outlet,
        run: (self) => {
          const context: RequestContext = {
            identity,
            caller,
            requestId: id,
            signal: self.signal,
            ask: self.ask,
            ...createVoice(outlet, () => self.outlet),
          }
          return dispatcher.dispatch(method, state === REPEAT_STATE ? withoutAnswers(params) : params, context)
        },
      })
    }
    const outcome = await call.attach(outlet)
    if (outcome.type === 'result') return outcome.result
    if (outcome.type === 'error') return toUrlQuestions(outcome.error)
    return { resultType: 'input_required', inputRequests: call.inputRequests(), requestState: parked.park(call) }
  }
}

function createCaller(envelope: Envelope, identity: Identity): Caller {
  return {
    ...(identity.instance === undefined ? {} : { instance: identity.instance }),
    ...(identity.isUnrestricted === true ? {} : { profile: identity.profile }),
    ...(identity.workspace === undefined ? {} : { workspace: identity.workspace }),
    lane: laneKey(identity),
    era: 'modern',
    capabilities: envelope.capabilities,
    ...(envelope.clientInfo === undefined ? {} : { clientInfo: envelope.clientInfo }),
  }
}

function createOutlet(params: JsonObject, { logLevel }: Envelope, exchange: ModernExchange): Outlet {
  const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined
  return {
    exchange,
    ...(typeof token === 'string' || typeof token === 'number' ? { progressToken: token } : {}),
    ...(logLevel === undefined ? {} : { logLevel }),
  }
}

/** How a call speaks: through the outlet that is attached when it does, as far as that one wants to hear it. */
function createVoice(
  { progressToken, logLevel }: Outlet,
  current: () => Outlet | undefined,
): Pick<RequestContext, 'progress' | 'log' | 'logLevel'> {
  return {
    ...(progressToken === undefined
      ? {}
      : {
          progress: (progress: Progress) => {
            const outlet = current()
            if (outlet?.progressToken === undefined) return
            const params = { ...progress, progressToken: outlet.progressToken }
            outlet.exchange.notify(createNotification('notifications/progress', params))
          },
        }),
    // Without a level in its envelope a request hears no log messages at all.
    log: (entry) => {
      const outlet = current()
      if (outlet?.logLevel === undefined || severity(entry.level) < severity(outlet.logLevel)) return
      outlet.exchange.notify(createNotification('notifications/message', { ...entry }))
    },
    ...(logLevel === undefined ? {} : { logLevel }),
  }
}

function severity(level: string): number {
  return (LOGGING_LEVELS as readonly string[]).indexOf(level)
}

function createDiscovery(view: View): JsonObject {
  const { tasks: _legacyTasks, ...merged } = view.capabilities()
  const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
  return {
    supportedVersions: [...MODERN_VERSIONS],
    capabilities: {
      ...merged,
      tools: { ...asObject(merged.tools), listChanged: true },
      resources: { ...asObject(merged.resources), subscribe: true, listChanged: true },
      prompts: { ...asObject(merged.prompts), listChanged: true },
      completions: asObject(merged.completions),
      logging: asObject(merged.logging),
    },
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
  const rpc = error instanceof SwitchboardError ? readUpstreamRpcError(error) : undefined
  const elicitations =
    rpc?.code === URL_ELICITATION_REQUIRED && isJsonObject(rpc.data) ? rpc.data.elicitations : undefined
  if (!Array.isArray(elicitations) || elicitations.length === 0) throw error
  const inputRequests = Object.fromEntries(
    elicitations
      .filter(isJsonObject)
      .map((params, index) => [`url${index + 1}`, { method: 'elicitation/create', params }]),
  )
  // The server keeps no state of ours: the retry is the call made again.
  return { resultType: 'input_required', inputRequests, requestState: REPEAT_STATE }
}

/** The visit to the URL was the answer; a legacy server knows nothing of these members. */
function withoutAnswers(params: JsonObject): JsonObject {
  const { requestState: _state, inputResponses: _responses, ...rest } = params
  return rest
}

function toModernError(error: SwitchboardError, requestId: RequestId): JsonRpcErrorObject {
  const rpc = toJsonRpcError(error, { requestId })
  return rpc.code === RESOURCE_NOT_FOUND_LEGACY ? { ...rpc, code: INVALID_PARAMS } : rpc
}
