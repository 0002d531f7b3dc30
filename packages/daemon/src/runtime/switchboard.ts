/**
 * The composition root: the one place that wires pool, gateway and transports. Configuration in, a running Switchboard
 * out; everything it starts it stops, in reverse.
 */
import type { Readable, Writable } from 'node:stream'
import { readFileLimit } from '@switchboard/base'
import {
  type AccessPolicy,
  type CallReport,
  Gateway,
  type HttpGatewayStats,
  type Identity,
  type Profile,
  type ProviderSource,
  Router,
  type StdioServer,
  serveStdio,
} from '@switchboard/gateway'
import type { DaemonSummary, ProviderScope } from '@switchboard/pack-switchboard'
import { type ExposedTool, McpPool, type PoolEvent, type ServerStatus } from '@switchboard/pool'
import type { Caller, JsonObject, ProviderStatus } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Implementation, LoggingLevel } from '@switchboard/protocol/mcp'
import { sanitizeName } from '@switchboard/protocol/naming'
import { type AuditTrail, formatMetrics, type Logger } from '@switchboard/telemetry'
import type { FileWork, MetError, PersonCall } from '@switchboard/toolkit'
import { auditCall } from '../audit/audit-call.ts'
import { findDoubts } from '../configuration/find-doubts.ts'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { ConnectionCaps } from '../http/connection-caps.ts'
import { HttpEntrance, type HttpOverrides, type PageRoutes } from '../http/http-entrance.ts'
import { CallMetrics } from '../metrics/call-metrics.ts'
import { measureContent } from '../metrics/measure-content.ts'
import { collectServerMetrics } from '../metrics/server-metrics.ts'
import { StoreMetrics } from '../metrics/store-metrics.ts'
import { Modes } from '../modes/modes.ts'
import { BuiltInPacks } from '../packs/built-in-packs.ts'
import { createServices, type Services } from '../packs/create-services.ts'
import { DECLARED_RATES, LISTED_PACKS, PACKS, RESERVED_NAMES } from '../packs/packs.ts'
import { type AskedCommand, runPersonCommand } from '../packs/person-commands.ts'
import { recallAnswer, recallInTime } from '../packs/recall.ts'
import { createProfiles } from '../profiles/create-profiles.ts'
import { HomeStore, type StoreReport } from '../store/home-store.ts'
import { createRates } from '../tools/create-rates.ts'

export interface SwitchboardOptions {
  readonly config: SwitchboardConfig
  readonly serverInfo: Implementation
  readonly log: Logger
  readonly openServerLog: (server: string) => Logger
  readonly cacheDirectory: string
  /** Where packs keep what lasts. */
  readonly storeFile: string
  /** A folder for each server that has no `cwd`. */
  readonly serversDirectory: string
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  /** Folders of the home. Absent: no tool reads logs, and no modes can be configured. */
  readonly home?: { readonly logs: string; readonly modes: string }
  /** What agents are told of the daemon that this runs in. Absent: there is none. */
  readonly describeDaemon?: () => DaemonSummary
  /** Where the calls of a caller are noted. Absent: nowhere. */
  readonly trailOf?: (caller: Caller) => AuditTrail
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onCalled?: (report: CallReport) => void
  /** What is served over HTTP besides the gateway. */
  readonly pages?: PageRoutes | undefined
}

export interface ReconfigureOutcome {
  /** Everything else holds already. */
  readonly needsRestart: boolean
  /** What does not hold yet, and why. */
  readonly reason?: SwitchboardError
}

/** `transport`: `stdio` unless it is said otherwise; `command` is a person, whom no mode binds. */
export type StdioIdentity = Pick<Identity, 'profile' | 'workspace' | 'timeout'> & {
  instance: string
  transport?: string
}

interface SwitchboardParts {
  readonly pool: McpPool
  readonly modes: Modes | undefined
  readonly packs: BuiltInPacks<Services>
  readonly store: HomeStore
  readonly storeMetrics: StoreMetrics
}

/** How long after the start a list waits for servers that were never seen before; a mute one must not cost more. */
const FIRST_START_MS = 3_000

export class Switchboard {
  readonly pool: McpPool
  readonly gateway: Gateway
  readonly router: Router
  readonly modes: Modes | undefined
  readonly connections: ConnectionCaps
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

