/**
 * Many MCP servers behind one object: started in the background, kept alive, called by exposed names. This is the
 * library; the gateway sees the same servers as `Provider`s.
 */
import { type Clock, type Disposable, didYouMean, Listeners, NEVER_ABORTED, systemClock } from '@switchboard/base'
import { OrphanGuard, RESTART_GRACES, STOP_GRACES } from '@switchboard/process'
import {
  type AskRequests,
  type AskResponses,
  type Call,
  type Caller,
  createTraceId,
  type JsonObject,
  type LogEntry,
  type Progress,
  type Provider,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type {
  CallToolResult,
  ClientCapabilities,
  CompleteResult,
  GetPromptResult,
  Implementation,
  LoggingLevel,
  ReadResourceResult,
} from '@switchboard/protocol/mcp'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import { createCatalogCache, noCatalogCache } from './cache/catalog-cache.ts'
import { checkPoolConfig, type McpPoolInput } from './config/pool-config.ts'
import type { PoolConfig } from './config/pool-section.ts'
import type { PoolEvent, PoolListener } from './events.ts'
import type { BeginLogin, LoginKeeper } from './oauth/login-keeper.ts'
import { Logins } from './oauth/logins.ts'
import { findLogin, type ServerLogin } from './oauth/server-login.ts'
import {
  type ExposedPrompt,
  type ExposedResource,
  type ExposedTemplate,
  type ExposedTool,
  type HeldTool,
  Routes,
} from './routes.ts'
import { ServerSet, type StartManner } from './server-set.ts'
import { createTransport } from './transport/create-transport.ts'
import { MAX_MESSAGE_BYTES } from './transport/transport.ts'
import { type JudgeCatalog, judgeNothing } from './upstream/held-definitions.ts'
import { LoginOffers } from './upstream/login-offers.ts'
import type { ServerStatus } from './upstream/server-status.ts'
import { StartSlots } from './upstream/start-slots.ts'
import type { UpstreamEnvironment, UpstreamTimings } from './upstream/upstream-environment.ts'

export interface McpPoolOptions {
  /** Default: nothing is logged. */
  readonly log?: Logger
  /** Where a server's own output goes; default: `log`. */
  readonly openServerLog?: (server: string) => Logger
  /** A folder for what was learned of servers (era, catalog). Default: nothing is remembered. */
  readonly cacheDirectory?: string
  /**
   * Where each server without a `cwd` gets a folder of its own, by its name and for its owner alone. Default: they run where
   * this process does.
   */
  readonly serversDirectory?: string
  /** What of a server's catalog may be shown and called, asked whenever one is read. Default: all of it. */
  readonly judge?: JudgeCatalog
  /** How the pool names itself to servers. */
  readonly clientInfo?: Implementation
  /** The client features offered to servers; what a caller cannot do is declined when it is asked for. */
  readonly capabilities?: ClientCapabilities
  /**
   * Set when the pool serves one user only: then every question of a server is that user's, in a call or not.
   * Left out, a question that names no call is passed on only when exactly one call is in flight.
   */
  readonly ask?: (requests: AskRequests) => Promise<AskResponses>
  /** For `${VAR}` in the configuration. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Names of tools that no server gets: whoever serves its tools beside others keeps them for those. */
  readonly reservedNames?: readonly string[]
  /** For servers that want a login (OAuth): where logins are kept. Default: nowhere, and there are none. */
  readonly logins?: LoginKeeper
  /** Begins a login that an agent lacks in the middle of a call. Default: the call fails, with what to do. */
  readonly beginLogin?: BeginLogin
  readonly maxMessageBytes?: number
  readonly timings?: Partial<UpstreamTimings>
  readonly clock?: Clock
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, waits included. */
  readonly timeout?: number
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (entry: LogEntry) => void
  readonly logLevel?: LoggingLevel
  readonly ask?: (requests: AskRequests) => Promise<AskResponses>
  /** Who calls; private servers are kept apart by its instance or session. */
  readonly caller?: Partial<Caller>
  readonly traceId?: string
}

const CLIENT_INFO: Implementation = { name: 'switchboard', version: '0.1.0' }

/** All that servers may ask for; whether a caller can answer is looked at when one does. */
const ALL_CAPABILITIES: ClientCapabilities = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
}

