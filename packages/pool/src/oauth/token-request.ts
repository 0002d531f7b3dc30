/** What is asked of a token endpoint: tokens for a code or an older token (RFC 6749, RFC 8707), and that one be forgotten (RFC 7009). */
import type { JsonObject } from '@switchboard/protocol'
import type { LoginRecord, OAuthClient, OAuthTokens } from './login-record.ts'
import {
  askOAuth,
  describeRefusal,
  describeWords,
  loginFailed,
  type OAuthAnswer,
  type OAuthRequest,
} from './oauth-http.ts'

/** The login is over for good: the server said so itself. */
export class LoginEndedError extends Error {
  /** The registration is gone as well. */
  readonly isClientGone: boolean

  constructor(why: string, isClientGone: boolean) {
    super(why)
    this.name = 'LoginEndedError'
    this.isClientGone = isClientGone
  }
}

const CLIENT_GONE = ['invalid_client', 'unauthorized_client']
/** By these an authorization server says that it may go well later. */
const FOR_NOW = ['temporarily_unavailable', 'server_error', 'slow_down']
/** How a token is refused (RFC 6749); some answer as to a page that is not theirs, and some with 200 and an `error`. */
const REFUSED = [400, 401]
/** A header cannot carry anything else, and no token has it. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/

export interface CodeGrant {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
  /** What was asked for, where the answer does not say what was given. */
  readonly scope: string | undefined
}

type Endpoint = Pick<LoginRecord, 'tokenEndpoint' | 'resource' | 'client'>

export async function exchangeCode(at: Endpoint, grant: CodeGrant, signal?: AbortSignal): Promise<OAuthTokens> {
  const form = {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
    resource: at.resource,
  }
  const answer = await askOAuth(createRequest(at.tokenEndpoint, at.client, form, signal))
  if (!isGranted(answer)) throw loginFailed(`The code was not taken: ${describeRefusal(answer)}`)
  return readTokens(answer, { scope: grant.scope })
}

/** Rejects with LoginEndedError when the server will never take this token again. */
export async function refreshTokens(at: Endpoint, former: OAuthTokens, signal?: AbortSignal): Promise<OAuthTokens> {
  const form = { grant_type: 'refresh_token', refresh_token: former.refresh ?? '', resource: at.resource }
  const answer = await askOAuth(createRequest(at.tokenEndpoint, at.client, form, signal))
  if (isGranted(answer)) return readTokens(answer, former)
  const { error } = answer.body ?? {}
  const isOver =
    typeof error === 'string' ? !FOR_NOW.includes(error) && answer.status < 500 : REFUSED.includes(answer.status)
  if (isOver) throw new LoginEndedError(describeRefusal(answer), CLIENT_GONE.includes(String(error)))
  throw loginFailed(`The token was not renewed: ${describeRefusal(answer)}`, { retryable: true })
}

function isGranted({ status, body }: OAuthAnswer): boolean {
  return status === 200 && typeof body?.error !== 'string'
}

/** Whether the server says that it has forgotten it. */
export async function revokeToken(
  endpoint: string,
  client: OAuthClient,
  token: string,
  hint: 'refresh_token' | 'access_token',
  signal?: AbortSignal,
): Promise<boolean> {
  const { status } = await askOAuth(createRequest(endpoint, client, { token, token_type_hint: hint }, signal))
  return status === 200
}

function createRequest(
  endpoint: string,
  { id, secret, method }: OAuthClient,
  values: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): OAuthRequest {
  const form = new URLSearchParams(values)
  const url = new URL(endpoint)
  if (method === 'client_secret_basic' && secret !== undefined) {
    const pair = [id, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length)).join(':')
    return { url, form, authorization: `Basic ${Buffer.from(pair).toString('base64')}`, signal }
  }
  form.set('client_id', id)
  if (method === 'client_secret_post' && secret !== undefined) form.set('client_secret', secret)
  return { url, form, signal }
}

/** A server that keeps the refresh token, or the scope, need not repeat it. */
function readTokens({ body }: OAuthAnswer, former: Partial<OAuthTokens> | { scope: string | undefined }): OAuthTokens {
  const {
    access_token: access,
    token_type: type,
    expires_in: seconds,
    refresh_token: refresh,
    scope,
  }: JsonObject = body ?? {}
  if (typeof access !== 'string' || !TOKEN.test(access)) throw loginFailed('The answer held no usable access token')
  // Some leave the type out, and mean the only one that MCP knows.
  const kind = type ?? 'Bearer'
  if (typeof kind !== 'string' || kind.toLowerCase() !== 'bearer') {
    const shown =
      typeof kind === 'string' ? `the type ${describeWords(JSON.stringify(kind), undefined)}` : 'no readable type'
    throw loginFailed(`The answer held a token of ${shown}, and Switchboard sends Bearer tokens only`, {
      hint: 'Its operator has to issue Bearer tokens (RFC 6750) to this client; until then put an `Authorization` header into `headers`.',
    })
  }
  const lifetime = typeof seconds === 'string' || typeof seconds === 'number' ? Number(seconds) : Number.NaN
  const kept =
    typeof refresh === 'string' && refresh !== '' ? refresh : 'refresh' in former ? former.refresh : undefined
  const given = typeof scope === 'string' ? scope : former.scope
  return {
    access,
    // Some write null or 0 where they mean that nobody knows.
    ...(lifetime > 0 && Number.isFinite(lifetime) ? { expiresAt: Date.now() + lifetime * 1000 } : {}),
    ...(kept === undefined ? {} : { refresh: kept }),
    ...(given === undefined ? {} : { scope: given }),
  }
}
