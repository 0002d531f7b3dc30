/**
 * The gateway as an OAuth 2.1 resource server: says who issues its tokens (RFC 9728) and checks the ones it is shown.
 *
 * A token is good when the issuer signed it with one of its published keys and an asymmetric algorithm, it is meant for
 * this resource, it is in its time, and it has the scopes. What cannot be checked is refused, never let through.
 * The token ends here: it is not kept, not logged, and never sent to a server behind the gateway, which would take it
 * for one that was issued to itself.
 */
import { errorCode, errorMessage } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { JWTPayload, JWTVerifyOptions } from 'jose'
import { checkAuthorizationUrl, KeySource } from './key-source.ts'

export interface OAuthConfig {
  /** Exactly as it stands in `iss` and in the issuer's metadata. */
  readonly issuer: string
  /** What `aud` must hold: the public URL of `/mcp` (then also `/mcp/<profile>` for requests to it), or any name. */
  readonly audience: string | readonly string[]
  /** Default: from the issuer's metadata. */
  readonly jwksUri?: string
  /** All of them must be granted. Default: none. */
  readonly scopes?: readonly string[]
  /** Milliseconds between two fetches of keys because of an unknown one. Default: 30 s. */
  readonly keyCooldown?: number
  /** Milliseconds that keys are kept. Default: 10 minutes. */
  readonly keyMaxAge?: number
}