export class McpPool {
  readonly #servers: ServerSet
  readonly #guard = new OrphanGuard()
  readonly #clock: Clock
  readonly #logins: Logins | undefined
  readonly #options: McpPoolOptions
  readonly #listeners = new Listeners<[event: PoolEvent]>()
  readonly #defaultCaller: Caller
  #routes: Routes | undefined
  #nextCall = 1
  /** Undefined: not yet. */
  #started: StartManner | undefined
  #closed: Promise<void> | undefined

  /** Nothing is started. Throws `invalid_configuration`. */
  constructor(config: McpPoolInput | PoolConfig, options: McpPoolOptions = {}) {
    const checked = checkConfig(config, options)
    const { log = silentLogger, clock = systemClock, maxMessageBytes = MAX_MESSAGE_BYTES, cacheDirectory } = options
    this.#clock = clock
    this.#options = options
    this.#defaultCaller = { era: 'legacy', capabilities: options.ask === undefined ? {} : ALL_CAPABILITIES }
    const timings: UpstreamTimings = {
      eraProbeTimeout: 1500,
      healthProbeTimeout: 3000,
      idleProbeInterval: 30_000,
      stopGraces: STOP_GRACES,
      restartGraces: RESTART_GRACES,
      ...options.timings,
    }
    const guard = this.#guard
    const { logins: keeper, beginLogin: begin, clientInfo = CLIENT_INFO } = options
    if (keeper !== undefined)
      this.#logins = new Logins({ keeper, begin, clientName: clientInfo.title ?? clientInfo.name, log })
    const logins = this.#logins
    const environment: Omit<UpstreamEnvironment, 'findQueue'> = {
      clock,
      log,
      cache: cacheDirectory === undefined ? noCatalogCache : createCatalogCache(cacheDirectory),
      guard,
      slots: new StartSlots(checked.startParallelism, clock),
      clientInfo,
      logins,
      loginOffers: begin === undefined ? undefined : new LoginOffers(begin, log),
      capabilities: options.capabilities ?? ALL_CAPABILITIES,
      timings,
      maxMessageBytes,
      openServerLog: options.openServerLog ?? (() => log),
      judge: options.judge ?? judgeNothing,
      createTransport: (server, as) =>
        createTransport(server, as, {
          guard,
          maxMessageBytes,
          serversDirectory: options.serversDirectory,
          logins,
          ...timings,
        }),
    }
    this.#servers = new ServerSet(checked, environment, this.#createOwner(), (event) => this.#announce(event))
  }

  /**
   * Returns at once; servers come up in the background. `learns`: lazy ones of which nothing is known too, once, and only until
   * it is known what they offer. Default: false.
   */
  start({ learns = false }: Partial<StartManner> = {}): void {
    this.#throwOnClosed()
    this.#started = { learns }
    this.#servers.start(this.#started)
  }

  /** Every server that starts by itself is ready or has failed once. */
  ready(options: { signal?: AbortSignal } = {}): Promise<void> {
    return this.#servers.settled((server) => server.hasSettledOnce(), options.signal)
  }

  tools(): readonly ExposedTool[] {
    return this.#currentRoutes().tools
  }

  /** Those that `judge` keeps back. */
  heldTools(): readonly HeldTool[] {
    return this.#currentRoutes().heldTools
  }

  prompts(): readonly ExposedPrompt[] {
    return this.#currentRoutes().prompts
  }

  resources(): readonly ExposedResource[] {
    return this.#currentRoutes().resources
  }

  templates(): readonly ExposedTemplate[] {
    return this.#currentRoutes().templates
  }

