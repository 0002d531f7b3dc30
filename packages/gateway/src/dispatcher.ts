/**
 * Requests in their neutral form: what an agent asks, whichever era and transport it came by, answered from the view
 * of its profile or by the provider that owns the name. Order of checks on a call: known, allowed by the profile,
 * authorized (modes), within limits; then the provider checks arguments and its own state, and runs it.
 */
import {
  type Call,
  type Caller,
  createTraceId,
  ERROR_META_KEY,
  type ErrorMeta,
  isJsonObject,
  type JsonObject,
  nearestNames,
  readTraceId,
  SwitchboardError,
  TASKS_EXTENSION,
  type Tool,
  toSwitchboardError,
  toToolErrorResult,
} from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import { forCall, logCallEnd, logCallStart } from './call-log.ts'
import { callerKey, type Identity, laneKey } from './identity.ts'
import type { CallLimits } from './limits/call-limits.ts'
import type { Router } from './router/router.ts'
import type { Target, View } from './router/view.ts'
import {
  callSearchTool,
  createUnknownToolError,
  isSearchTool,
  listTools,
  type SearchHost,
} from './search/search-tools.ts'
import type { SubscriptionHub } from './subscription-hub.ts'
import { TaskRoutes } from './task-routes.ts'

/** What the two edges know of a request besides its method and parameters. */
export interface RequestContext {
  readonly identity: Identity
  readonly caller: Caller
  readonly requestId: string | number
  readonly signal: AbortSignal
  readonly progress?: Call['progress']
  readonly log?: Call['log']
  readonly logLevel?: Call['logLevel']
  readonly ask?: Call['ask']
}

/**
 * May this caller make this call now? Throws what the caller is told. Asked of every call of a tool, also of one made with
 * `tool_call`; never of lists, resources and prompts. Waits for nothing: it stands in the way of every call.
 */
export type Authorize = (call: {
  /** As the profile lists it, under its exposed name. */
  readonly tool: Tool
  readonly target: Target
  readonly view: View
  readonly args: unknown
  readonly identity: Identity
}) => void

export interface DispatcherOptions {
  readonly router: Router
  readonly limits: CallLimits
  readonly subscriptions: SubscriptionHub
  readonly log: Logger
  onCalled?(report: CallReport): void
  /** Absent: whatever the profile lists may be called. */
  readonly authorize?: Authorize
  /** While servers start of which nothing is known yet, what lists and calls of unknown tools wait for. */
  starting?(): Promise<void> | undefined
}

/** One finished tool call, for the audit trail. */
export interface CallReport {
  readonly tool: string
  readonly provider: string
  readonly params: unknown
  readonly call: Call
  readonly outcome: 'ok' | 'tool_error' | 'failed'
  readonly error?: SwitchboardError
  readonly result?: JsonObject
  readonly durationMs: number
}

/** These tell the client that it asked for the wrong thing: protocol errors, not results of a tool. */
const PROTOCOL_CODES: ReadonlySet<string> = new Set([
  'unknown_tool',
  'unknown_method',
  'invalid_request',
  'upstream_error',
  'unauthorized',
  'unknown_profile',
])

const LISTS: ReadonlySet<string> = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])

