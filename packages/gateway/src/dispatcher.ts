/**
 * Requests in their neutral form: what an agent asks, whichever era and transport it came by, answered from the view
 * of its profile or by the provider that owns the name. Order of checks on a call: known, allowed by the profile,
 * authorized (modes), within limits; then the provider checks arguments and its own state, and runs it.
 */
import {
  type Call,
  isJsonObject,
  type JsonObject,
  laneOf,
  ownerOf,
  type Provider,
  type RequestId,
} from '@switchboard/protocol'
import {
  createErrorMeta,
  ERROR_META_KEY,
  type ErrorMeta,
  SwitchboardError,
  toSwitchboardError,
  toToolErrorResult,
  toToolResult,
} from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import { TASKS_EXTENSION } from '@switchboard/protocol/modern'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import { forCall, type Logger } from '@switchboard/telemetry'
import { appendLine } from './append-line.ts'
import { logCallEnd, logCallStart } from './call-log.ts'
import { callerKey, type Identity } from './identity.ts'
import type { CallLimits } from './limits/call-limits.ts'
import { mergeSkills, SKILLS_EXTENSION } from './merge-skills.ts'
import type { Router, RouterEvent } from './router/router.ts'
import type { Target, ToolTarget, View } from './router/view.ts'
import { callSearchTool, isSearchTool, listTools } from './search/search-tools.ts'
import type { SubscriptionHub } from './subscription-hub.ts'
import { readTaskId, TaskRoutes, withTask } from './task-routes.ts'
import { readAppUri, type ToldResources } from './told-resources.ts'
import { describeTool, noteResult, requestTool } from './trace-request.ts'
import { createUnknownPromptError, createUnknownResourceError, createUnlistedToolError } from './unknown-names.ts'

/** A request in the neutral form of both eras: judged, and with its call, by the edge that it came in by. */
export interface AgentRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  readonly identity: Identity
  /** What its caller sees: looked up once, and the same for every step. */
  readonly view: View
  /** What its provider gets. */
  readonly call: Call
  /** Of `tools/call`, where the edge had to look it up. */
  readonly target?: ReturnType<View['findTool']> | undefined
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
  readonly told: ToldResources
  readonly log: Logger
  onCalled?(report: CallReport): void
  /** Absent: whatever the profile lists may be called. */
  readonly authorize?: Authorize
  /** One line that is added to an answer by which a tool says that it failed; undefined: nothing is added. Never rejects. */
  remark?(failed: FailedAnswer): Promise<string | undefined> | undefined
  /** While servers start of which nothing is known yet, what lists and requests for unknown names wait for. */
  starting?(identity: Identity): Promise<void> | undefined
}

/** What a tool answered that it failed with. */
export interface FailedAnswer {
  readonly provider: string
  readonly result: JsonObject
  readonly call: Call
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
  /** Monotonic milliseconds, as the times of the call. */
  readonly begun: number
  readonly durationMs: number
}

/** Which call it is, and since when it is under way. */
interface CallUnderWay {
  readonly tool: string
  readonly provider: string
  readonly begun: number
}

type Ending = Pick<CallReport, 'outcome' | 'error' | 'result'>

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

const TASK_STATUS = 'notifications/tasks/status'

