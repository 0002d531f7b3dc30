/**
 * The login at one server: what its transports send, and what becomes of a refusal.
 *
 * Invariants
 * 1. A token is sent to the URL that it was issued for and nowhere else: it is kept under that URL, and a client of one origin sends it.
 * 2. However many calls find that a token has expired, in however many processes: it is exchanged once, and all go on with the new one.
 * 3. A new token is on the disk before it is used. Only one that cannot be written is used without.
 * 4. What a call sends is known at once as long as there is no login, or its token has time left: nothing is waited for then.
 */
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Logger, rememberSecrets } from '@switchboard/telemetry'
import { type Challenge, joinScopes, readChallenge } from './challenge.ts'
import type { LoginAttempt, LoginSettings } from './login-attempt.ts'
import type { LoginKeeper } from './login-keeper.ts'
import { formatLogin, type LoginRecord, loginName, type OAuthTokens, parseLogin } from './login-record.ts'

/** An answer that speaks of the login. */
export interface TokenRefusal {
  readonly status: number
  readonly challenge: string | undefined
  /** The header that was sent. */
  readonly used: string | undefined
}

/** What a transport asks before it sends, and after it was refused. */
export interface Authorization {
  /** Before the first request. */
  load(): Promise<void>
  /** The header of a request; undefined: none. */
  authorize(): string | undefined | Promise<string | undefined>
  /** Whether that answer is about the login. */
  concerns(status: number, challenge: string | undefined): boolean
  /** The header to try again with; undefined: it is not about a login of ours. Rejects with what the request fails with. */
  refused(refusal: TokenRefusal): Promise<string | undefined>
}

/** kept: there is a token. wanted: the server asks for one. */
export type LoginState = 'none' | 'kept' | 'wanted'

export interface LoginOutcome {
  readonly wasLoggedIn: boolean
  /** Whether the authorization server has forgotten the token; undefined: it offers nothing for that. */
  readonly revoked?: boolean
}

export interface UpstreamLoginOptions {
  readonly server: string
  readonly url: string
  readonly settings: LoginSettings
  readonly keeper: LoginKeeper
  readonly clientName: string
  readonly log: Logger
}

/** A token is exchanged so long before it expires, or when a quarter of its time is left. */
const RENEW_BEFORE_MS = 60_000
/** One that has less left may be too old when it arrives. */
const TOO_LATE_MS = 3_000
/** A server that refuses a token this young, in its first quarter, refuses all. */
const JUST_RENEWED_MS = 10_000
const TRY_AGAIN_MS = 10_000

export class UpstreamLogin implements Authorization {
  readonly #options: UpstreamLoginOptions
  readonly #name: string
  #record: LoginRecord | undefined
  #header: string | undefined
  #renewAt = Number.POSITIVE_INFINITY
  /** Monotonic. */
  #youngUntil = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> | undefined
  #challenge: Challenge | undefined
  #moreScope: string | undefined
  #isWanted = false
  /** It was logged in, and the server put an end to that: why. */
  #lost: string | undefined
  /** Why what is kept cannot be used. */
  #problem: string | undefined
  /** What is kept is shown to nobody, whoever says it back. */
  #forget: () => void = () => undefined

  constructor(options: UpstreamLoginOptions) {
    this.#options = options
    this.#name = loginName(options.server, options.url)
  }

  get server(): string {
    return this.#options.server
  }

  /** Nobody uses it any more. */
  close(): void {
    this.#forget()
  }

  get state(): LoginState {
    return this.#isWanted ? 'wanted' : this.#header === undefined ? 'none' : 'kept'
  }

  get lost(): string | undefined {
    return this.#lost
  }