export type OAuthReading =
  | { readonly ok: true; readonly subject: string }
  | {
      readonly ok: false
      readonly reason: 'invalid_token' | 'insufficient_scope' | 'unavailable'
      readonly message: string
    }

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']
const CLOCK_TOLERANCE_S = 30
const MAX_TOKEN_LENGTH = 16 * 1024
const WELL_KNOWN = '/.well-known/oauth-protected-resource'
/** Of the jose package: the keys could not be had, as opposed to the token being wrong. */
const KEY_FAILURES: readonly unknown[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']

export class OAuthResource {
  readonly config: OAuthConfig
  readonly #audiences: readonly string[]
  readonly #keys: KeySource

  /** Throws `invalid_configuration`. */
  constructor(config: OAuthConfig) {
    checkAuthorizationUrl(config.issuer, 'oauth.issuer')
    if (config.jwksUri !== undefined) checkAuthorizationUrl(config.jwksUri, 'oauth.jwksUri')
    this.config = config
    this.#audiences = typeof config.audience === 'string' ? [config.audience] : config.audience
    if (this.#audiences.length === 0 || this.#audiences.includes('')) {
      throw new SwitchboardError(
        'invalid_configuration',
        'oauth.audience is empty: a token for anybody would be taken for one for this gateway',
        { hint: 'Set it to the public URL of the gateway, such as https://host.example/mcp.' },
      )
    }
    const { issuer, jwksUri, keyCooldown, keyMaxAge } = config
    this.#keys = new KeySource({
      issuer,
      ...(jwksUri === undefined ? {} : { jwksUri }),
      ...(keyCooldown === undefined ? {} : { cooldown: keyCooldown }),
      ...(keyMaxAge === undefined ? {} : { maxAge: keyMaxAge }),
    })
  }

  /** The RFC 9728 document for a path of a request; undefined: no such path. `host` is the Host header, checked before. */
  metadata(path: string, host: string | undefined): JsonObject | undefined {
    const about = path.startsWith(WELL_KNOWN) ? path.slice(WELL_KNOWN.length) : undefined
    if (about === undefined || !(about === '' || isEndpoint(about))) return undefined
    const { issuer, scopes = [] } = this.config
    return {
      resource: this.#resource(about === '' ? '/mcp' : about, host),
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length === 0 ? {} : { scopes_supported: [...scopes] }),
      resource_name: 'Switchboard',
    }
  }

  /** Where the document for a request to that path is, for the challenge. */
  metadataUrl(path: string, host: string | undefined): string {
    const resource = new URL(this.#resource(isEndpoint(path) ? path : '/mcp', host))
    return `${resource.origin}${WELL_KNOWN}${resource.pathname}`
  }

  /** Never rejects. `path`: of the request that shows it. */
  async verify(token: string, path: string, host: string | undefined): Promise<OAuthReading> {
    if (token.length > MAX_TOKEN_LENGTH) return refuse(`the token is longer than ${MAX_TOKEN_LENGTH} characters`)
    const { decodeJwt, decodeProtectedHeader } = await import('jose')
    const { issuer, scopes = [] } = this.config
    try {
      // Looked at before any key is fetched: a stranger's token is not worth a request.
      const { alg, typ } = decodeProtectedHeader(token)
      if (alg === undefined || !ALGORITHMS.includes(alg)) return refuse(`its algorithm is ${JSON.stringify(alg)}`)
      if (!TYPES.includes(typ?.toLowerCase())) return refuse(`its type is ${JSON.stringify(typ)}`)
      if (decodeJwt(token).iss !== issuer) return refuse('another issuer made it')
    } catch {
      return refuse('it is not a JWT')
    }
    try {
      const payload = await this.#verifySignature(token, this.#accepted(path, host))
      return readClaims(payload, scopes)
    } catch (error) {
      return readFailure(error)
    }
  }

  async #verifySignature(token: string, audience: string[]): Promise<JWTPayload> {
    const { errors, jwtVerify } = await import('jose')
    const options: JWTVerifyOptions = {
      issuer: this.config.issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['exp'],
    }
    try {
      return (await jwtVerify(token, await this.#keys.keys(), options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      // A token that names no key, while two are published (during a change of keys): any of them may be it.
      for await (const key of error) {
        try {
          return (await jwtVerify(token, key, options)).payload
        } catch (failure) {
          if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
        }
      }
      throw new errors.JWSSignatureVerificationFailed()
    }
  }

  #accepted(path: string, host: string | undefined): string[] {
    return isEndpoint(path) && this.#publicUrl() !== undefined
      ? [...this.#audiences, this.#resource(path, host)]
      : [...this.#audiences]
  }

  /** The audience, where it is a URL, says how the gateway looks from outside; else the Host header does. */
  #resource(path: string, host: string | undefined): string {
    const known = this.#publicUrl()
    if (known === undefined) {
      const seen = `http://${host}${path}`
      return host !== undefined && URL.canParse(seen) ? seen : `http://127.0.0.1${path}`
    }
    return `${known.origin}${known.pathname.replace(/\/(?:mcp\/?)?$/, '')}${path}`
  }

  #publicUrl(): URL | undefined {
    const text = this.#audiences.find((audience) => /^https?:\/\//.test(audience) && URL.canParse(audience))
    return text === undefined ? undefined : new URL(text)
  }
}

/** `/mcp` and `/mcp/<profile>`. */
function isEndpoint(path: string): boolean {
  return /^\/mcp(?:\/[^/]+)?$/.test(path)
}

function readClaims(payload: JWTPayload, scopes: readonly string[]): OAuthReading {
  const granted = new Set([...readScopes(payload.scope), ...readScopes(payload.scp)])
  const missing = scopes.filter((scope) => !granted.has(scope))
  if (missing.length > 0) {
    return { ok: false, reason: 'insufficient_scope', message: `it lacks the scope ${missing.join(' ')}` }
  }
  const subject = [payload.sub, payload.client_id, payload.azp].find(
    (claim) => typeof claim === 'string' && claim !== '',
  )
  return typeof subject === 'string' ? { ok: true, subject } : refuse('it names neither a subject nor a client')
}

function readScopes(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : []
}

function readFailure(error: unknown): OAuthReading {
  const code = errorCode(error)
  const message = errorMessage(error)
  // Every fault of a token has a code of its own; without one it is the network or our own bug.
  if (typeof code !== 'string' || !code.startsWith('ERR_J') || KEY_FAILURES.includes(code)) {
    return { ok: false, reason: 'unavailable', message }
  }
  return refuse(message)
}

function refuse(message: string): OAuthReading {
  return { ok: false, reason: 'invalid_token', message }
}