/** Of what a client sent, in a message to it. */
const MAX_QUOTED = 100
/** Of a server's list of tasks. */
const MAX_TASK_PAGES = 20

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #tasks = new TaskRoutes()

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  view(identity: Identity): View {
    return this.#options.router.viewFor(identity)
  }

  /** What a server announces, as agents are told it. None: it is about a task that no agent has. */
  announce(event: Extract<RouterEvent, { type: 'noticed' }>): readonly JsonObject[] {
    const { method, params, provider } = event
    return method === TASK_STATUS ? this.#tasks.announce(provider, params) : [params]
  }

  /** Rejects with what the agent is told; never throws. */
  dispatch(request: AgentRequest): Promise<JsonObject> {
    const starting = this.#options.starting?.(request.identity)
    if (starting !== undefined && asksForMore(request)) return this.#dispatchAfter(starting, request)
    // The way of nearly every call, with nothing between that would have to be waited for.
    return request.method === 'tools/call' ? this.#callTool(request) : this.#answer(request)
  }

  /** What was unknown may be known then. */
  async #dispatchAfter(starting: Promise<void>, request: AgentRequest): Promise<JsonObject> {
    await starting
    const { target: _unknown, ...rest } = request
    const known = { ...rest, view: this.view(request.identity) }
    return request.method === 'tools/call' ? this.#callTool(known) : this.#answer(known)
  }

  async #answer(request: AgentRequest): Promise<JsonObject> {
    const { method, view } = request
    switch (method) {
      case 'tools/list':
        return { tools: listTools(view) }
      case 'resources/list':
        return { resources: view.resources }
      case 'resources/templates/list':
        return { resourceTemplates: view.templates }
      case 'prompts/list':
        return { prompts: view.prompts }
      case 'resources/read':
        return this.#readResource(request)
      case 'prompts/get':
        return this.#getPrompt(request)
      case 'completion/complete':
        return this.#complete(request)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(method, request)
      case 'ping':
        return {}
      default:
        return this.#forwardOther(request)
    }
  }

  async #callTool(request: AgentRequest): Promise<JsonObject> {
    const { view, params, call, identity } = request
    const { log, limits, authorize } = this.#options
    const begun = performance.now()
    const given = readName(params, 'tools/call')
    const found = request.target ?? view.findTool(given)
    // By its one name from here on: what policy and limits say of a tool holds for its aliases too.
    const name = typeof found === 'string' ? view.canonicalName(given) : found.tool.name
    if (view.isSearchable && isSearchTool(name)) return this.#callSearchTool(name, request)
    if (log.isEnabled('debug')) logCallStart(log, call, name)
    const where = { tool: name, provider: typeof found === 'string' ? OWN_PROVIDER : found.provider.name, begun }
    const { span } = call
    if (span !== undefined) {
      describeTool(span, { ...where, isKnown: typeof found === 'object' })
      span.setContent('arguments', params.arguments)
    }
    try {
      const target = throwOnMissing(found, name, request, this.#options.router)
      authorize?.({ tool: target.tool, target, view, args: params.arguments, identity })
      const lane = laneOf(call.caller)
      const turn = limits.enter(lane, where.provider, name, call.signal)
      if (turn !== undefined) {
        if (call.times !== undefined) call.times.queuedAt = performance.now()
        await turn
      }
      let result: JsonObject
      try {
        const { provider, own } = target
        const sent = given === own ? params : { ...params, name: own }
        const answer =
          span === undefined ? provider.request('tools/call', sent, call) : requestTool(span, provider, sent, call)
        result = await answer
      } finally {
        limits.leave(lane)
      }
      if (readTaskId(result) !== undefined) result = this.#tasks.adopt(result, target.provider, makerOf(request))
      if (result.isError === true) result = await this.#remark({ provider: where.provider, result, call })
      if (span !== undefined) noteResult(span, where.provider, result)
      result = this.#tell(request, target, result)
      this.#report(request, where, { outcome: result.isError === true ? 'tool_error' : 'ok', result })
      return result
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      this.#report(request, where, { outcome: 'failed', error })
      return this.#toFailedResult(error, request, where)
    }
  }

  async #remark(failed: FailedAnswer): Promise<JsonObject> {
    const line = await this.#options.remark?.(failed)
    return line === undefined ? failed.result : appendLine(failed.result, line)
  }

  #report({ params, call }: AgentRequest, { tool, provider, begun }: CallUnderWay, ending: Ending): void {
    const durationMs = performance.now() - begun
    const done: CallReport = { tool, provider, params: params.arguments, call, begun, durationMs, ...ending }
    logCallEnd(this.#options.log, done)
    this.#options.onCalled?.(done)
  }

  /** What tool_call calls is checked, limited and reported as the tool that it is; the others are reported as themselves. */
  async #callSearchTool(name: string, request: AgentRequest): Promise<JsonObject> {
    const where = { tool: name, provider: OWN_PROVIDER, begun: performance.now() }
    const { view, params } = request
    let isPassedOn = false
    if (request.call.span !== undefined) describeTool(request.call.span, { ...where, isKnown: true })
    try {
      const { target: _searching, ...rest } = request
      return await callSearchTool(name, view, params, {
        call: (inner) => {
          isPassedOn = true
          return this.#callTool({ ...rest, params: inner, call: { ...rest.call, tool: readName(inner, 'tools/call') } })
        },
        answer: (data) => {
          const result = createAnswer(data, request, where)
          this.#report(request, where, { outcome: 'ok', result })
          return result
        },
      })
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      if (!isPassedOn) this.#report(request, where, { outcome: 'failed', error })
      return this.#toFailedResult(error, request, where)
    }
  }

  /** Throws what is an error of the protocol. */
  #toFailedResult(
    error: SwitchboardError,
    { id, call, view }: AgentRequest,
    { tool, provider, begun }: CallUnderWay,
  ): JsonObject {
    if (error.family === 'ours') this.#logBug(error, call)
    call.span?.fail(error.code, error.message)
    if (PROTOCOL_CODES.has(error.code) || error.code === 'cancelled') throw error
    // What a request of the modern era did not declare is told by an error of that era.
    if (error.details.requiredCapabilities !== undefined) throw error
    const meta = createErrorMeta({ id, traceId: call.traceId, tool, provider, begun })
    return createErrorResult(error, meta, view.tool(tool))
  }

  /** The caller has it from that provider now: what links to a resource there is read from there. */
  #tell({ view, call }: AgentRequest, { provider, tool }: ToolTarget, result: JsonObject): JsonObject {
    const { told } = this.#options
    const app = readAppUri(tool)
    if (app !== undefined) told.tellOf(call.caller, provider.name, app)
    return told.tell(view, call.caller, provider.name, result)
  }

  async #readResource({ view, params, call }: AgentRequest): Promise<JsonObject> {
    const uri = readText(params, 'uri', 'resources/read')
    const { provider, own } = this.#findResource(view, call, uri)
    call.span?.set({ 'switchboard.provider': provider.name })
    const result = await provider.request('resources/read', { ...params, uri: own }, call)
    if (!Array.isArray(result.contents)) return result
    for (const entry of result.contents) {
      if (isJsonObject(entry) && typeof entry.uri === 'string' && entry.uri !== own)
        this.#options.told.tellOf(call.caller, provider.name, entry.uri)
    }
    if (own === uri) return result
    // What was read under an exposed URI comes back under it.
    const contents = result.contents.map((entry: unknown) =>
      isJsonObject(entry) && entry.uri === own ? { ...entry, uri } : entry,
    )
    return { ...result, contents }
  }

  #findResource(view: View, { caller }: Call, uri: string): Target {
    const found = this.#options.told.find(view, caller, uri)
    if (found !== undefined) return found
    throw createUnknownResourceError(view, uri)
  }

  async #getPrompt({ view, params, call }: AgentRequest): Promise<JsonObject> {
    const name = readName(params, 'prompts/get')
    const target = view.findPrompt(name)
    if (target === undefined) throw createUnknownPromptError(view, name)
    call.span?.rename(`prompts/get ${name}`)
    call.span?.set({ 'gen_ai.prompt.name': name, 'switchboard.provider': target.provider.name })
    const result = await target.provider.request('prompts/get', { ...params, name: target.own }, call)
    return this.#options.told.tell(view, call.caller, target.provider.name, result)
  }

  #complete({ view, params, call }: AgentRequest): Promise<JsonObject> {
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
    return target.provider.request('completion/complete', { ...params, ref: own }, call)
  }

  async #subscribe(
    method: 'resources/subscribe' | 'resources/unsubscribe',
    { view, params, call, identity }: AgentRequest,
  ): Promise<JsonObject> {
    const uri = readText(params, 'uri', method)
    const target = this.#findResource(view, call, uri)
    // By session, not by window: an old session that ends late must not take those of the new one with it.
    const subscriber = call.caller.session ?? callerKey(identity)
    const { subscriptions } = this.#options
    if (method === 'resources/subscribe') await subscriptions.subscribe(target.provider, target.own, subscriber, uri)
    else await subscriptions.unsubscribe(target.provider, target.own, subscriber)
    return {}
  }

  /** Tasks go to whoever made them; a method of an extension to the one provider that declares extensions. */
  async #forwardOther(request: AgentRequest): Promise<JsonObject> {
    const { method, view, params, call, identity } = request
    if (method.startsWith('tasks/')) {
      const listing = method === 'tasks/list' ? view.withCapability('tasks').filter(hasTaskList(view)) : []
      if (listing.length > 0) return this.#listTasks(listing, request)
      const task = this.#tasks.find(params.taskId, identity.credential)
      if (task !== undefined && view.providers.includes(task.provider)) {
        const { provider } = task
        const result = task.toAgent(await provider.request(method, task.toServer(params), withTask(call, task)))
        return this.#options.told.tell(view, call.caller, provider.name, result)
      }
      const hasTasks = view.withCapability('tasks').length + view.withExtension(TASKS_EXTENSION).length > 0
      if (hasTasks && typeof params.taskId === 'string') {
        throw new SwitchboardError('unknown_task', `No task has the id ${JSON.stringify(params.taskId.slice(0, 100))}`)
      }
    }
    if (method.startsWith('skills/') || method === 'resources/directory/read') {
      const [only, other] = view.withExtension(SKILLS_EXTENSION)
      if (only !== undefined && other === undefined) return only.request(method, params, call)
      if (only !== undefined && method === 'skills/list') return mergeSkills(view, call)
      const target = typeof params.uri === 'string' ? this.#options.told.find(view, call.caller, params.uri) : undefined
      if (target !== undefined) return target.provider.request(method, { ...params, uri: target.own }, call)
    }
    throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
  }

  /** What the caller itself made, of all servers, on one page. */
  async #listTasks(providers: readonly Provider[], request: AgentRequest): Promise<JsonObject> {
    const lists = providers.map(async (provider) => {
      const tasks: JsonObject[] = []
      let cursor: unknown
      for (let page = 0; page < MAX_TASK_PAGES; page++) {
        const asked = cursor === undefined ? {} : { cursor }
        const answer = await provider.request('tasks/list', asked, request.call)
        tasks.push(...this.#tasks.pick(answer.tasks, provider.name, makerOf(request)))
        cursor = answer.nextCursor
        if (typeof cursor !== 'string') break
      }
      return tasks
    })
    return { tasks: (await Promise.all(lists)).flat() }
  }

  #logBug(error: SwitchboardError, call: Call): void {
    const { cause } = error
    forCall(this.#options.log, call).error('gateway.bug', error.message, {
      stack: cause instanceof Error ? cause.stack : error.stack,
    })
  }
}

