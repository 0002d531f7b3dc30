/**
 * The public keys of an authorization server: where they are (configured, or found in the issuer's metadata), kept for a
 * while, and fetched again when a token names one that is not among them. A flood of tokens does not become a flood of
 * requests to it: one fetch is under way at a time, and metadata that could not be had is not asked for again at once.
 */
import { errorMessage } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { RemoteJWKSet } from 'jose'
import { isLoopbackHost } from './bind-policy.ts'

export interface KeySourceOptions {
  readonly issuer: string
  readonly jwksUri?: string
  /** Milliseconds between two fetches because of an unknown key. Default: 30 s. */
  readonly cooldown?: number
  /** Milliseconds until keys are fetched again even without need. Default: 10 minutes. */
  readonly maxAge?: number
}

const FETCH_TIMEOUT = 5_000
const FAILURE_KEPT_FOR = 2_000
const MAX_METADATA_BYTES = 1024 * 1024

export class KeySource {
  readonly #options: KeySourceOptions
  #keys: Promise<RemoteJWKSet> | undefined

  constructor(options: KeySourceOptions) {
    this.#options = options
  }

  /** Rejects with a plain error when the metadata cannot be had. */
  keys(): Promise<RemoteJWKSet> {
    if (this.#keys === undefined) {
      const keys = this.#create()
      this.#keys = keys
      keys.catch(() => {
        setTimeout(() => {
          if (this.#keys === keys) this.#keys = undefined
        }, FAILURE_KEPT_FOR).unref()
      })
    }
    return this.#keys
  }

  async #create(): Promise<RemoteJWKSet> {
    const { issuer, jwksUri, cooldown, maxAge } = this.#options
    const { createRemoteJWKSet } = await import('jose')
    const url = jwksUri ?? (await discoverJwksUri(issuer))
    return createRemoteJWKSet(new URL(url), {
      timeoutDuration: FETCH_TIMEOUT,
      ...(cooldown === undefined ? {} : { cooldownDuration: cooldown }),
      ...(maxAge === undefined ? {} : { cacheMaxAge: maxAge }),
    })
  }
}

/** Throws `invalid_configuration`: keys that come over an open network in the clear prove nothing. */
export function checkAuthorizationUrl(text: string, member: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return
  throw new SwitchboardError(
    'invalid_configuration',
    `${member} must be an https URL (http only on loopback); got ${JSON.stringify(text)}`,
  )
}

/** RFC 8414 first, then OpenID Connect; both put their path before, or (OpenID) behind, the issuer's own. */
async function discoverJwksUri(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '')
  const places = new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ])
  const failures: string[] = []
  for (const place of places) {
    try {
      const metadata = await fetchMetadata(place)
      // A document that names another issuer would hand our trust to somebody else's keys.
      if (metadata.issuer !== issuer) throw new Error(`it is about the issuer ${JSON.stringify(metadata.issuer)}`)
      if (typeof metadata.jwks_uri !== 'string') throw new Error('it has no jwks_uri')
      checkAuthorizationUrl(metadata.jwks_uri, 'jwks_uri')
      return metadata.jwks_uri
    } catch (error) {
      failures.push(`${place}: ${errorMessage(error)}`)
    }
  }
  throw new Error(`The issuer's metadata gave no keys (${failures.join('; ')})`)
}

async function fetchMetadata(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT),
  })
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (!response.ok || declared > MAX_METADATA_BYTES) {
    await response.body?.cancel()
    throw new Error(response.ok ? `the document is ${declared} bytes long` : `HTTP ${response.status}`)
  }
  const document: unknown = await response.json()
  if (!isJsonObject(document)) throw new Error('it is not a JSON object')
  return document
}