  /** Calls a tool by its exposed name. Rejects with a `SwitchboardError`; a tool's own failure is a result with `isError`. */
  async call(tool: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    this.#throwOnClosed()
    const call = this.#createCall(options, tool)
    const route =
      this.#currentRoutes().findTool(tool) ??
      (await this.#awaitRoute(tool, call, () => this.#currentRoutes().findTool(tool)))
    if (route === undefined) throw this.#createUnknownToolError(tool)
    const begun = this.#clock.now()
    const { provider: server, own } = route
    try {
      const result = await this.#servers.provider(server).request('tools/call', { name: own, arguments: args }, call)
      if (this.#listeners.size > 0) {
        const outcome = result.isError === true ? 'tool_error' : 'ok'
        const durationMs = this.#clock.now() - begun
        this.#announce({ type: 'tool_called', server, tool, call, args, outcome, result, durationMs })
      }
      return result as unknown as CallToolResult
    } catch (thrown) {
      const durationMs = this.#clock.now() - begun
      const error = thrown instanceof SwitchboardError ? { error: thrown } : {}
      this.#announce({ type: 'tool_called', server, tool, call, args, outcome: 'failed', ...error, durationMs })
      throw thrown
    }
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    const route = this.#currentRoutes().findResource(uri)
    if (route === undefined) {
      throw new SwitchboardError('unknown_resource', `No server lists the resource ${uri}`)
    }
    const result = await this.request(route.provider, 'resources/read', { uri: route.uri }, options)
    return result as unknown as ReadResourceResult
  }

  async getPrompt(
    name: string,
    args: Record<string, string> = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const route = this.#currentRoutes().findPrompt(name)
    if (route === undefined) throw new SwitchboardError('unknown_prompt', `No server has a prompt named ${name}`)
    const result = await this.request(route.provider, 'prompts/get', { name: route.own, arguments: args }, options)
    return result as unknown as GetPromptResult
  }

  /** Completes an argument of a prompt (by its exposed name) or of a resource template. */
  async complete(
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    argument: { name: string; value: string },
    options: CallOptions = {},
  ): Promise<CompleteResult> {
    const routes = this.#currentRoutes()
    const [server, own] =
      ref.type === 'ref/prompt'
        ? [routes.findPrompt(ref.name)?.provider, { ...ref, name: routes.findPrompt(ref.name)?.own }]
        : [routes.templates.find(({ uriTemplate }) => uriTemplate === ref.uri)?.server, ref]
    if (server === undefined) {
      throw ref.type === 'ref/prompt'
        ? new SwitchboardError('unknown_prompt', `No server has a prompt named ${ref.name}`)
        : new SwitchboardError('unknown_resource', `No server lists the template ${ref.uri}`)
    }
    return (await this.request(
      server,
      'completion/complete',
      { ref: own, argument },
      options,
    )) as unknown as CompleteResult
  }

  /** Any request to one server, under the server's own names. */
  async request(
    server: string,
    method: string,
    params: JsonObject = {},
    options: CallOptions = {},
  ): Promise<JsonObject> {
    this.#throwOnClosed()
    return this.#servers.provider(server).request(method, params, this.#createCall(options))
  }

  /** One entry a server, in the order of the configuration; a private one has an entry for every owner. */
  status(): ServerStatus[] {
    return this.#servers.statuses()
  }

  /** The servers as the router sees them. */
  providers(): Provider[] {
    return this.#servers.providers()
  }

  onDidChange(listener: PoolListener): Disposable {
    return this.#listeners.add(listener)
  }

  /** What `judge` says of a server is another than before. One that is not configured has nothing to judge. */
  judgeAgain(server: string): void {
    this.#servers.judgeAgain(server)
  }

  restartServer(name: string): void {
    this.#throwOnClosed()
    this.#servers.restart(name)
  }

  /** Of a configured server. Throws `unknown_server`, or `login_failed` where there is nothing to log in to. */
  login(name: string): ServerLogin {
    return findLogin(this.#servers.config(name), this.#logins)
  }

  async stopServer(name: string): Promise<void> {
    await this.#servers.stop(name)
  }

  /** Applies a new configuration: only servers whose own entry changed are touched. Throws before anything is done. */
  async reconfigure(config: McpPoolInput | PoolConfig): Promise<void> {
    this.#throwOnClosed()
    const checked = checkConfig(config, this.#options)
    await this.#servers.reconfigure(checked, this.#started)
  }

  /** An instance has come: what each window has in its own folder is started where nobody knows yet what it offers. */
  prepare(instance: string, workspace: string, isMeant: (server: string) => boolean = () => true): void {
    this.#throwOnClosed()
    this.#servers.prepare(instance, workspace, isMeant)
  }

  /** An instance or session is over: its private servers are stopped, its subscriptions given up. */
  async release(caller: string): Promise<void> {
    await this.#servers.release(caller)
  }

  /** Waits `drain` ms for calls in flight, then stops every server. Nothing of ours is alive afterwards. */
  close(options: { drain?: number; force?: boolean } = {}): Promise<void> {
    this.#closed ??= this.#close(options)
    if (options.force) void this.#servers.stopAll({ force: true })
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Whatever could start a process is refused from the moment that closing begins. */
  #throwOnClosed(): void {
    if (this.#closed === undefined) return
    throw new SwitchboardError('shutting_down', 'The pool is closed', { executed: false })
  }

  async #close({ drain = 0, force = false }: { drain?: number; force?: boolean }): Promise<void> {
    if (drain > 0) await this.#servers.drain(drain)
    await this.#servers.stopAll({ force })
    this.#logins?.close()
    await this.#guard.close()
  }

  #currentRoutes(): Routes {
    this.#routes ??= new Routes(this.#servers.routed(), this.#options.reservedNames)
    return this.#routes
  }

  #announce(event: PoolEvent): void {
    if (event.type !== 'tool_called' && event.type !== 'resource_updated') this.#routes = undefined
    this.#listeners.notify(event)
  }

  #createCall(options: CallOptions, tool?: string): Call {
    const { signal = NEVER_ABORTED, timeout, onProgress, onLog, logLevel, caller } = options
    const ask = options.ask ?? this.#options.ask
    const base =
      options.ask === undefined ? this.#defaultCaller : { era: 'legacy' as const, capabilities: ALL_CAPABILITIES }
    return {
      id: String(this.#nextCall++),
      traceId: options.traceId ?? createTraceId(),
      caller: caller === undefined ? base : { ...base, ...caller },
      tool,
      signal,
      timeout,
      defaultTimeout: undefined,
      progress: onProgress,
      log: onLog,
      logLevel,
      ask,
    }
  }

  #createOwner(): (() => Call | undefined) | undefined {
    const { ask } = this.#options
    if (ask === undefined) return undefined
    const owner: Call = { id: '0', traceId: createTraceId(), caller: this.#defaultCaller, signal: NEVER_ABORTED, ask }
    return () => owner
  }

  /** A server that has never been up may have the tool: it is waited for, and its failure is the answer. */
  async #awaitRoute<T>(name: string, call: Call, find: () => T | undefined): Promise<T | undefined> {
    const candidates = this.#servers.unknownOnes(name)
    if (candidates.length === 0) return undefined
    for (const candidate of candidates) {
      await candidate.awaitCatalog(call)
      const found = find()
      if (found !== undefined) return found
    }
    return undefined
  }

  #createUnknownToolError(tool: string): SwitchboardError {
    const suggestions = this.#currentRoutes().suggestTools(tool)
    const hint = didYouMean(...suggestions)
    return new SwitchboardError('unknown_tool', `No tool is named "${tool}"`, {
      ...(hint === undefined ? {} : { hint }),
      details: { tool, suggestions },
    })
  }
}

function checkConfig(config: McpPoolInput | PoolConfig, options: McpPoolOptions): PoolConfig {
  // A list is ours; an object under that name is another client's file, and the checker says so.
  const isChecked = 'servers' in config && Array.isArray(config.servers)
  return isChecked ? config : checkPoolConfig(config, { env: options.env ?? process.env })
}