/** Of what a client sent, in a message to it. */
const MAX_QUOTED = 100

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #tasks = new TaskRoutes()

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  view(identity: Identity): View {
    return this.#options.router.viewFor(identity)
  }

  /** Rejects with what the agent is told; never throws. */
  dispatch(method: string, params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const starting = this.#options.starting?.()
    // The way of nearly every call, with nothing between that would have to be waited for.
    if (method === 'tools/call' && starting === undefined) return this.#callTool(params, context)
    return this.#answer(method, params, context, starting)
  }

  async #answer(
    method: string,
    params: JsonObject,
    context: RequestContext,
    starting: Promise<void> | undefined,
  ): Promise<JsonObject> {
    if (starting !== undefined && this.#asksForMore(method, params, context)) await starting
    const view = this.view(context.identity)
    switch (method) {
      case 'tools/call':
        return this.#callTool(params, context)
      case 'tools/list':
        return { tools: listTools(view) }
      case 'resources/list':
        return { resources: view.resources }
      case 'resources/templates/list':
        return { resourceTemplates: view.templates }
      case 'prompts/list':
        return { prompts: view.prompts }
      case 'resources/read':
        return this.#readResource(view, params, context)
      case 'prompts/get':
        return this.#getPrompt(view, params, context)
      case 'completion/complete':
        return this.#complete(view, params, context)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(method, view, params, context)
      case 'ping':
        return {}
      default:
        return this.#forwardOther(method, view, params, context)
    }
  }

  /** Whether a server that is still starting could make a difference. Many clients list once and never again. */
  #asksForMore(method: string, { name }: JsonObject, { identity }: RequestContext): boolean {
    if (LISTS.has(method)) return true
    return method === 'tools/call' && typeof name === 'string' && this.view(identity).findTool(name) === 'unknown'
  }

  async #callTool(params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const view = this.view(context.identity)
    // By its one name from here on: what policy and limits say of a tool holds for its aliases too.
    const name = view.canonicalName(readName(params, 'tools/call'))
    const begun = performance.now()
    const call = this.#createCall(params, context)
    if (view.profile.search && isSearchTool(name)) return this.#callSearchTool(name, view, params, call, context)
    const { log } = this.#options
    if (log.isEnabled('debug')) logCallStart(log, call, name)
    let providerName = 'switchboard'
    const report = (outcome: Pick<CallReport, 'outcome' | 'error' | 'result'>): void => {
      const done: CallReport = {
        tool: name,
        provider: providerName,
        params: params.arguments,
        call,
        durationMs: performance.now() - begun,
        ...outcome,
      }
      logCallEnd(log, done)
      this.#options.onCalled?.(done)
    }
    try {
      const target = this.#findTool(view, name)
      providerName = target.provider.name
      this.#authorize(view, name, target, params, context)
      const result = await this.#limited(target, name, context, () =>
        target.provider.request(
          'tools/call',
          params.name === target.own ? params : { ...params, name: target.own },
          call,
        ),
      )
      this.#tasks.remember(result, target.provider, context.identity.credential)
      report({ outcome: result.isError === true ? 'tool_error' : 'ok', result })
      return result
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      report({ outcome: 'failed', error })
      return this.#toFailedResult(error, call, context, { view, tool: name, provider: providerName, begun })
    }
  }

  /** What tool_call calls is checked, limited and reported as the tool that it is. */
  async #callSearchTool(
    name: string,
    view: View,
    params: JsonObject,
    call: Call,
    context: RequestContext,
  ): Promise<JsonObject> {
    const begun = performance.now()
    try {
      return await callSearchTool(name, view, params, this.#searchHost(context))
    } catch (thrown) {
      const where = { view, tool: name, provider: 'switchboard', begun }
      return this.#toFailedResult(toSwitchboardError(thrown), call, context, where)
    }
  }

  /** Throws what is an error of the protocol. */
  #toFailedResult(
    error: SwitchboardError,
    call: Call,
    { requestId }: RequestContext,
    { view, tool, provider, begun }: { view: View; tool: string; provider: string; begun: number },
  ): JsonObject {
    if (error.family === 'ours') this.#logBug(error, call)
    if (PROTOCOL_CODES.has(error.code) || error.code === 'cancelled') throw error
    const meta: ErrorMeta = {
      requestId,
      traceId: call.traceId,
      tool,
      provider,
      timestamp: new Date().toISOString(),
      durationMs: Math.round(performance.now() - begun),
    }
    return createErrorResult(error, meta, view.tool(tool))
  }

  #findTool(view: View, name: string): Target {
    const target = view.findTool(name)
    if (target === 'unknown') throw createUnknownToolError(view, name)
    if (target === 'denied') {
      throw new SwitchboardError('profile_denied', `The profile "${view.profile.name}" does not list ${name}`)
    }
    return target
  }

  #authorize(view: View, name: string, target: Target, params: JsonObject, { identity }: RequestContext): void {
    const { authorize } = this.#options
    if (authorize === undefined) return
    const tool = view.tool(name) ?? { name, inputSchema: {} }
    authorize({ tool, target, view, args: params.arguments, identity })
  }

  async #limited<T>(target: Target, tool: string, context: RequestContext, run: () => Promise<T>): Promise<T> {
    const { limits } = this.#options
    const key = laneKey(context.identity, context.caller.session)
    limits.enter(key, target.provider.name, tool)
    try {
      const turn = limits.takeTurn(key, context.signal)
      if (turn !== undefined) await turn
      try {
        return await run()
      } finally {
        limits.endTurn(key)
      }
    } finally {
      limits.leave(key)
    }
  }

  async #readResource(view: View, params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const uri = readText(params, 'uri', 'resources/read')
    const target = this.#findResource(view, uri)
    const result = await target.provider.request(
      'resources/read',
      { ...params, uri: target.own },
      this.#createCall(params, context),
    )
    if (target.own === uri || !Array.isArray(result.contents)) return result
    // What was read under an exposed URI comes back under it.
    const contents = result.contents.map((entry: unknown) =>
      isJsonObject(entry) && entry.uri === target.own ? { ...entry, uri } : entry,
    )
    return { ...result, contents }
  }

  #findResource(view: View, uri: string): Target {
    const found = view.findServedResource(uri)
    if (found !== undefined) return found
    throw new SwitchboardError('unknown_resource', `Resource not found: ${uri}`, { details: { uri } })
  }

  #getPrompt(view: View, params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const name = readName(params, 'prompts/get')
    const target = view.findPrompt(name)
    if (target === undefined) {
      const suggestions = nearestNames(
        name,
        view.prompts.map((prompt) => prompt.name),
      )
      throw new SwitchboardError('unknown_prompt', `Unknown prompt: "${name}"`, {
        details: { prompt: name, suggestions },
      })
    }
    return target.provider.request('prompts/get', { ...params, name: target.own }, this.#createCall(params, context))
  }

  #complete(view: View, params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const ref = params.ref
    if (!isJsonObject(ref)) throw new SwitchboardError('invalid_request', 'completion/complete needs `ref`')
    const isPrompt = ref.type === 'ref/prompt'
    const text = readText(ref, isPrompt ? 'name' : 'uri', 'completion/complete')
    const target = isPrompt ? view.findPrompt(text) : (view.findTemplate(text) ?? view.findResource(text))
    if (target === undefined) {
      throw new SwitchboardError(
        isPrompt ? 'unknown_prompt' : 'unknown_resource',
        `Nothing to complete is named ${text}`,
      )
    }
    const own = { ...ref, [isPrompt ? 'name' : 'uri']: target.own }
    return target.provider.request('completion/complete', { ...params, ref: own }, this.#createCall(params, context))
  }

  async #subscribe(
    method: 'resources/subscribe' | 'resources/unsubscribe',
    view: View,
    params: JsonObject,
    context: RequestContext,
  ): Promise<JsonObject> {
    const uri = readText(params, 'uri', method)
    const target = this.#findResource(view, uri)
    // By session, not by window: an old session that ends late must not take those of the new one with it.
    const subscriber = context.caller.session ?? callerKey(context.identity)
    const { subscriptions } = this.#options
    if (method === 'resources/subscribe') await subscriptions.subscribe(target.provider, target.own, subscriber)
    else await subscriptions.unsubscribe(target.provider, target.own, subscriber)
    return {}
  }

  /** Tasks go to whoever made them; a method of an extension to the one provider that declares extensions. */
  async #forwardOther(method: string, view: View, params: JsonObject, context: RequestContext): Promise<JsonObject> {
    const call = this.#createCall(params, context)
    if (method.startsWith('tasks/')) {
      const provider = this.#tasks.find(params.taskId, context.identity.credential)
      if (provider !== undefined && view.providers.includes(provider)) return provider.request(method, params, call)
      const hasTasks = view.withCapability('tasks').length + view.withExtension(TASKS_EXTENSION).length > 0
      if (hasTasks && typeof params.taskId === 'string') {
        throw new SwitchboardError('unknown_task', `No task has the id ${JSON.stringify(params.taskId.slice(0, 100))}`)
      }
    }
    if (method.startsWith('skills/') || method === 'resources/directory/read') {
      const [only, other] = view.withExtension('io.modelcontextprotocol/skills')
      if (only !== undefined && other === undefined) return only.request(method, params, call)
      if (only !== undefined && method === 'skills/list') return this.#mergeSkills(view, params, call)
      const uri = typeof params.uri === 'string' ? view.findResource(params.uri) : undefined
      if (uri !== undefined) return uri.provider.request(method, params, call)
    }
    throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
  }

  async #mergeSkills(view: View, params: JsonObject, call: Call): Promise<JsonObject> {
    const providers = view.withExtension('io.modelcontextprotocol/skills')
    const lists = await Promise.all(providers.map((provider) => provider.request('skills/list', params, call)))
    return { ...lists[0], skills: lists.flatMap((list) => (Array.isArray(list.skills) ? list.skills : [])) }
  }

  #searchHost(context: RequestContext): SearchHost {
    return { call: (params) => this.#callTool(params, context) }
  }

  #createCall(params: JsonObject, context: RequestContext): Call {
    const { identity, requestId, signal, caller, progress, log, logLevel, ask } = context
    const meta = params._meta
    const traceId = (isJsonObject(meta) ? readTraceId(meta.traceparent) : undefined) ?? createTraceId()
    // Assigned one by one: this is made for every call, and spreading each costs more than the rest of it.
    const call: { -readonly [K in keyof Call]: Call[K] } = { id: String(requestId), traceId, caller, signal }
    if (progress !== undefined) call.progress = progress
    if (log !== undefined) call.log = log
    if (logLevel !== undefined) call.logLevel = logLevel
    if (ask !== undefined) call.ask = ask
    if (identity.timeout !== undefined) call.defaultTimeout = identity.timeout
    if (identity.budget !== undefined) call.timeout = identity.budget
    return call
  }

  #logBug(error: SwitchboardError, call: Call): void {
    const { cause } = error
    forCall(this.#options.log, call).error('gateway.bug', error.message, {
      stack: cause instanceof Error ? cause.stack : error.stack,
    })
  }
}

/**
 * A client checks structured content against the tool's output schema, of a failure as well (both SDKs do), and would report
 * that in place of the error. For such a tool the envelope travels in `_meta`.
 */
function createErrorResult(error: SwitchboardError, meta: ErrorMeta, tool: Tool | undefined): JsonObject {
  const { structuredContent, ...result } = toToolErrorResult(error, meta)
  return tool?.outputSchema === undefined
    ? { ...result, structuredContent }
    : { ...result, _meta: { [ERROR_META_KEY]: structuredContent } }
}

function readName(params: JsonObject, method: string): string {
  return readText(params, 'name', method)
}

function readText(params: JsonObject, member: string, method: string): string {
  const value = params[member]
  if (typeof value === 'string' && value !== '') return value
  const seen = JSON.stringify(value)?.slice(0, MAX_QUOTED) ?? 'nothing'
  throw new SwitchboardError('invalid_request', `${method} needs \`${member}\`, a text; got ${seen}`)
}