  private constructor(options: SwitchboardOptions, { pool, modes, packs, store, storeMetrics }: SwitchboardParts) {
    const { config, serverInfo, log, trailOf, onCalled } = options
    this.#options = options
    this.#config = config
    this.pool = pool
    this.modes = modes
    this.#packs = packs
    this.#store = store
    this.#storeMetrics = storeMetrics
    this.connections = new ConnectionCaps({ limit: readFileLimit(), log, servers: () => this.#config.servers.length })
    pool.onDidChange((event) => this.#onPoolEvent(event))
    this.router = new Router(createSource(pool, packs), this.profiles())
    this.gateway = new Gateway({
      router: this.router,
      serverInfo,
      log,
      ...createLimits(config),
      onCallerGone: (caller) => this.release(caller),
      onLogLevel: (level) => this.#setLogLevel(level),
      starting: () => this.#waitForUnknown(),
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
    const { config, serverInfo, log, openServerLog, cacheDirectory, serversDirectory, env, home, describeDaemon } =
      options
    const modes = createModes(options)
    const pool = new McpPool(config, {
      log,
      openServerLog,
      cacheDirectory,
      serversDirectory,
      clientInfo: serverInfo,
      reservedNames: RESERVED_NAMES,
      ...(env === undefined ? {} : { env }),
    })
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
        pool,
        log,
        logsDirectory: home?.logs,
        modes,
        scopeOf: ({ profile }) => switchboard.#scopeOf(profile),
        daemon: () => describeDaemon?.(),
        packs: () => packs.providers(),
        store: () => store.describe(),
        standing: (caller) => packs.standing(caller),
        recall: (error, caller) => recallInTime(switchboard, error, caller, log),
        codeIndex: () => packs.codeIndex(),
      }),
    })
    const switchboard: Switchboard = new Switchboard(options, { pool, modes, packs, store, storeMetrics })
    return switchboard
  }

  /**
   * Returns at once; servers come up in the background, and the catalog of those that are known is there already. `isForAgents`:
   * of a lazy server that was never seen as well, which is started once for it: no agent uses what is not listed.
   */
  start({ isForAgents }: { readonly isForAgents: boolean }): void {
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
    return this.pool.status()
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
    const commands = asked.of === 'store' ? this.#store.commands : this.#packs.commandsOf(asked.of)
    return runPersonCommand(commands, asked, call)
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
    const servers = this.pool.status().filter(({ name }) => isShown(name))
    return formatMetrics([
      ...this.#metrics.collect(isShown),
      ...collectServerMetrics(servers, this.gateway, this.httpStats()),
      ...this.#storeMetrics.collect(),
      ...this.#packs.metrics(isShown),
    ])
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
    await this.pool.reconfigure(config)
    this.#config = config
    await this.modes?.reconfigure({ modes: config.modes, modeForHttp: config.gateway.modeForHttp })
    await this.#packs.reconfigure(config.packs)
    this.router.setProfiles(this.profiles())
    this.gateway.reconfigure(createLimits(config))
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
    const isUnknown = this.pool.providers().some((provider) => {
      const { tools, resources, prompts } = provider.catalog()
      return provider.status().state === 'starting' && tools.length + resources.length + prompts.length === 0
    })
    return isUnknown ? this.#firstStart : undefined
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
    this.gateway.close()
    this.modes?.close()
    this.router.dispose()
    await Promise.all([this.#packs.close(), this.pool.close()])
    // After the packs: what they still had to write is written.
    await this.#store.close()
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

function createModes({ config: { modes, gateway }, home, log }: SwitchboardOptions): Modes | undefined {
  refuseModesWithoutHome({ home }, { modes })
  return home === undefined
    ? undefined
    : new Modes({ directory: home.modes, log, modes, modeForHttp: gateway.modeForHttp })
}

function refuseModesWithoutHome(
  { home }: { readonly home?: SwitchboardOptions['home'] | undefined },
  { modes }: Pick<SwitchboardConfig, 'modes'>,
): void {
  if (home !== undefined || Object.keys(modes).length === 0) return
  throw new SwitchboardError('invalid_configuration', 'Modes are configured, and there is no home to keep them in')
}

/** Our own come last: names and places of the servers' tools do not depend on them. */
function createSource(pool: McpPool, packs: BuiltInPacks<Services>): ProviderSource {
  return {
    providers: () => [...pool.providers(), ...packs.providers()],
    absentIn: (workspace) => packs.absentIn(workspace),
    onDidChangeProviders: (listener) => {
      const subscriptions = [
        packs.onDidChange(listener),
        pool.onDidChange((event) => {
          if (event.type === 'servers_changed') listener()
        }),
      ]
      return {
        dispose: () => {
          for (const subscription of subscriptions) subscription.dispose()
        },
      }
    },
  }
}

function createLimits({ gateway: { rates, maxInFlight, questionTimeout } }: SwitchboardConfig) {
  return { limits: { maxInFlight, rate: createRates(rates, DECLARED_RATES) }, parkedTtl: questionTimeout }
}
