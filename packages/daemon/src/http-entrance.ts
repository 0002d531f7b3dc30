/**
 * The HTTP side of a running Switchboard: the gateway's configuration as an address that is listened on and a check of who
 * comes in, and every later configuration as changes to both. Access never loosens before the address is one where it may,
 * and never tightens without ending whoever came in before and would not be let in now.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Address,
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
} from '@switchboard/gateway'
import type { GatewayConfig } from '@switchboard/pool'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'

/** What differs from the configuration for this run. */
export interface HttpOverrides {
  readonly host?: string
  readonly port?: number
}

export interface HttpEntranceOptions {
  readonly gateway: Gateway
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  readonly log: Logger
  readonly overrides: HttpOverrides
  /** What `/metrics` answers. */
  metrics(): string
}

export class HttpEntrance {
  readonly #options: HttpEntranceOptions
  readonly #tokens: TokenStore
  #http: HttpGateway | undefined
  /** As asked for, which differs from what is bound when the port is 0. */
  #address: Address | undefined
  #oauth: { readonly key: string; readonly resource: OAuthResource | undefined } | undefined
  #isRequired = false

  constructor(options: HttpEntranceOptions) {
    this.#options = options
    this.#tokens = new TokenStore(options.tokensFile)
  }

  get url(): string | undefined {
    return this.#http?.url
  }

  stats(): HttpGatewayStats | undefined {
    return this.#http?.stats()
  }

  async listen(config: GatewayConfig): Promise<{ url: string; port: number }> {
    this.check(config)
    const address = this.#addressOf(config)
    const { authenticate, extraRoutes, ...settings } = this.#settings(config, address)
    const { gateway, log, metrics } = this.#options
    const http = createHttpGateway({
      gateway,
      log,
      metrics,
      ...address,
      ...settings,
      ...(authenticate === undefined ? {} : { authenticate }),
      ...(extraRoutes === undefined ? {} : { extraRoutes }),
    })
    this.#http = http
    this.#address = address
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
    const wasRequired = this.#isRequired
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
    const isTightened = this.#isRequired && !wasRequired
    if (isNewOauth || isTightened) {
      http.endSessions(
        ({ credential }) => (credential === undefined ? isTightened : isNewOauth && credential.startsWith('oauth:')),
        'the gateway asks for other credentials now',
      )
    }
    return failure
  }

  async close(options: { drain: number }): Promise<void> {
    await this.#http?.close(options)
    await this.#tokens.close()
  }

  #addressOf({ host, port }: GatewayConfig): Address {
    return { host, port, ...this.#options.overrides }
  }

  #settings(config: GatewayConfig, { host }: Pick<Address, 'host'>): HttpChanges {
    const oauth = this.#readOauth(config)
    this.#isRequired = isAuthenticated(config) || !isLoopbackHost(host)
    return {
      maxBodyBytes: config.maxBodyBytes,
      sessionIdleTtl: config.sessionIdleTimeout,
      resumeGrace: config.resumeGrace,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
      authenticate: createAuthenticator({
        tokens: this.#tokens,
        ...(oauth === undefined ? {} : { oauth }),
        required: this.#isRequired,
        log: this.#options.log,
      }),
      extraRoutes: oauth === undefined ? undefined : createMetadataRoute(oauth),
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

/** An address that asks for credentials whatever the configuration says. */
const STRICT = { host: '0.0.0.0' }

function isAuthenticated({ requireAuth, oauth }: GatewayConfig): boolean {
  return requireAuth || oauth !== undefined
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

function toListenError(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
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
