/**
 * The composition root: the one place that wires pool, gateway and transports. Configuration in, a running Switchboard
 * out; everything it starts it stops, in reverse.
 */
import type { Readable, Writable } from 'node:stream'
import { readFileLimit } from '@switchboard/base'
import {
  type AccessPolicy,
  Gateway,
  type HttpGatewayStats,
  type Profile,
  Router,
  type StdioServer,
  serveStdio,
} from '@switchboard/gateway'
import type { ProviderScope } from '@switchboard/pack-switchboard'
import type { ExposedTool, McpPool, PoolEvent, ServerStatus } from '@switchboard/pool'
import type { Caller, JsonObject, ProviderStatus } from '@switchboard/protocol'
import type { LoggingLevel } from '@switchboard/protocol/mcp'
import { sanitizeName } from '@switchboard/protocol/naming'
import type { SecretStore } from '@switchboard/secrets'
import { formatMetrics, type Metric } from '@switchboard/telemetry'
import type { FileWork, MetError, PersonCall } from '@switchboard/toolkit'
import { auditCall } from '../audit/audit-call.ts'
import { findDoubts } from '../configuration/find-doubts.ts'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { ConnectionCaps } from '../http/connection-caps.ts'
import { HttpEntrance, type HttpOverrides } from '../http/http-entrance.ts'
import type { LoginService } from '../logins/login-service.ts'
import { CallMetrics } from '../metrics/call-metrics.ts'
import { measureContent } from '../metrics/measure-content.ts'
import { collectServerMetrics } from '../metrics/server-metrics.ts'
import { StoreMetrics } from '../metrics/store-metrics.ts'
import type { Modes } from '../modes/modes.ts'
import { BuiltInPacks } from '../packs/built-in-packs.ts'
import { createServices, type Services } from '../packs/create-services.ts'
import { LISTED_PACKS, PACKS } from '../packs/packs.ts'
import { type AskedCommand, type PersonCommands, runPersonCommand } from '../packs/person-commands.ts'
import { recallAnswer, recallInTime } from '../packs/recall.ts'
import { createProfiles } from '../profiles/create-profiles.ts'
import { Projects, type ProjectWindow } from '../projects/projects.ts'
import { HomeStore, type StoreReport } from '../store/home-store.ts'
import { TelemetryExport } from '../telemetry/telemetry-export.ts'
import { createTrustCommands } from '../trust/trust-commands.ts'
import type { TrustRegistry } from '../trust/trust-registry.ts'
import { describeTrust } from '../trust/trust-report.ts'
import {
  createLimits,
  createModes,
  createProjectsOptions,
  createSource,
  FIRST_START_MS,
  isUnknown,
  refuseModesWithoutHome,
} from './create-parts.ts'
import { openServers, type Servers } from './open-servers.ts'
import type { ReconfigureOutcome, StdioIdentity, SwitchboardOptions } from './switchboard-options.ts'

interface SwitchboardParts extends Servers {
  readonly modes: Modes | undefined
  readonly packs: BuiltInPacks<Services>
  readonly store: HomeStore
  readonly storeMetrics: StoreMetrics
}

