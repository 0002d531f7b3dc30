/** One login from its beginning to its tokens: where, as whom and for what; the person's visit in between is not ours. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Challenge, joinScopes } from './challenge.ts'
import {
  type AuthorizationServerFacts,
  discoverAuthorizationServer,
  discoverResource,
} from './discover-authorization.ts'
import { type ClientSettings, identifyClient } from './identify-client.ts'
import type { LoginRecord } from './login-record.ts'
import { describeWords, loginFailed } from './oauth-http.ts'
import { exchangeCode } from './token-request.ts'

export interface LoginSettings extends ClientSettings {
  /** In place of those that the server asks for. */
  readonly scopes?: readonly string[] | undefined
  /** Which one, where the server names several or none. */
  readonly issuer?: string | undefined
}

export interface AttemptOptions {
  readonly url: string
  readonly settings: LoginSettings
  /** Undefined: the server never asked for a login. */
  readonly challenge: Challenge | undefined
  /** Rights that were found missing. */
  readonly moreScope: string | undefined
  readonly former: LoginRecord | undefined
  /** On loopback. */
  readonly redirectUri: string
  readonly clientName: string
  readonly signal?: AbortSignal | undefined
}

export interface LoginAttempt {
  /** What the person opens. It holds no secret: who has it can log in, and not take part. */
  readonly authorizationUrl: string
  /** Whose page that is. */
  readonly issuer: string
  readonly scope: string | undefined
  /** Whether the visitor of the redirect address comes from this attempt. */
  isOurs(answer: URLSearchParams): boolean
  /** Of a visitor who is: exchanges the code. Rejects with `login_failed`. */
  finish(answer: URLSearchParams, signal?: AbortSignal): Promise<LoginRecord>
}

const OFFLINE = 'offline_access'

export async function beginAttempt(options: AttemptOptions): Promise<LoginAttempt> {
  const { settings, challenge, redirectUri, former, clientName, signal } = options
  const server = new URL(options.url)
  const context = { server, signal }
  const described = await discoverResource(challenge, settings.issuer, context)
  const facts = await discoverAuthorizationServer(described, context)
  const scope = chooseScope(options, described.scopes, facts)
  const client = await identifyClient({ settings, facts, former, redirectUri, clientName, signal })
  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(facts.authorizationEndpoint)
  const asked: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource: described.resource,
    scope,
    // Without it OpenID Connect forgets that it was asked for a token that lasts.
    prompt: scope?.split(' ').includes(OFFLINE) === true ? 'consent' : undefined,
  }
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value)
  return {
    authorizationUrl: url.href,
    issuer: facts.issuer,
    scope,
    isOurs: (answer) => isSame(answer.get('state') ?? '', state),
    async finish(answer, limit = signal) {
      const code = readCode(answer, facts)
      const { issuer, tokenEndpoint, revocationEndpoint } = facts
      const at = { tokenEndpoint, resource: described.resource, client }
      const tokens = await exchangeCode(at, { code, verifier, redirectUri, scope }, limit)
      const { secret: _secret, ...configured } = client
      return {
        url: options.url,
        issuer,
        ...at,
        client: client.origin === 'configured' ? configured : client,
        ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
        tokens,
      }
    },
  }
}

/** Its own rights first; what a call lacked comes to what was granted. A token that lasts is asked for where it is offered. */
function chooseScope(
  { settings, challenge, moreScope, former }: AttemptOptions,
  offered: readonly string[],
  { scopes }: AuthorizationServerFacts,
): string | undefined {
  const own = settings.scopes?.join(' ') ?? challenge?.scope ?? (offered.length === 0 ? undefined : offered.join(' '))
  const granted = moreScope === undefined ? undefined : former?.tokens?.scope
  return joinScopes(own, granted, moreScope, scopes.includes(OFFLINE) ? OFFLINE : undefined)
}

function readCode(answer: URLSearchParams, { issuer, namesItself }: AuthorizationServerFacts): string {
  const iss = answer.get('iss')
  // An answer of somebody else's that was led here: its code would be given away (RFC 9207).
  if (iss === null ? namesItself : iss !== issuer) {
    throw loginFailed(`The answer did not come from ${issuer}, where the login began; nothing of it was used`)
  }
  const error = answer.get('error')
  if (error !== null) {
    const hint = error === 'access_denied' ? { hint: 'Log in again, and agree, if that was a mistake.' } : {}
    throw loginFailed(
      `The authorization server refused: ${describeWords(error, answer.get('error_description'))}`,
      hint,
    )
  }
  const code = answer.get('code')
  if (code === null || code === '') throw loginFailed('The answer held no code')
  return code
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
