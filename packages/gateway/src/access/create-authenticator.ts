/**
 * Who a request comes from, by its `Authorization` header alone. Without a header it is let through where none is
 * required; a header that is wrong is refused everywhere, for whoever shows a credential means to be somebody. Nothing
 * in the URL counts as a credential: URLs end up in logs.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import type { AccessVerdict, Authenticate } from './access-verdict.ts'
import type { OAuthResource } from './oauth-resource.ts'
import { TOKEN_PREFIX, type TokenStore } from './token-store.ts'

export interface AuthenticatorOptions {
  readonly tokens?: TokenStore
  readonly oauth?: OAuthResource
  /** False only on loopback; see `bind-policy.ts`. */
  readonly required: boolean
  readonly log?: Logger
}

type Refusal = Extract<AccessVerdict, { ok: false }>

const PUBLIC: AccessVerdict = { ok: true }
/** RFC 6750; the scheme in any case. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** What it returns never throws and never rejects. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { oauth, required } = options
  return (headers, url) => {
    const { authorization } = headers
    if (authorization === undefined && !required) return PUBLIC
    const path = readPath(url)
    const challenge = createChallenge(oauth, path, readHost(headers))
    if (authorization === undefined) {
      return challenge('unauthorized', 'This gateway asks for a credential, and none was shown')
    }
    const [, text] = BEARER.exec(authorization) ?? []
    if (text === undefined) return challenge('invalid_token', 'The Authorization header holds no bearer token')
    return check(options, text, path, readHost(headers), challenge)
  }
}

async function check(
  { tokens, oauth, log = silentLogger }: AuthenticatorOptions,
  text: string,
  path: string,
  host: string | undefined,
  challenge: Challenge,
): Promise<AccessVerdict> {
  try {
    if (tokens !== undefined && text.startsWith(TOKEN_PREFIX)) return await checkToken(tokens, text, path, challenge)
    if (oauth !== undefined && !text.startsWith(TOKEN_PREFIX)) {
      const reading = await oauth.verify(text, path, host)
      if (reading.ok) return { ok: true, credential: `oauth:${reading.subject}` }
      if (reading.reason !== 'unavailable')
        return challenge(reading.reason, `The access token is refused: ${reading.message}`)
      log.error('gateway.access', `access tokens cannot be checked: ${reading.message}`)
      return createUnavailable('The keys of the authorization server cannot be had')
    }
    return challenge('invalid_token', 'The bearer token is not one of this gateway')
  } catch (error) {
    // The message may name a path of this machine: it is for the log, not for whoever shows a token.
    log.error(
      'gateway.access',
      `credentials cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
    )
    return createUnavailable('The credentials that are known cannot be read')
  }
}

async function checkToken(
  tokens: TokenStore,
  text: string,
  path: string,
  challenge: Challenge,
): Promise<AccessVerdict> {
  const reading = await tokens.verify(text)
  if (!reading.ok) {
    const why = reading.reason === 'expired' ? 'The token has expired' : 'The token is unknown or was revoked'
    return challenge('invalid_token', why)
  }
  const { id, profile } = reading.token
  if (profile === undefined) return { ok: true, credential: id }
  const asked = readProfile(path)
  if (asked === undefined || asked === profile) return { ok: true, credential: id, profile }
  const error = new SwitchboardError('forbidden', `This token is for the profile "${profile}", not for "${asked}"`, {
    hint: `Use /mcp/${profile} or /mcp, or create a token for the other profile.`,
  })
  return { ok: false, status: 403, error }
}

type Challenge = (kind: 'unauthorized' | 'invalid_token' | 'insufficient_scope', message: string) => Refusal

function createChallenge(oauth: OAuthResource | undefined, path: string, host: string | undefined): Challenge {
  return (kind, message) => {
    const parameters: [string, string][] = []
    if (kind !== 'unauthorized') parameters.push(['error', kind], ['error_description', message])
    const scopes = oauth?.config.scopes ?? []
    if (scopes.length > 0) parameters.push(['scope', scopes.join(' ')])
    if (oauth !== undefined) parameters.push(['resource_metadata', oauth.metadataUrl(path, host)])
    const text = parameters.map(([name, value]) => `${name}="${toQuotable(value)}"`).join(', ')
    const isScope = kind === 'insufficient_scope'
    return {
      ok: false,
      status: isScope ? 403 : 401,
      error: new SwitchboardError(isScope ? 'forbidden' : 'unauthorized', message, {
        ...(isScope ? { hint: `Ask the authorization server for the scope ${scopes.join(' ')}.` } : {}),
      }),
      headers: { 'WWW-Authenticate': text === '' ? 'Bearer' : `Bearer ${text}` },
    }
  }
}

function createUnavailable(message: string): Refusal {
  const error = new SwitchboardError('unauthorized', message, {
    hint: 'Try again later; the log of the gateway says what is wrong.',
    retryable: true,
    retryAfterMs: 5_000,
  })
  return { ok: false, status: 503, error, headers: { 'Retry-After': '5' } }
}

function readHost(headers: IncomingHttpHeaders): string | undefined {
  // Only what can stand in a URL: the header may be anything.
  return headers.host !== undefined && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : undefined
}

function readPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path
}

function readProfile(path: string): string | undefined {
  const [, encoded] = /^\/(?:mcp|sse|ws)\/([^/]+)\/?$/.exec(path) ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** RFC 6750 allows these characters and no quote or backslash. */
function toQuotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')
}
