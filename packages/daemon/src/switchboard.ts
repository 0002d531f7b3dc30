/**
 * The composition root: the one place that wires pool, gateway and transports. Configuration in, a running Switchboard
 * out; everything it starts it stops, in reverse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import {
  checkBind,
  createAuthenticator,
  createHttpGateway,
  Gateway,
  type HttpGateway,
  type HttpGatewayStats,
  isLoopbackHost,
  OAuthResource,
  type Profile,
  type ProviderSource,
  Router,
  type StdioServer,
  serveStdio,
  TokenStore,
} from '@switchboard/gateway'
import {
  type GatewayConfig,
  McpPool,
  type PoolEvent,
  type ServerStatus,
  type SwitchboardConfig,
} from '@switchboard/pool'
import { type Implementation, type LoggingLevel, SwitchboardError } from '@switchboard/protocol'
import type { AuditTrail, Logger } from '@switchboard/telemetry'
import { auditCall } from './audit-call.ts'
import { createRates } from './create-rates.ts'

export interface SwitchboardOptions {
  readonly config: SwitchboardConfig
  readonly serverInfo: Implementation
  readonly log: Logger
  readonly openServerLog: (server: string) => Logger
  readonly cacheDirectory: string
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  readonly trail?: AuditTrail
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What differs from the configuration for this run. */
export interface HttpOverrides {
  readonly host?: string
  readonly port?: number
}

/** How long after the start a list waits for servers that were never seen before; a mute one must not cost more. */
const FIRST_START_MS = 3_000

export class Switchboard {
  readonly pool: McpPool
  readonly gateway: Gateway
  readonly router: Router
  readonly #options: SwitchboardOptions
  #config: SwitchboardConfig
  #http: HttpGateway | undefined
  #tokens: TokenStore | undefined
  #logLevel: LoggingLevel | undefined
  #firstStart: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: SwitchboardOptions) {
    const { config, serverInfo, log, openServerLog, cacheDirectory, trail, env } = options
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
    this.router = new Router(createSource(this.pool), createProfiles(config))
    const rate = createRates(config.gateway.rates)
    this.gateway = new Gateway({
      router: this.router,
      serverInfo,
      log,
      limits: { maxInFlight: config.gateway.maxInFlight, ...(rate === undefined ? {} : { rate }) },
      parkedTtl: config.gateway.questionTimeout,
      onCallerGone: (caller) => void this.pool.release(caller),
      onLogLevel: (level) => this.#setLogLevel(level),
      starting: () => this.#waitForUnknown(),
      ...(trail === undefined ? {} : { onCalled: (report) => auditCall(trail, report) }),
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
    const { gateway: settings } = this.#config
    const { host, port } = { host: settings.host, port: settings.port, ...overrides }
    const isAuthenticated = settings.requireAuth || settings.oauth !== undefined
    checkBind(host, isAuthenticated)
    const oauth = settings.oauth === undefined ? undefined : new OAuthResource(toOauth(settings.oauth))
    this.#tokens = new TokenStore(this.#options.tokensFile)
    this.#http = createHttpGateway({
      gateway: this.gateway,
      host,
      port,
      maxBodyBytes: settings.maxBodyBytes,
      sessionIdleTtl: settings.sessionIdleTimeout,
      resumeGrace: settings.resumeGrace,
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
      authenticate: createAuthenticator({
        tokens: this.#tokens,
        ...(oauth === undefined ? {} : { oauth }),
        required: isAuthenticated || !isLoopbackHost(host),
        log: this.#options.log,
      }),
      ...(oauth === undefined ? {} : { extraRoutes: createMetadataRoute(oauth) }),
      log: this.#options.log,
    })
    try {
      return await this.#http.listen()
    } catch (error) {
      throw toListenError(error, host, port)
    }
  }

  /** One agent on a pair of streams. */
  serveStdio(input: Readable, output: Writable, identity: { instance: string; profile: string }): StdioServer {
    return serveStdio({ gateway: this.gateway, identity: { ...identity, transport: 'stdio' }, input, output })
  }

  status(): ServerStatus[] {
    return this.pool.status()
  }

  httpStats(): HttpGatewayStats | undefined {
    return this.#http?.stats()
  }

  /** Servers change live. How agents reach us does not: that is said, and holds from the next start. */
  async reconfigure(config: SwitchboardConfig): Promise<{ needsRestart: boolean }> {
    await this.pool.reconfigure(config)
    const isSame =
      JSON.stringify([this.#config.gateway, this.#config.profiles]) ===
      JSON.stringify([config.gateway, config.profiles])
    if (isSame) this.#config = config
    return { needsRestart: !isSame }
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

  async #close(drain: number): Promise<void> {
    await this.#http?.close({ drain })
    await this.#tokens?.close()
    this.gateway.close()
    this.router.dispose()
    await this.pool.close()
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

function createSource(pool: McpPool): ProviderSource {
  return {
    providers: () => pool.providers(),
    onDidChangeProviders: (listener) =>
      pool.onDidChange((event) => {
        if (event.type === 'servers_changed') listener()
      }),
  }
}

function createProfiles(config: SwitchboardConfig): Profile[] {
  return Object.entries(config.profiles).map(([name, { providers, tools, search, pinned }]) => ({
    name,
    tools,
    search,
    pinned,
    ...(providers === undefined ? {} : { providers }),
  }))
}

function toOauth({ issuer, audience, jwksUri, scopes }: NonNullable<GatewayConfig['oauth']>) {
  return { issuer, audience, scopes, ...(jwksUri === undefined ? {} : { jwksUri }) }
}

/** RFC 9728: where a client learns who gives out tokens for us. */
function createMetadataRoute(oauth: OAuthResource) {
  return (request: IncomingMessage, response: ServerResponse, url: string): boolean => {
    const document = oauth.metadata(url.split('?', 1)[0] ?? '', request.headers.host)
    if (document === undefined || request.method !== 'GET') return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    return true
  }
}

function toListenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new SwitchboardError('invalid_configuration', `The port ${port} on ${host} is in use`, {
      hint: 'Is Switchboard running already? Else choose another one with --port or SWITCHBOARD_HTTP_PORT.',
      cause: error,
    })
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new SwitchboardError('invalid_configuration', `Cannot listen on ${host}:${port} (${code})`, { cause: error })
  }
  return error
}
