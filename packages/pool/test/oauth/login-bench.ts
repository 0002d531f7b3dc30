/** A pool in front of a server that wants a login, with a real authorization server and a real store of secrets. */
import { NEVER_ABORTED } from '@switchboard/base'
import { SecretStore } from '@switchboard/secrets'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import {
  type AuthorizationOptions,
  type OAuthProgram,
  type ProtectedOptions,
  startAuthorizationServer,
  startProtectedServer,
  visitPage,
} from '@switchboard/testkit/oauth'
import { afterEach } from 'vitest'
import type { ServerInput } from '../../src/config/server-fields.ts'
import { McpPool, type McpPoolOptions } from '../../src/mcp-pool.ts'
import { loginName } from '../../src/oauth/login-record.ts'

const REDIRECT = 'http://127.0.0.1:43210/callback'

interface Kept {
  readonly tokens?: {
    readonly access: string
    readonly refresh?: string
    readonly expiresAt?: number
    readonly scope?: string
  }
  readonly client: { readonly id: string; readonly secret?: string; readonly origin: string }
  readonly issuer: string
}

export class LoginBench {
  readonly directory: TemporaryDirectory
  readonly authorization: OAuthProgram
  readonly server: OAuthProgram
  readonly secrets: SecretStore
  readonly log = createMemoryLogger({ level: 'debug' })
  readonly #deferred: (() => Promise<unknown>)[] = []

  private constructor(directory: TemporaryDirectory, authorization: OAuthProgram, server: OAuthProgram) {
    this.directory = directory
    this.authorization = authorization
    this.server = server
    this.secrets = new SecretStore({ folder: directory.file('secrets'), env: {} })
  }

  static async start(
    authorization: AuthorizationOptions = {},
    server: Omit<ProtectedOptions, 'issuer'> = {},
  ): Promise<LoginBench> {
    const issuer = await startAuthorizationServer(authorization)
    const resource = await startProtectedServer({ ...server, issuer: issuer.url })
    return new LoginBench(await createTemporaryDirectory(), issuer, resource)
  }

  defer(work: () => Promise<unknown>): void {
    this.#deferred.push(work)
  }

  /** A daemon's, or another process's over the same home. */
  openPool(entry: ServerInput = {}, options: McpPoolOptions = {}): McpPool {
    const config = { mcpServers: { box: { url: this.server.url, restartWait: 100, ...entry } } }
    const pool = new McpPool(config, { logins: this.secrets, log: this.log, env: {}, ...options })
    this.defer(() => pool.close({ force: true }))
    return pool
  }

  /** As a person does in a browser. */
  async logIn(pool: McpPool, redirect = REDIRECT): Promise<void> {
    const login = pool.login('box')
    const attempt = await login.begin(redirect, NEVER_ABORTED)
    const back = await visitPage(attempt.authorizationUrl, (url) => url.href.startsWith(redirect))
    const answer = new URL(back.url).searchParams
    if (!attempt.isOurs(answer)) throw new Error(`Not the answer to this login: ${back.url}`)
    await login.keep(await attempt.finish(answer))
    pool.restartServer('box')
  }

  async read(url = this.server.url): Promise<Kept | undefined> {
    const text = await this.secrets.get(loginName('box', url))
    // Written by `formatLogin`.
    return text === undefined ? undefined : (JSON.parse(text) as Kept)
  }

  /** The server's clock is ahead, or it has forgotten: the token that is kept is not taken any more. */
  async expire(): Promise<void> {
    const answer = await fetch(`${this.authorization.url}/expire/${(await this.#readTokens()).access}`)
    if (answer.status !== 204) throw new Error(`It did not expire: ${answer.status}`)
  }

  /** As somebody ends the access at the authorization server. */
  async revoke(): Promise<void> {
    const { refresh: token = '' } = await this.#readTokens()
    const body = new URLSearchParams({ token, client_id: (await this.read())?.client.id ?? '' })
    const answer = await fetch(`${this.authorization.url}/token/revocation`, { method: 'POST', body })
    if (answer.status !== 200) throw new Error(`It was not revoked: ${answer.status} ${await answer.text()}`)
  }

  async #readTokens(): Promise<NonNullable<Kept['tokens']>> {
    const tokens = (await this.read())?.tokens
    if (tokens === undefined) throw new Error('Nobody is logged in')
    return tokens
  }

  /** How often a token was exchanged for a new one. */
  get renewals(): number {
    return this.authorization.events().filter(({ granted }) => granted === 'refresh_token').length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const work of this.#deferred.splice(0).reverse()) await work()
    await this.server.stop()
    await this.authorization.stop()
    await this.directory.remove()
  }
}

/** Ends what a test has started. */
export function useLoginBench(): (...options: Parameters<typeof LoginBench.start>) => Promise<LoginBench> {
  let bench: LoginBench | undefined
  afterEach(async () => {
    await bench?.[Symbol.asyncDispose]()
    bench = undefined
  })
  return async (...options) => {
    bench = await LoginBench.start(...options)
    return bench
  }
}