  /** The port of the redirect address that an earlier login was registered with. */
  get formerPort(): number | undefined {
    const port = Number(URL.parse(this.#record?.client.redirectUri ?? '')?.port ?? '')
    return port > 0 ? port : undefined
  }

  async load(): Promise<void> {
    try {
      this.#adopt(await this.#read())
      this.#problem = undefined
    } catch (error) {
      this.#problem = errorMessage(error)
      this.#warn(`its login cannot be read: ${this.#problem}`)
    }
  }

  authorize(): string | undefined | Promise<string | undefined> {
    if (this.#header === undefined || Date.now() < this.#renewAt) return this.#header
    const tokens = this.#record?.tokens
    // Without a way to renew it the server has the last word.
    if (tokens?.refresh === undefined) return this.#header
    const renewing = this.#renew(tokens.access)
    if ((tokens.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now() <= TOO_LATE_MS) {
      return renewing.then(() => this.#header)
    }
    renewing.catch(() => {})
    return this.#header
  }

  concerns(status: number, challenge: string | undefined): boolean {
    return status === 401 || (status === 403 && readChallenge(challenge).error === 'insufficient_scope')
  }

  async refused({ status, challenge, used }: TokenRefusal): Promise<string | undefined> {
    const read = readChallenge(challenge)
    if (status === 403) {
      this.#moreScope = joinScopes(this.#moreScope, read.scope)
      throw this.#createError(
        `the login does not reach so far${read.scope === undefined ? '' : `; it takes the rights: ${read.scope.slice(0, 300)}`}`,
      )
    }
    this.#challenge = read
    if (used === undefined) {
      // Somebody may have logged in meanwhile, in another process as well.
      await this.load()
      if (this.#header !== undefined) return this.#header
      if (read.scheme !== undefined && read.scheme !== 'bearer' && read.scheme !== 'dpop') return undefined
      throw this.#want(this.#problem ?? 'nobody is logged in')
    }
    if (this.#header !== used) {
      if (this.#header === undefined) throw this.#want('nobody is logged in any more')
      return this.#header
    }
    await this.#renew(used.slice('Bearer '.length))
    return this.#header
  }

  /** Rejects with `login_failed`. */
  async begin(
    redirectUri: string,
    { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  ): Promise<LoginAttempt> {
    const { beginAttempt, findChallenge } = await import('./begin-login.ts')
    await this.load()
    const { url, settings, clientName } = this.#options
    const challenge = await findChallenge(new URL(url), headers, signal)
    const more = { moreScope: this.#moreScope, former: this.#record }
    const known = challenge ?? this.#challenge
    return beginAttempt({ url, settings, challenge: known, ...more, redirectUri, clientName, signal })
  }

  async keep(record: LoginRecord): Promise<void> {
    const { keeper } = this.#options
    await keeper.exclusively(this.#name, () => keeper.set(this.#name, formatLogin(record)))
    this.#problem = undefined
    this.#moreScope = undefined
    this.#adopt(record)
  }

  /** The token is gone from here whatever the authorization server says. */
  async logOut(signal?: AbortSignal): Promise<LoginOutcome> {
    const { keeper } = this.#options
    const record = await keeper.exclusively(this.#name, async () => {
      const kept = await this.#read().catch(() => undefined)
      await keeper.delete(this.#name)
      return kept
    })
    this.#adopt(undefined)
    const { tokens, revocationEndpoint } = record ?? {}
    if (record === undefined || tokens === undefined) return { wasLoggedIn: false }
    if (revocationEndpoint === undefined) return { wasLoggedIn: true }
    const { revokeToken } = await import('./token-request.ts')
    const [token, hint] =
      tokens.refresh === undefined
        ? ([tokens.access, 'access_token'] as const)
        : ([tokens.refresh, 'refresh_token'] as const)
    try {
      const client = await this.#clientOf(record)
      return { wasLoggedIn: true, revoked: await revokeToken(revocationEndpoint, client, token, hint, signal) }
    } catch (error) {
      this.#warn(`its token could not be revoked: ${errorMessage(error)}`)
      return { wasLoggedIn: true, revoked: false }
    }
  }

  /** As a person is told of it; `why` is half a sentence. */
  #createError(why: string): SwitchboardError {
    const { server } = this.#options
    return new SwitchboardError('unauthorized_upstream', `The server ${server} wants a login: ${why}`, {
      hint: `Log in with: switchboard server login ${server}`,
      executed: false,
      details: { server, login: 'wanted', why },
    })
  }

  #want(why: string): SwitchboardError {
    this.#isWanted = true
    if (this.#record?.tokens !== undefined) this.#lost = why
    return this.#createError(why)
  }

  #renew(used: string): Promise<void> {
    this.#renewing ??= this.#renewOnce(used).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renewOnce(used: string): Promise<void> {
    if (this.#record?.tokens?.access === used && performance.now() < this.#youngUntil) {
      throw this.#want('the server refuses a token that was issued just now')
    }
    const { keeper } = this.#options
    try {
      const renewed = await keeper.exclusively(this.#name, () => this.#exchange(used))
      this.#adopt(renewed)
      const left = (renewed.tokens?.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()
      this.#youngUntil = performance.now() + Math.min(JUST_RENEWED_MS, left / 4)
    } catch (error) {
      this.#renewAt = Date.now() + TRY_AGAIN_MS
      if (error instanceof SwitchboardError) throw error
      throw new SwitchboardError(
        'login_failed',
        `The login at ${this.server} could not be renewed: ${errorMessage(error)}`,
        {
          retryable: true,
        },
      )
    }
  }

  /** Alone, of all processes. */
  async #exchange(used: string): Promise<LoginRecord> {
    const record = await this.#read()
    const tokens = record?.tokens
    if (record === undefined || tokens === undefined) {
      this.#adopt(undefined)
      throw this.#want('nobody is logged in any more')
    }
    // Another process was faster.
    if (tokens.access !== used && !isExpired(tokens)) return record
    if (tokens.refresh === undefined) throw await this.#end(record, 'the login has expired')
    const { LoginEndedError, refreshTokens } = await import('./token-request.ts')
    let fresh: OAuthTokens
    try {
      fresh = await refreshTokens({ ...record, client: await this.#clientOf(record) }, tokens)
    } catch (error) {
      if (!(error instanceof LoginEndedError)) throw error
      throw await this.#end(record, `the login is over (${error.message})`, error.isClientGone)
    }
    const renewed = { ...record, tokens: fresh }
    try {
      await this.#options.keeper.set(this.#name, formatLogin(renewed))
    } catch (error) {
      this.#warn(`its new token could not be written, and is lost with this process: ${errorMessage(error)}`)
    }
    return renewed
  }

  /** What is left is who we are to the authorization server, unless that is gone as well. */
  async #end(record: LoginRecord, why: string, isClientGone = false): Promise<SwitchboardError> {
    const { tokens: _tokens, ...left } = record
    const { keeper } = this.#options
    if (isClientGone) await keeper.delete(this.#name)
    else await keeper.set(this.#name, formatLogin(left))
    const error = this.#want(why)
    this.#adopt(isClientGone ? undefined : left)
    return error
  }

  async #clientOf({ client }: LoginRecord): Promise<LoginRecord['client']> {
    if (client.origin !== 'configured') return client
    const { readConfigured } = await import('./identify-client.ts')
    return readConfigured(this.#options.settings, { clientMethods: [client.method] }) ?? client
  }

  async #read(): Promise<LoginRecord | undefined> {
    const text = await this.#options.keeper.get(this.#name)
    return text === undefined ? undefined : parseLogin(text, this.#options.url)
  }

  #adopt(record: LoginRecord | undefined): void {
    const { tokens } = record ?? {}
    this.#forget()
    const { secret } = record?.client ?? {}
    this.#forget = rememberSecrets([tokens?.access, tokens?.refresh, secret].filter((value) => value !== undefined))
    this.#record = record
    this.#header = tokens === undefined ? undefined : `Bearer ${tokens.access}`
    if (tokens === undefined) return
    this.#isWanted = false
    this.#lost = undefined
    const left = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()
    this.#renewAt = Date.now() + left - Math.min(RENEW_BEFORE_MS, Math.max(0, left / 4))
  }

  #warn(message: string): void {
    const { log, server } = this.#options
    log.warn('pool.login', `${server}: ${message}`, { server })
  }
}

function isExpired({ expiresAt }: OAuthTokens): boolean {
  return expiresAt !== undefined && expiresAt - Date.now() <= TOO_LATE_MS
}
