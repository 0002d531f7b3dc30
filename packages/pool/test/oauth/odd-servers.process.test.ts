/**
 * Authorization servers that mean well and say things in ways of their own, as are met in the wild. What they say wrongly is written
 * here by hand, as the real one of the other tests never says it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { SecretStore } from '@switchboard/secrets'
import { catchRejection, createTemporaryDirectory, textOf } from '@switchboard/testkit'
import { visitPage } from '@switchboard/testkit/oauth'
import { afterEach, expect, test } from 'vitest'
import type { ServerInput } from '../../src/config/server-fields.ts'
import { McpPool } from '../../src/mcp-pool.ts'

type Answer = readonly [status: number, body: string | object]

interface Oddity {
  readonly challenge?: (origin: string) => string
  /** In place of what is there by the book; by its path. */
  readonly pages?: Readonly<Record<string, Answer>>
  readonly metadata?: object
  readonly registration?: object
  /** What is in an answer with tokens beside them. */
  readonly tokens?: object
  /** How a code, and how a refresh token, is answered. */
  readonly code?: Answer
  readonly refresh?: Answer
  /** Whether a request for tokens proves who asks. */
  mayAsk?(form: URLSearchParams, authorization: string | undefined): boolean
}

const REDIRECT = 'http://127.0.0.1:43221/callback'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

class OddServer {
  readonly heard: string[] = []
  readonly #odd: Oddity
  readonly #good = new Set<string>()
  #issued = 0
  #origin = ''

  private constructor(odd: Oddity) {
    this.#odd = odd
  }