export class Switchboard {
  readonly pool: McpPool
  readonly gateway: Gateway
  readonly router: Router
  readonly secrets: SecretStore
  readonly logins: LoginService
  readonly modes: Modes | undefined
  readonly connections: ConnectionCaps
  /** Undefined: there is no home to remember in, and all that servers say is passed on. */
  readonly trust: TrustRegistry | undefined
  readonly projects: Projects
  readonly #telemetry: TelemetryExport
  readonly #metrics = new CallMetrics()
  readonly #packs: BuiltInPacks<Services>
  readonly #store: HomeStore
  readonly #storeMetrics: StoreMetrics
  readonly #options: SwitchboardOptions
  #config: SwitchboardConfig
  #http: HttpEntrance | undefined
  #logLevel: LoggingLevel | undefined
  #firstStart: Promise<void> | undefined
  /** One change at a time. */
  #reconfiguring: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  private constructor(
    options: SwitchboardOptions,
    { pool, secrets, logins, modes, packs, store, storeMetrics, trust }: SwitchboardParts,
  ) {
    const { config, serverInfo, log, trailOf, onCalled } = options
    this.#options = options
    this.#config = config
    this.pool = pool
    this.secrets = secrets
    this.logins = logins
    this.modes = modes
    this.trust = trust
    this.#packs = packs
    this.#store = store
    this.#storeMetrics = storeMetrics
    this.connections = new ConnectionCaps({
      limit: readFileLimit(),
      log,
      servers: () => this.projects.place(this.#config).servers.length,
    })
    pool.onDidChange((event) => this.#onPoolEvent(event))
    this.#telemetry = new TelemetryExport({
      env: options.env ?? {},
      version: serverInfo.version,
      log,
      collect: () => this.#collect(() => true),
      onStarted: () => options.onTraced?.(),
    })
    this.projects = new Projects({
      ...createProjectsOptions(options, pool),
      config: () => this.#config,
      apply: () => this.#applyProjects(),
    })
    this.router = new Router(createSource(pool, packs, this.projects), this.profiles())
    this.gateway = new Gateway({
      router: this.router,
      serverInfo,
      log,
      ...createLimits(config),
      onCallerGone: (caller) => this.release(caller),
      onLogLevel: (level) => this.#setLogLevel(level),
      starting: ({ workspace }) => this.#waitForUnknown() ?? this.projects.starting(workspace),
      onFileLink: (server, uri, { workspace }) => trust?.noteFileLink(server, uri, workspace),
      tracer: this.#telemetry,
      onFrontTimes: (instance, params) => this.#telemetry.noteFrontTimes(instance, params),
      remark: (failed) => recallAnswer(this, failed, log),
      ...(modes === undefined ? {} : { authorize: modes.authorize }),
      onCalled: (report) => {
        const bytes = report.result === undefined ? 0 : measureContent(report.result)
        this.#metrics.record(report, bytes)
        if (trailOf !== undefined) auditCall(trailOf(report.call.caller), report, bytes)
        onCalled?.(report)
      },
    })
  }

  /** Nothing runs yet but the packs. Rejects with `invalid_configuration`. */
  static async open(options: SwitchboardOptions): Promise<Switchboard> {
    const { config, serverInfo, log, cacheDirectory, home, describeDaemon } = options
    const modes = createModes(options)
    let opened: Switchboard | undefined
    // Catalogs that are remembered are judged while the pool is made.
    const servers = openServers(options, () => opened?.projects.place(opened.#config) ?? config)
    const storeMetrics = new StoreMetrics()
    const store = new HomeStore({
      file: options.storeFile,
      url: config.daemon.store,
      observer: storeMetrics.observer,
      log,
      backupEvery: () => switchboard.#config.daemon.backup,
    })
    const packs: BuiltInPacks<Services> = await BuiltInPacks.open<Services>({
      packs: PACKS,
      settings: config.packs,
      log,
      cacheDirectory,
      storeFor: (pack) => store.forPack(pack),
      services: createServices({
        version: serverInfo.version,
        servers: () => switchboard.status(),
        log,
        logsDirectory: home?.logs,
        modes,
        scopeOf: ({ profile }) => switchboard.#scopeOf(profile),
        projects: () => switchboard.projects,
        daemon: () => describeDaemon?.(),
        packs: () => packs.providers(),
        store: () => store.describe(),
        standing: (caller) => packs.standing(caller),
        recall: (error, caller) => recallInTime(switchboard, error, caller, log),
        codeIndex: () => packs.codeIndex(),
      }),
    })
    const switchboard: Switchboard = new Switchboard(options, { ...servers, modes, packs, store, storeMetrics })
    opened = switchboard
    await switchboard.#telemetry.configure(config.telemetry)
    return switchboard
  }

  /**
   * Returns at once; servers come up in the background, and the catalog of those that are known is there already. `isForAgents`:
   * of a lazy server that was never seen as well, which is started once for it: no agent uses what is not listed.
   */
  start({ isForAgents }: { readonly isForAgents: boolean }): void {
    this.trust?.start()
    this.pool.start({ learns: isForAgents })
    if (isForAgents) {
      this.#store.start()
      this.#packs.start()
    }
    const over = new Promise<void>((resolve) => void setTimeout(resolve, FIRST_START_MS).unref())
    this.#firstStart = Promise.race([this.pool.ready(), over]).finally(() => {
      this.#firstStart = undefined
    })
  }

  /** Refuses to be open beyond loopback without authentication. */
  async listen(overrides: HttpOverrides = {}): Promise<{ url: string; port: number }> {
    const { tokensFile, log, pages } = this.#options
    await this.#http?.close({ drain: 0 })
    const metrics = (isShown: (server: string) => boolean): string => this.metrics(isShown)
    const entrance = new HttpEntrance({
      gateway: this.gateway,
      tokensFile,
      log,
      overrides,
      metrics,
      pages,
      connections: this.connections.http,
    })
    this.#http = entrance
    return entrance.listen(this.#config.gateway)
  }

  /** Where agents reach us over HTTP, without a path. Undefined while it does not listen. */
  get url(): string | undefined {
    return this.#http?.url
  }

  /** Who comes in over HTTP without a credential. Undefined while it does not listen. */
  get accessPolicy(): AccessPolicy | undefined {
    return this.url === undefined ? undefined : this.#http?.policy
  }

  /** One agent on a pair of streams. */
  serveStdio(input: Readable, output: Writable, identity: StdioIdentity): StdioServer {
    const { instance } = identity
    void this.modes?.attach(instance)
    const server = serveStdio({ gateway: this.gateway, identity: { transport: 'stdio', ...identity }, input, output })
    void server.ended.then(() => {
      this.modes?.detach(instance)
      this.release(instance)
    })
    return server
  }

  /** Nobody is left who could use what belongs to this caller alone: private servers, debug sessions. */
  release(caller: string): void {
    this.projects.leave(caller)
    void this.pool.release(caller)
    this.#packs.release(caller)
  }

  /** Those of the configuration, and those that are built in. */
  profiles(): Profile[] {
    return createProfiles(this.#config.profiles, this.#packs.active())
  }

  /** What in the configuration names nobody; see `find-doubts.ts`. */
  doubts(): string[] {
    const view = this.router.viewFor({ profile: 'default', isUnrestricted: true })
    const unknown = view.providers.filter((provider) => provider.catalog().tools.length === 0)
    return findDoubts(this.#config, LISTED_PACKS, {
      names: view.tools.map(({ name }) => name),
      mayBe: (name) =>
        unknown.some(({ name: provider, naming }) => {
          const prefix = naming?.prefix ?? provider
          return prefix === false || name.startsWith(`${sanitizeName(prefix)}_`)
        }),
    })
  }

  status(): ServerStatus[] {
    const told = new Map(this.trust?.summarize().map((summary) => [summary.server, describeTrust(summary)]))
    return this.pool.status().map((status) => {
      const trust = told.get(status.name)
      return trust === undefined ? status : { ...status, trust }
    })
  }

  /** As the commands show them beside `pool.tools()`. */
  get ownTools(): ExposedTool[] {
    const view = this.router.viewFor({ profile: 'default', isUnrestricted: true })
    return this.#packs.providers().flatMap((provider) =>
      provider.catalog().tools.flatMap((tool) => {
        const name = view.exposeTool(provider.name, tool.name)
        return name === undefined ? [] : [{ ...tool, name, server: provider.name, own: tool.name, stale: false }]
      }),
    )
  }

  /** For a person at a terminal. Rejects with what the command says. */
  runCommand(asked: AskedCommand, call: PersonCall): Promise<JsonObject> {
    return runPersonCommand(this.#commandsOf(asked.of), asked, call)
  }

  #commandsOf(of: string): PersonCommands | undefined {
    if (of === 'store') return this.#store.commands
    if (of === 'project') return this.projects.commands
    if (of === 'trust') return this.trust === undefined ? undefined : createTrustCommands(this.trust)
    return this.#packs.commandsOf(of)
  }

  /** Of the pack that looks at files; undefined: none does. */
  get fileWork(): FileWork | undefined {
    return this.#packs.fileWork()
  }

  /** What all packs keep, without opening it. */
  describeStore(): Promise<StoreReport> {
    return this.#store.describe()
  }

  /** How the built-in packs are. */
  packStatus(): ProviderStatus[] {
    return this.#packs.providers().map((provider) => provider.status())
  }

  /** As `/metrics` shows them. Default: of all servers and packs. */
  metrics(isShown: (server: string) => boolean = () => true): string {
    return formatMetrics(this.#collect(isShown))
  }

  #collect(isShown: (server: string) => boolean): Metric[] {
    const servers = this.pool.status().filter(({ name }) => isShown(name))
    return [
      ...this.#metrics.collect(isShown),
      ...collectServerMetrics(servers, this.gateway, this.httpStats()),
      ...this.#storeMetrics.collect(),
      ...this.#packs.metrics(isShown),
      ...this.#telemetry.metrics(),
    ]
  }

  /** Fronts are asked how long they had each request. */
  get isTracing(): boolean {
    return this.#telemetry.isOn
  }

  /** One of our own in full, by any of its names; undefined: it is none of ours. */
  describeOwnTool(given: string): ExposedTool | undefined {
    const view = this.router.viewFor({ profile: 'default', isUnrestricted: true })
    const name = view.canonicalName(given)
    const own = this.ownTools.find((tool) => tool.name === name)
    return own === undefined ? undefined : { ...own, ...view.describeTool(name) }
  }

  httpStats(): HttpGatewayStats | undefined {
    return this.#http?.stats()
  }

  /**
   * Everything changes live; only servers whose own entry changed are started anew. Throws, before anything is changed,
   * what speaks against the new configuration. What cannot be had (a port in use) is tried again the next time.
   */
  reconfigure(config: SwitchboardConfig): Promise<ReconfigureOutcome> {
    const done = this.#reconfiguring.then(() => this.#reconfigure(config))
    this.#reconfiguring = done.catch(() => undefined)
    return done
  }

  async #reconfigure(config: SwitchboardConfig): Promise<ReconfigureOutcome> {
    this.#http?.check(config.gateway)
    refuseModesWithoutHome(this.#options, config)
    const whole = this.projects.place(config)
    await this.pool.reconfigure(whole)
    const isOtherwiseTrusted = this.#config.definitions !== config.definitions
    this.#config = config
    if (isOtherwiseTrusted) for (const { name } of whole.servers) this.pool.judgeAgain(name)
    this.#prepareWindows()
    // What is the person's own may be another now.
    void this.projects.look()
    await this.modes?.reconfigure({ modes: config.modes, modeForHttp: config.gateway.modeForHttp })
    await this.#packs.reconfigure(config.packs)
    this.router.setProfiles(this.profiles())
    this.gateway.reconfigure(createLimits(config))
    await this.#telemetry.configure(config.telemetry)
    const reason = await this.#http?.reconfigure(config.gateway)
    // The store is not moved under those who use it.
    const isOtherStore = config.daemon.store !== this.#options.config.daemon.store
    return reason === undefined ? { needsRestart: isOtherStore } : { needsRestart: true, reason }
  }

  /** New requests over HTTP are refused; those under way may finish for so long, then they fail. The rest goes on. */
  async drain(ms: number): Promise<void> {
    await this.#http?.close({ drain: ms })
  }

  /** Refuses new calls, lets those under way finish for `drain` ms, then ends everything. */
  close({ drain = 0, force = false }: { drain?: number; force?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#close(drain)
    if (force) void this.pool.close({ force: true })
    return this.#closing
  }

  /** Undefined: of every server something is known, be it from an earlier run, or the time is over. */
  #waitForUnknown(): Promise<void> | undefined {
    if (this.#firstStart === undefined) return undefined
    return this.pool.providers().some(isUnknown) ? this.#firstStart : undefined
  }

  /** A window has come: awaited before its first message is read. */
  async enter(window: ProjectWindow): Promise<void> {
    await this.projects.enter(window)
    this.#prepareWindows([window])
  }

  #applyProjects(): Promise<void> {
    const done = this.#reconfiguring.then(() => this.pool.reconfigure(this.projects.place(this.#config)))
    this.#reconfiguring = done.catch(() => undefined)
    return done.then(() => this.#prepareWindows())
  }

  #prepareWindows(windows: readonly ProjectWindow[] = this.projects.windows()): void {
    if (this.#closing !== undefined) return
    for (const { instance, workspace } of windows)
      this.pool.prepare(instance, workspace, (server) => this.projects.isSeenFrom(workspace, server))
  }

  /** What a profile shows of servers and packs; undefined: all, also where nobody is bound to one. */
  #scopeOf(profile: string | undefined): ProviderScope | undefined {
    if (profile === undefined) return undefined
    if (!this.router.hasProfile(profile)) return () => false
    const view = this.router.view(profile)
    if (view.profile.providers === undefined) return undefined
    const shown = new Set(view.providers.map(({ name }) => name))
    return (provider) => shown.has(provider)
  }

  /** A caller that is bound to a profile without the memory hears nothing of it. */
  recall(error: MetError, caller: Caller): Promise<string | undefined> {
    return this.#packs.recall(error, caller, this.#scopeOf(caller.profile))
  }

  async #close(drain: number): Promise<void> {
    await this.#http?.close({ drain })
    await this.projects.close()
    this.gateway.close()
    await this.logins.close()
    this.modes?.close()
    this.router.dispose()
    await Promise.all([this.#packs.close(), this.pool.close()])
    await this.trust?.close()
    // After the packs: what they still had to write is written.
    await this.#store.close()
    await this.#telemetry.close()
  }

  /** Servers keep one level for all; each client is sent what it asked for. */
  #setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level
    for (const { name, state, era, eras = [era] } of this.pool.status()) {
      if (state === 'ready' && eras.includes('legacy')) this.#sendLogLevel(name, level)
    }
  }

  /** A server that starts, or starts again, knows nothing of what was asked for before. */
  #onPoolEvent(event: PoolEvent): void {
    if (event.type !== 'state_changed' || event.state !== 'ready' || event.previous === 'probing') return
    if (this.#logLevel !== undefined) this.#sendLogLevel(event.server, this.#logLevel)
  }

  #sendLogLevel(server: string, level: LoggingLevel): void {
    this.pool.request(server, 'logging/setLevel', { level }, { timeout: 5000 }).catch(() => {
      // A server without logging says so; there is nothing to do about it.
    })
  }
}