/** Whose a task is: of the token, else of whoever can be told from others. */
function makerOf({ identity, call }: AgentRequest): { credential: string | undefined; owner: string | undefined } {
  return { credential: identity.credential, owner: ownerOf(call.caller) }
}

function hasTaskList(view: View): (provider: Provider) => boolean {
  return (provider) => {
    const tasks = view.catalogOf(provider)?.capabilities.tasks
    return isJsonObject(tasks) && isJsonObject(tasks.list)
  }
}

/** Whether a server that is still starting could make a difference. Many clients list once and never again. */
function asksForMore({ method, params: { name, uri }, view }: AgentRequest): boolean {
  if (LISTS.has(method)) return true
  if (method === 'tools/call') return typeof name === 'string' && view.findTool(name) === 'unknown'
  if (method === 'prompts/get') return typeof name === 'string' && view.findPrompt(name) === undefined
  // A front repeats subscriptions as soon as there is a daemon again.
  return method.startsWith('resources/') && typeof uri === 'string' && view.findResource(uri) === undefined
}

function throwOnMissing(
  found: ReturnType<View['findTool']>,
  name: string,
  { view, identity }: AgentRequest,
  router: Router,
): ToolTarget {
  if (found === 'unknown' || found === 'held') throw createUnlistedToolError(view, name)
  if (found === 'denied') {
    const has = (profile: string): boolean =>
      typeof router.viewFor({ ...identity, profile }).findTool(name) === 'object'
    // A token may be bound to a profile: others are then none of its business.
    const others = identity.credential === undefined ? router.profileNames.filter(has) : []
    const where = others.length === 0 ? '' : `; ${others.map((profile) => `"${profile}"`).join(' and ')} does`
    throw new SwitchboardError('profile_denied', `The profile "${view.profile.name}" does not list ${name}${where}`, {
      details: { profile: view.profile.name, listedIn: others },
    })
  }
  return found
}

/** What a tool of the gateway's own answers, in the envelope of a pack's. */
function createAnswer(
  data: JsonObject,
  { id, call }: AgentRequest,
  { tool, provider, begun }: CallUnderWay,
): JsonObject {
  const { traceId } = call
  const meta = {
    requestId: String(id),
    traceId,
    tool,
    provider,
    timestamp: new Date().toISOString(),
    durationMs: Math.round(performance.now() - begun),
  }
  return { ...toToolResult(JSON.stringify(data), data, meta) }
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
