/**
 * The composition root: the one place that wires pool, gateway and transports. Configuration in, a running Switchboard
 * out; everything it starts it stops, in reverse.
 */
import type { Readable, Writable } from 'node:stream'
import {
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
import { type ExposedTool, McpPool, type PoolEvent, type ServerStatus, type SwitchboardConfig } from '@switchboard/pool'
import {
  type Implementation,
  type JsonObject,
  type LoggingLevel,
  type Provider,
  SwitchboardError,
} from '@switchboard/protocol'
import { type AuditTrail, formatMetrics, type Logger } from '@switchboard/telemetry'
import { auditCall } from './audit-call.ts'
import { BuiltinProvider, listOwnTools } from './builtin/builtin-provider.ts'
import { createOwnContent } from './builtin/own-content.ts'
import { createRates } from './create-rates.ts'
import { HttpEntrance, type HttpOverrides } from './http-entrance.ts'
import { CallMetrics } from './metrics/call-metrics.ts'
import { measureContent } from './metrics/measure-content.ts'
import { collectServerMetrics } from './metrics/server-metrics.ts'
import { Modes } from './modes/modes.ts'
import { BuiltInPacks } from './packs/built-in-packs.ts'
import { createProfiles } from './profiles.ts'

export interface SwitchboardOptions {
  readonly config: SwitchboardConfig
  readonly serverInfo: Implementation
  readonly log: Logger
  readonly openServerLog: (server: string) => Logger
  readonly cacheDirectory: string
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  /** Folders of the home. Absent: no tool reads logs, and no modes can be configured. */
  readonly home?: { readonly logs: string; readonly modes: string }
  /** What agents are told of the daemon that this runs in. Absent: there is none. */
  readonly describeDaemon?: () => JsonObject
  /** Where the calls of an instance are noted. Absent: nowhere. */
  readonly trailOf?: (instance: string | undefined) => AuditTrail
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onCalled?: (report: CallReport) => void
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

/** How long after the start a list waits for servers that were never seen before; a mute one must not cost more. */
const FIRST_START_MS = 3_000

export class Switchboard {
  readonly pool: McpPool
  readonly gateway: Gateway
  readonly router: Router
  readonly modes: Modes | undefined
  readonly #metrics = new CallMetrics()
  readonly #packs: BuiltInPacks
  readonly #builtin: BuiltinProvider
  readonly #options: SwitchboardOptions
  #config: SwitchboardConfig
  #http: HttpEntrance | undefined
  #logLevel: LoggingLevel | undefined
  #firstStart: Promise<void> | undefined
  /** One change at a time. */
  #reconfiguring: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(options: SwitchboardOptions) {
    const { config, serverInfo, log, openServerLog, cacheDirectory, trailOf, env, onCalled } = options
    this.#options = options
    this.#config = config
    this.pool = new McpPool(config, {
      log,
      openServerLog,
      cacheDirectory,
      clientInfo: serverInfo,
      ...(env === undefined ? {} : { env }),
    })
    this.pool.onDidChange((event) => this.#onPoolEvent(event))
    this.modes = this.#createModes(config)
    this.#packs = new BuiltInPacks(config.packs, { log, cacheDirectory })
    this.#builtin = new BuiltinProvider(this.#createOwnContent())
    this.router = new Router(createSource(this.pool, this.#packs, this.#builtin), this.profiles())
    const { modes } = this
    this.gateway = new Gateway({
      router: this.router,
      serverInfo,
      log,
      ...createLimits(config),
      onCallerGone: (caller) => this.release(caller),
      onLogLevel: (level) => this.#setLogLevel(level),
      starting: () => this.#waitForUnknown(),
      ...(modes === undefined ? {} : { authorize: modes.authorize }),
      onCalled: (report) => {
        const bytes = report.result === undefined ? 0 : measureContent(report.result)
        this.#metrics.record(report, bytes)
        if (trailOf !== undefined) auditCall(trailOf(report.call.caller.instance), report, bytes)
        onCalled?.(report)
      },
    })
  }

  /** Returns at once; servers come up in the background, and the catalog of those that are known is there already. */
  start(): void {
    this.pool.start()
    const over = new Promise<void>((resolve) => void setTimeout(resolve, FIRST_START_MS).unref())
    this.#firstStart = Promise.race([this.pool.ready(), over]).finally(() => {
      this.#firstStart = undefined
    })
  }

  /** Refuses to be open beyond loopback without authentication. */
  async listen(overrides: HttpOverrides = {}): Promise<{ url: string; port: number }> {
    const { tokensFile, log } = this.#options
    await this.#http?.close({ drain: 0 })
    const metrics = (): string => this.metrics()
    const entrance = new HttpEntrance({ gateway: this.gateway, tokensFile, log, overrides, metrics })
    this.#http = entrance
    return entrance.listen(this.#config.gateway)
  }

  /** Where agents reach us over HTTP, without a path. Undefined while it does not listen. */
  get url(): string | undefined {
    return this.#http?.url
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
    return createProfiles(this.#config.profiles, this.#packs.debugTools())
  }

  status(): ServerStatus[] {
    return this.pool.status()
  }

  /** As the commands show them beside `pool.tools()`. */
  get ownTools(): ExposedTool[] {
    const view = this.router.viewFor({ profile: 'default', isUnrestricted: true })
    return [...this.#packs.providers(), this.#builtin].flatMap((provider) =>
      listOwnTools(provider).flatMap((tool) => {
        const name = view.exposeTool(provider.name, tool.own)
        return name === undefined ? [] : [{ ...tool, name }]
      }),
    )
  }

  /** As `/metrics` shows them. */
  metrics(): string {
    return formatMetrics([
      ...this.#metrics.collect(),
      ...collectServerMetrics(this.pool.status(), this.gateway, this.httpStats()),
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
    this.#refuseModesWithoutHome(config)
    await this.pool.reconfigure(config)
    this.#config = config
    await this.modes?.reconfigure({ modes: config.modes, modeForHttp: config.gateway.modeForHttp })
    this.#builtin.update(this.#createOwnContent())
    await this.#packs.reconfigure(config.packs)
    this.router.setProfiles(this.profiles())
    this.gateway.reconfigure(createLimits(config))
    const reason = await this.#http?.reconfigure(config.gateway)
    return reason === undefined ? { needsRestart: false } : { needsRestart: true, reason }
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

  #createModes(config: SwitchboardConfig): Modes | undefined {
    const { home, log } = this.#options
    this.#refuseModesWithoutHome(config)
    const { modes, gateway } = config
    return home === undefined
      ? undefined
      : new Modes({ directory: home.modes, log, modes, modeForHttp: gateway.modeForHttp })
  }

  #refuseModesWithoutHome({ modes }: SwitchboardConfig): void {
    if (this.#options.home !== undefined || Object.keys(modes).length === 0) return
    throw new SwitchboardError('invalid_configuration', 'Modes are configured, and there is no home to keep them in')
  }

  #createOwnContent() {
    const { home, log, serverInfo, describeDaemon } = this.#options
    return createOwnContent({
      version: serverInfo.version,
      servers: () => this.pool.status(),
      daemon: () => describeDaemon?.(),
      log,
      ...(home === undefined ? {} : { logsDirectory: home.logs }),
      ...(this.modes === undefined ? {} : { modes: this.modes }),
    })
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

  async #close(drain: number): Promise<void> {
    await this.#http?.close({ drain })
    this.gateway.close()
    this.modes?.close()
    this.router.dispose()
    await Promise.all([this.#packs.close(), this.pool.close()])
  }

  /** Servers keep one level for all; each client is sent what it asked for. */
  #setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level
    for (const { name, state, era } of this.pool.status()) {
      if (state === 'ready' && era === 'legacy') this.#sendLogLevel(name, level)
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

/** Our own come last: names and places of the servers' tools do not depend on them. */
function createSource(pool: McpPool, packs: BuiltInPacks, builtin: Provider): ProviderSource {
  return {
    providers: () => [...pool.providers(), ...packs.providers(), builtin],
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
  return { limits: { maxInFlight, rate: createRates(rates) }, parkedTtl: questionTimeout }
}
