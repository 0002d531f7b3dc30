/**
 * The HTTP side of a running Switchboard: the gateway's configuration as an address that is listened on and a check of who
 * comes in, and every later configuration as changes to both. Access never loosens before the address is one where it may,
 * and never tightens without ending whoever came in before and would not be let in now. Nor does whoever came in by a token stay
 * once it is revoked or has expired: a WebSocket and a stream are let in once, and live on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCode, systemClock } from '@switchboard/base'
import {
  type AccessPolicy,
  type Address,
  type ConnectionCap,
  checkBind,
  createAuthenticator,
  createHttpGateway,
  type Gateway,
  type HttpChanges,
  type HttpGateway,
  type HttpGatewayStats,
  isLoopbackHost,
  OAuthResource,
  TokenStore,
  WrongTokens,
} from '@switchboard/gateway'
import type { GatewayConfig } from '@switchboard/gateway/config'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'

/** What differs from the configuration for this run. */
export interface HttpOverrides {
  readonly host?: string
  readonly port?: number
}

export type PageRoutes = (request: IncomingMessage, response: ServerResponse, url: string) => boolean

export interface HttpEntranceOptions {
  readonly gateway: Gateway
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  readonly log: Logger
  readonly overrides: HttpOverrides
  readonly connections: ConnectionCap
  /** Gets what is no route of the gateway's own, after the checks of Host and Origin; true: it answers. */
  readonly pages?: PageRoutes | undefined
  /** What `/metrics` answers, of the servers that are shown. */
  metrics(isShown: (server: string) => boolean): string
}

export class HttpEntrance {
  readonly #options: HttpEntranceOptions
  readonly #tokens: TokenStore
  readonly #wrongTokens: WrongTokens
  #http: HttpGateway | undefined
  /** As asked for, which differs from what is bound when the port is 0. */
  #address: Address | undefined
  #oauth: { readonly key: string; readonly resource: OAuthResource | undefined } | undefined
  #policy: AccessPolicy = 'token'
  #tokenWatch: NodeJS.Timeout | undefined
  /** Credentials that the last look did not find among the tokens. */
  #missing: ReadonlySet<string> = new Set()