  static async start(odd: Oddity): Promise<OddServer> {
    const odder = new OddServer(odd)
    const server = createServer((request, response) => void odder.#answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    odder.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    cleanups.push(async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    })
    return odder
  }

  /** No token that was issued is good any more. */
  expire(): void {
    this.#good.clear()
  }

  async openPool(entry: ServerInput = {}): Promise<McpPool> {
    const directory = await createTemporaryDirectory()
    cleanups.push(() => directory.remove())
    const logins = new SecretStore({ folder: directory.file('secrets'), env: {} })
    const box = { url: `${this.#origin}/mcp`, restartWait: 100, ...entry }
    const pool = new McpPool({ mcpServers: { box } }, { logins, env: {} })
    cleanups.push(() => pool.close({ force: true }))
    return pool
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.#origin)
    this.heard.push(`${request.method} ${url.pathname}`)
    const body = await readAll(request)
    if (url.pathname === '/authorize') response.writeHead(302, { location: this.#back(url.searchParams) }).end()
    else if (url.pathname === '/mcp') this.#serve(request, response, body)
    else
      send(response, this.#odd.pages?.[url.pathname] ?? this.#page(url.pathname, body, request.headers.authorization))
  }

  #page(path: string, body: string, authorization: string | undefined): Answer {
    switch (path) {
      case '/.well-known/oauth-protected-resource/mcp':
        return [200, { resource: `${this.#origin}/mcp`, authorization_servers: [this.#origin] }]
      case '/.well-known/oauth-authorization-server':
      case '/.well-known/openid-configuration':
        return [200, this.#describe()]
      case '/register':
        return [201, { client_id: 'client', ...this.#odd.registration }]
      case '/token':
        return this.#grant(new URLSearchParams(body), authorization)
      default:
        return [404, '<h1>Not found</h1>']
    }
  }

  #describe(): object {
    return {
      issuer: this.#origin,
      authorization_endpoint: `${this.#origin}/authorize?tenant=one`,
      token_endpoint: `${this.#origin}/token`,
      registration_endpoint: `${this.#origin}/register`,
      code_challenge_methods_supported: ['S256'],
      ...this.#odd.metadata,
    }
  }

  #back(asked: URLSearchParams): string {
    const answer = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '' })
    return `${asked.get('redirect_uri')}?${answer}`
  }

  #grant(form: URLSearchParams, authorization: string | undefined): Answer {
    if (this.#odd.mayAsk?.(form, authorization) === false) return [401, { error: 'invalid_client' }]
    const own = form.get('grant_type') === 'refresh_token' ? this.#odd.refresh : this.#odd.code
    if (own !== undefined) return own
    const access = `access-${++this.#issued}`
    this.#good.add(access)
    return [200, { access_token: access, token_type: 'bearer', refresh_token: 'refresh', ...this.#odd.tokens }]
  }

  #serve({ method, headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const isGood = this.#good.has((headers.authorization ?? '').replace('Bearer ', ''))
    const challenge = this.#odd.challenge?.(this.#origin) ?? 'Bearer'
    if (!isGood) send(response, [401, '<h1>Who are you?</h1>'], { 'www-authenticate': challenge })
    else send(response, method === 'POST' ? answerMessage(JSON.parse(body)) : [405, ''])
  }
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string }
}

function answerMessage({ id, method, params }: Message): Answer {
  if (id === undefined) return [202, '']
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    ping: {},
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'called' }] },
  }
  const result = results[method]
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
  return [200, { jsonrpc: '2.0', id, ...answer }]
}

function send(response: ServerResponse, [status, body]: Answer, headers: Record<string, string> = {}): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

/** As a person does in a browser. */
async function logIn(pool: McpPool): Promise<void> {
  const login = pool.login('box')
  const attempt = await login.begin(REDIRECT)
  const back = await visitPage(attempt.authorizationUrl, (url) => url.href.startsWith(REDIRECT))
  await login.keep(await attempt.finish(new URL(back.url).searchParams))
  pool.restartServer('box')
}

async function call(pool: McpPool): Promise<string> {
  return textOf(await pool.call('box_whoami', {}, { timeout: 20_000 }))
}

const basic = (_form: URLSearchParams, authorization: string | undefined): boolean =>
  authorization === `Basic ${Buffer.from('client:the-secret').toString('base64')}`
const post = (form: URLSearchParams): boolean => form.get('client_secret') === 'the-secret'

const well: readonly [string, Oddity][] = [
  [
    'is described as OpenID Connect is, and answers all else with an object',
    {
      pages: { '/.well-known/oauth-authorization-server': [200, { ok: false }] },
    },
  ],
  [
    'is one whose server points to a page that is not there',
    {
      challenge: (origin) => `Bearer resource_metadata="${origin}/nowhere"`,
    },
  ],
  [
    'takes secrets in the form only, and does not repeat that it does',
    {
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      registration: { client_secret: 'the-secret' },
      mayAsk: post,
    },
  ],
  [
    'takes secrets in the header only, and does not repeat that it does',
    {
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      registration: { client_secret: 'the-secret' },
      mayAsk: basic,
    },
  ],
  ...[undefined, null, 0, -1, '3600'].map((expires): [string, Oddity] => [
    `says that a token lives for ${JSON.stringify(expires)}`,
    { tokens: { expires_in: expires } },
  ]),
  ...[undefined, null, 'BEARER'].map((type): [string, Oddity] => [
    `says that the type of a token is ${JSON.stringify(type)}`,
    { tokens: { token_type: type } },
  ]),
]

test.each(well)(
  'a login works, and is not renewed without need, where the authorization server %s',
  async (_what, odd) => {
    const server = await OddServer.start(odd)
    const pool = await server.openPool()
    await logIn(pool)
    for (let round = 0; round < 3; round++) expect(await call(pool)).toBe('called')
    expect(server.heard.filter((line) => line === 'POST /token')).toHaveLength(1)
  },
)

const over: readonly [string, Answer, RegExp][] = [
  ['400 and a page', [400, '<h1>Bad request</h1>'], /the login is over \(it answered with 400\)/],
  ['401 and nothing', [401, ''], /the login is over \(it answered with 401\)/],
  [
    '200 and an error',
    [200, { error: 'bad_refresh_token', error_description: 'It is too old.' }],
    /the login is over \(bad_refresh_token/,
  ],
  ['an error of its own', [400, { error: 'invalid_request' }], /the login is over \(invalid_request/],
]

test.each(over)(
  'a refresh token that is refused by %s is the end of the login, which can be begun again',
  async (_how, refresh, message) => {
    const server = await OddServer.start({ refresh })
    const pool = await server.openPool()
    await logIn(pool)
    expect(await call(pool)).toBe('called')
    server.expire()
    expect(await catchRejection(call(pool))).toMatchObject({
      code: 'unauthorized_upstream',
      message: expect.stringMatching(message),
      hint: 'Log in with: switchboard server login box',
    })
    await logIn(pool)
    expect(await call(pool)).toBe('called')
  },
)

const later: readonly [string, Answer][] = [
  ['500 and a page', [500, '<h1>Oh</h1>']],
  ['503', [503, { error: 'temporarily_unavailable' }]],
  ['too many requests', [429, '']],
  ['400, for now', [400, { error: 'temporarily_unavailable' }]],
]

test.each(later)('a refresh token that is not taken with %s is kept', async (_how, refresh) => {
  const server = await OddServer.start({ refresh })
  const pool = await server.openPool()
  await logIn(pool)
  await call(pool)
  server.expire()
  expect(await catchRejection(call(pool))).toMatchObject({ message: expect.stringContaining('was not renewed') })
  expect(pool.status()[0]).toMatchObject({ login: 'kept' })
})

test('a code that is refused with 200 is told in the words of the authorization server', async () => {
  const refusal = { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' }
  const server = await OddServer.start({ code: [200, refusal] })
  expect(await catchRejection(logIn(await server.openPool()))).toMatchObject({
    code: 'login_failed',
    message: 'The code was not taken: bad_verification_code: The code is incorrect or expired.',
  })
})

test('a token whose type is left out is renewed as any other', async () => {
  const server = await OddServer.start({ tokens: { token_type: undefined } })
  const pool = await server.openPool()
  await logIn(pool)
  await call(pool)
  server.expire()
  expect(await call(pool)).toBe('called')
  expect(server.heard.filter((line) => line === 'POST /token')).toHaveLength(2)
})

test.each([
  ['DPoP', 'The answer held a token of the type "DPoP", and Switchboard sends Bearer tokens only'],
  ['', 'The answer held a token of the type "", and Switchboard sends Bearer tokens only'],
  [7, 'The answer held a token of no readable type, and Switchboard sends Bearer tokens only'],
])('a token of the type %j is refused, with what can be done', async (type, message) => {
  const server = await OddServer.start({ tokens: { token_type: type } })
  expect(await catchRejection(logIn(await server.openPool()))).toMatchObject({
    code: 'login_failed',
    message,
    hint: expect.stringContaining('until then put an `Authorization` header into `headers`'),
  })
})

test('where nobody may register, a document on the web is named as a way, if it is one', async () => {
  const metadata = { registration_endpoint: undefined, client_id_metadata_document_supported: true }
  const pool = await (await OddServer.start({ metadata })).openPool()
  expect(await catchRejection(pool.login('box').begin(REDIRECT))).toMatchObject({
    message: expect.stringContaining('lets no client register by itself'),
    hint: expect.stringContaining('oauth.clientMetadataUrl'),
  })
})
