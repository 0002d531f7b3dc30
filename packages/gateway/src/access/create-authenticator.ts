/**
 * Who a request comes from: by its `Authorization` header, and without one by whose connection it is, as far as the policy
 * takes that for an answer. A header that is wrong is refused everywhere, for whoever shows a credential means to be
 * somebody. Nothing in the URL counts as a credential: URLs end up in logs.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import type { AccessPolicy, AccessVerdict, Authenticate, Peer } from './access-verdict.ts'
import type { OAuthResource } from './oauth-resource.ts'
import { TOKEN_PREFIX, type TokenStore } from './token-store.ts'
import type { WrongTokens } from './wrong-tokens.ts'

export interface AuthenticatorOptions {
  readonly tokens?: TokenStore
  readonly oauth?: OAuthResource
  /** Anything but `token` only on loopback; see `bind-policy.ts`. */
  readonly policy: AccessPolicy
  /** Absent: wrong ones are answered at once. */
  readonly wrongTokens?: WrongTokens
  readonly log?: Logger
}

type Refusal = Extract<AccessVerdict, { ok: false }>

const PUBLIC: AccessVerdict = { ok: true }
const NO_CREDENTIAL = 'This gateway asks for a credential, and none was shown'
const NOT_THE_USER =
  'Without a token only the user who runs Switchboard may call, and this connection cannot be told to be theirs'
/** RFC 6750; the scheme in any case. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** What it returns never throws and never rejects. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { oauth, policy } = options
  return (headers, url, peer) => {
    const { authorization } = headers
    if (authorization === undefined) {
      if (policy === 'none') return PUBLIC
      const isOwn = policy === 'user' && !isForwarded(headers) && peer.isSameUser()
      if (isOwn === true) return PUBLIC
      const challenge = createChallenge(oauth, readPath(url), readHost(headers))
      const refusal = (): Refusal => challenge('unauthorized', policy === 'user' ? NOT_THE_USER : NO_CREDENTIAL)
      return isOwn === false ? refusal() : isOwn.then((isSame) => (isSame ? PUBLIC : refusal()))
    }
    return checkShown(options, authorization, headers, readPath(url), peer)
  }
}

async function checkShown(
  options: AuthenticatorOptions,
  authorization: string,
  headers: IncomingHttpHeaders,
  path: string,
  { address }: Peer,
): Promise<AccessVerdict> {
  const { oauth, wrongTokens } = options
  const challenge = createChallenge(oauth, path, readHost(headers))
  const [, text] = BEARER.exec(authorization) ?? []
  // No guess at one.
  if (text === undefined) return challenge('invalid_token', 'The Authorization header holds no bearer token')
  const verdict = await check(options, text, path, readHost(headers), challenge)
  if (verdict.ok || verdict.status !== 401 || wrongTokens === undefined) return verdict
  return (await wrongTokens.hold(address)) ? verdict : createTooMany()
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
    log.error('gateway.access', `credentials cannot be checked: ${errorMessage(error)}`)
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

function createTooMany(): Refusal {
  const error = new SwitchboardError('rate_limited', 'Too many wrong tokens came from this address', {
    hint: 'Show a token that holds: `switchboard token create <name>` makes one. Right ones are let in all the while.',
    retryAfterMs: 5_000,
  })
  return { ok: false, status: 429, error }
}

/** Said by whoever passes on what came from elsewhere: the connection is then not the caller's own. */
function isForwarded({ forwarded, via, 'x-forwarded-for': forwardedFor }: IncomingHttpHeaders): boolean {
  return forwarded !== undefined || via !== undefined || forwardedFor !== undefined
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
  const [, encoded] = /^\/(?:mcp|sse|ws|readyz|metrics)\/([^/]+)\/?$/.exec(path) ?? []
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