  constructor(options: HttpEntranceOptions) {
    this.#options = options
    this.#tokens = new TokenStore(options.tokensFile)
    this.#wrongTokens = new WrongTokens(systemClock, (address) =>
      options.log.warn('gateway.access', `many wrong tokens come from ${address}: they are slowed`, { address }),
    )
  }

  get url(): string | undefined {
    return this.#http?.url
  }

  /** Who comes in without a credential. */
  get policy(): AccessPolicy {
    return this.#policy
  }

  stats(): HttpGatewayStats | undefined {
    return this.#http?.stats()
  }

  async listen(config: GatewayConfig): Promise<{ url: string; port: number }> {
    this.check(config)
    const address = this.#addressOf(config)
    const { authenticate, extraRoutes, ...settings } = this.#settings(config, address)
    const { gateway, log, metrics, connections } = this.#options
    const http = createHttpGateway({
      gateway,
      log,
      metrics,
      connections,
      ...address,
      ...settings,
      ...(authenticate === undefined ? {} : { authenticate }),
      ...(extraRoutes === undefined ? {} : { extraRoutes }),
    })
    this.#http = http
    this.#address = address
    this.#tokenWatch = setInterval(() => void this.#endRevoked(http), TOKEN_WATCH_MS).unref()
    try {
      return await http.listen()
    } catch (error) {
      throw toListenError(error, address)
    }
  }

  /** Throws `invalid_configuration` for an address that would be open to everybody. */
  check(config: GatewayConfig): void {
    checkBind(this.#addressOf(config).host, isAuthenticated(config))
  }

  /** Everything but the address holds afterwards in any case; returns why that could not be had. */
  async reconfigure(config: GatewayConfig): Promise<SwitchboardError | undefined> {
    const { log } = this.#options
    const http = this.#http
    const old = this.#address
    if (http === undefined || old === undefined) return undefined
    const address = this.#addressOf(config)
    const oauthBefore = this.#oauth?.key
    const before = this.#policy
    let failure: SwitchboardError | undefined
    // What could not be listened on before is tried again.
    if (address.host !== old.host || address.port !== old.port || http.url === undefined) {
      // Both addresses are served for a moment: the stricter of their rules holds until the old one is left.
      const isStricter = !isLoopbackHost(address.host) || !isLoopbackHost(old.host)
      http.reconfigure(this.#settings(config, isStricter ? STRICT : address))
      // From elsewhere nobody can reach the new address, so there is nobody to be kept.
      const cutOld = isLoopbackHost(address.host) && !isLoopbackHost(old.host)
      try {
        const { url } = await http.move(address, { cutOld })
        this.#address = address
        log.info('gateway.listen', `moved to ${url}`)
      } catch (error) {
        failure = toMoveError(error, address, http.url)
        log.warn('gateway.listen', failure.message)
      }
    }
    http.reconfigure(this.#settings(config, this.#address ?? address))
    const isNewOauth = this.#oauth?.key !== oauthBefore
    const isTightened = STRICTNESS[this.#policy] > STRICTNESS[before]
    if (isNewOauth || isTightened) {
      http.endSessions(
        ({ credential }) => (credential === undefined ? isTightened : isNewOauth && credential.startsWith('oauth:')),
        'the gateway asks for other credentials now',
      )
    }
    return failure
  }

  async close(options: { drain: number }): Promise<void> {
    clearInterval(this.#tokenWatch)
    await this.#http?.close(options)
    await this.#tokens.close()
  }

  /** One that was made and used while the file was read is there the next time: only who is missing twice is ended. */
  async #endRevoked(http: HttpGateway): Promise<void> {
    let good: ReadonlySet<string>
    try {
      const now = Date.now()
      const tokens = (await this.#tokens.list()).filter(({ expires }) => expires === undefined || expires > now)
      good = new Set(tokens.map(({ id }) => id))
    } catch {
      // A file that cannot be read lets nobody in, and says nothing of those who are.
      return
    }
    const missing = new Set<string>()
    http.endSessions(({ credential }) => {
      if (credential === undefined || credential.startsWith('oauth:') || good.has(credential)) return false
      missing.add(credential)
      return this.#missing.has(credential)
    }, 'its token was revoked or has expired')
    this.#missing = missing
  }

  #addressOf({ host, port }: GatewayConfig): Address {
    return { host, port, ...this.#options.overrides }
  }

  #settings(config: GatewayConfig, { host }: Pick<Address, 'host'>): HttpChanges {
    const oauth = this.#readOauth(config)
    this.#policy = isAuthenticated(config) || !isLoopbackHost(host) ? 'token' : config.auth
    return {
      maxBodyBytes: config.maxBodyBytes,
      sessionIdleTtl: config.sessionIdleTimeout,
      resumeGrace: config.resumeGrace,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
      authenticate: createAuthenticator({
        tokens: this.#tokens,
        ...(oauth === undefined ? {} : { oauth }),
        policy: this.#policy,
        wrongTokens: this.#wrongTokens,
        log: this.#options.log,
      }),
      extraRoutes: joinRoutes(this.#options.pages, oauth === undefined ? undefined : createMetadataRoute(oauth)),
    }
  }

  /** The same one for the same settings: it keeps the keys of the authorization server. */
  #readOauth({ oauth }: GatewayConfig): OAuthResource | undefined {
    const key = JSON.stringify(oauth) ?? ''
    if (this.#oauth?.key !== key) {
      this.#oauth = { key, resource: oauth === undefined ? undefined : new OAuthResource(toOauth(oauth)) }
    }
    return this.#oauth.resource
  }
}

/** How often it is looked whether the tokens that sessions came in by still hold. */
const TOKEN_WATCH_MS = 1_000

/** An address that asks for credentials whatever the configuration says. */
const STRICT = { host: '0.0.0.0' }

const STRICTNESS: Readonly<Record<AccessPolicy, number>> = { none: 0, user: 1, token: 2 }

function isAuthenticated({ auth, requireAuth, oauth }: GatewayConfig): boolean {
  return auth === 'token' || requireAuth || oauth !== undefined
}

function toOauth({ issuer, audience, jwksUri, scopes }: NonNullable<GatewayConfig['oauth']>) {
  return { issuer, audience, scopes, ...(jwksUri === undefined ? {} : { jwksUri }) }
}

function joinRoutes(...routes: readonly (PageRoutes | undefined)[]): PageRoutes | undefined {
  const all = routes.filter((route) => route !== undefined)
  return all.length === 0 ? undefined : (request, response, url) => all.some((route) => route(request, response, url))
}

/** RFC 9728: where a client learns who gives out tokens for us. */
function createMetadataRoute(oauth: OAuthResource): PageRoutes {
  return (request, response, url) => {
    const document = oauth.metadata(url.split('?', 1)[0] ?? '', request.headers.host)
    if (document === undefined || request.method !== 'GET') return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    return true
  }
}

function toListenError(error: unknown, { host, port }: Address): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') {
    return new SwitchboardError('invalid_configuration', `The port ${port} on ${host} is in use`, {
      hint: 'Is Switchboard running already? Else choose another one with --port or SWITCHBOARD_HTTP_PORT.',
      cause: error,
    })
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new SwitchboardError('invalid_configuration', `Cannot listen on ${host}:${port} (${code})`, { cause: error })
  }
  return error
}

function toMoveError(error: unknown, address: Address, url: string | undefined): SwitchboardError {
  const { code, message } = toSwitchboardError(toListenError(error, address))
  return new SwitchboardError(code, `${message}; still served: ${url ?? 'nothing'}`, {
    hint: 'Free the address or choose another one, and save the configuration again; a restart tries it as well.',
    cause: error,
  })
}
