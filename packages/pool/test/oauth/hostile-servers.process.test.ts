/** Servers and authorization servers that want something else than a login; each has a trap that hears of what is led there. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SecretStore } from '@switchboard/secrets'
import { catchRejection, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, expect, test } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'
import { formatLogin, loginName } from '../../src/oauth/login-record.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, origin: string) => void

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Listening {
  readonly origin: string
  readonly heard: string[]
}

async function listen(handle: Handler): Promise<Listening> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    handle(request, response, origin)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  cleanups.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  return { origin, heard }
}

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

async function openPool(url: string): Promise<{ pool: McpPool; secrets: SecretStore }> {
  const directory = await createTemporaryDirectory()
  cleanups.push(() => directory.remove())
  const secrets = new SecretStore({ folder: directory.file('secrets'), env: {} })
  const pool = new McpPool({ mcpServers: { box: { url, restartWait: 100 } } }, { logins: secrets, env: {} })
  cleanups.push(() => pool.close({ force: true }))
  return { pool, secrets }
}

interface Lies {
  readonly challenge?: (origin: string, trap: string) => string
  readonly resource?: (origin: string, trap: string) => object
  readonly metadata?: (origin: string, trap: string) => object
  readonly handle?: (request: IncomingMessage, response: ServerResponse, trap: string) => boolean
}

/** A server and its authorization server in one, honest but for its lies. */
async function startLiar(lies: Lies): Promise<{ liar: Listening; trap: Listening }> {
  const trap = await listen((_request, response) => json(response, { trapped: true }))
  const liar = await listen((request, response, origin) => {
    if (lies.handle?.(request, response, trap.origin)) return
    const path = request.url ?? ''
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      const about = { resource: `${origin}/mcp`, authorization_servers: [origin] }
      json(response, { ...about, ...lies.resource?.(origin, trap.origin) })
    } else if (path.startsWith('/.well-known/oauth-authorization-server')) {
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
        ...lies.metadata?.(origin, trap.origin),
      })
    } else if (path === '/register') json(response, { client_id: 'client' }, 201)
    else {
      const challenge = lies.challenge?.(origin, trap.origin) ?? 'Bearer'
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
  })
  return { liar, trap }
}

const REDIRECT = 'http://127.0.0.1:43219/callback'
const cases: readonly [string, Lies, RegExp][] = [
  ['offers no PKCE', { metadata: () => ({ code_challenge_methods_supported: undefined }) }, /PKCE with S256/],
  [
    'offers PKCE in the clear only',
    { metadata: () => ({ code_challenge_methods_supported: ['plain'] }) },
    /PKCE with S256/,
  ],
  [
    'has the metadata of another',
    { metadata: (_origin, trap) => ({ issuer: trap }) },
    /that of another authorization server/,
  ],
  ['is about another server', { resource: (_origin, trap) => ({ resource: `${trap}/mcp` }) }, /not about/],
  ['is about another path', { resource: (origin) => ({ resource: `${origin}/other` }) }, /not about/],
  ['names an address without https', { metadata: () => ({ token_endpoint: 'http://10.1.2.3/token' }) }, /is not https/],
  [
    'names a place that is no URL',
    { metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }) },
    /is not https/,
  ],
  ['points to a file', { challenge: () => 'Bearer resource_metadata="file:///etc/passwd"' }, /is not https/],
  [
    'redirects its metadata',
    {
      handle: ({ url = '' }, response, trap) => {
        if (!url.startsWith('/.well-known/oauth-authorization-server')) return false
        response.writeHead(302, { location: `${trap}/metadata` }).end()
        return true
      },
    },
    /has no metadata/,
  ],
  ['sends more than anybody reads', { metadata: () => ({ filler: 'x'.repeat(1_000_000) }) }, /more than 256 kB/],
]

test.each(cases)('a login is refused where the server %s', async (_what, lies, message) => {
  const { liar, trap } = await startLiar(lies)
  const { pool, secrets } = await openPool(`${liar.origin}/mcp`)
  expect(await catchRejection(pool.login('box').begin(REDIRECT))).toMatchObject({
    code: 'login_failed',
    message: expect.stringMatching(message),
  })
  expect(trap.heard).toEqual([])
  expect(await secrets.names()).toEqual([])
})

test('a server of 2025-03-26, which has pages for metadata, is its own authorization server and nobody else is asked', async () => {
  const { liar, trap } = await startLiar({
    handle: ({ url = '' }, response) => {
      if (url.startsWith('/.well-known/')) response.end('<html>')
      return url.startsWith('/.well-known/')
    },
  })
  const { pool } = await openPool(`${liar.origin}/mcp`)
  const { authorizationUrl } = await pool.login('box').begin(REDIRECT)
  expect(authorizationUrl.startsWith(`${liar.origin}/authorize?`)).toBe(true)
  expect(new URL(authorizationUrl).searchParams.get('code_challenge_method')).toBe('S256')
  expect(trap.heard).toEqual([])
})

test('a login that is given up waits for no server that keeps silent', async () => {
  const { liar } = await startLiar({ handle: ({ url = '' }) => url.startsWith('/.well-known/') })
  const { pool } = await openPool(`${liar.origin}/mcp`)
  const giving = new AbortController()
  const begun = pool.login('box').begin(REDIRECT, giving.signal)
  setImmediate(() => giving.abort(new Error('given up')))
  await expect(begun).rejects.toThrow('given up')
})

async function logInByHand({ secrets }: { secrets: SecretStore }, url: string, origin: string): Promise<void> {
  const record = {
    url,
    issuer: origin,
    resource: url,
    tokenEndpoint: `${origin}/token`,
    client: { id: 'client', method: 'none', origin: 'registered' },
    tokens: { access: 'the-token', refresh: 'the-refresh-token' },
  } as const
  await secrets.set(loginName('box', url), formatLogin(record))
}

test('a server that redirects to another origin takes no token there', async () => {
  const trap = await listen((_request, response) => response.end())
  const server = await listen((_request, response) => response.writeHead(307, { location: `${trap.origin}/mcp` }).end())
  const opened = await openPool(`${server.origin}/mcp`)
  await logInByHand(opened, `${server.origin}/mcp`, server.origin)
  const error = await catchRejection(opened.pool.call('box_any', {}, { timeout: 5_000 }))
  expect(error.message).not.toContain('the-token')
  expect(server.heard.some((line) => line.endsWith('Bearer the-token'))).toBe(true)
  expect(trap.heard).toEqual([])
})

test('a server that refuses every token makes us renew it once, not for ever', async () => {
  let issued = 0
  const server = await listen(({ url }, response) => {
    if (url !== '/token') return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    issued += 1
    json(response, {
      access_token: `token-${issued}`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: `r${issued}`,
    })
  })
  const opened = await openPool(`${server.origin}/mcp`)
  await logInByHand(opened, `${server.origin}/mcp`, server.origin)
  for (let round = 0; round < 5; round++) {
    expect(await catchRejection(opened.pool.call('box_any', {}, { timeout: 5_000 }))).toMatchObject({
      code: 'unauthorized_upstream',
    })
  }
  expect(issued).toBe(1)
})

test('a new token is on the disk before anything is sent with it', async () => {
  const order: string[] = []
  const server = await listen(({ url, headers }, response) => {
    if (url === '/token') {
      return json(response, { access_token: 'new', token_type: 'Bearer', refresh_token: 'newer' })
    }
    if (headers.authorization === 'Bearer new') order.push('sent')
    response.writeHead(headers.authorization === 'Bearer new' ? 500 : 401).end()
  })
  const url = `${server.origin}/mcp`
  const { secrets } = await openPool(url)
  await logInByHand({ secrets }, url, server.origin)
  const pool = new McpPool(
    { mcpServers: { box: { url } } },
    {
      env: {},
      logins: {
        get: (name) => secrets.get(name),
        delete: (name) => secrets.delete(name),
        exclusively: (name, work) => secrets.exclusively(name, work),
        set: async (name, login) => {
          await new Promise((resolve) => setTimeout(resolve, 50))
          await secrets.set(name, login)
          order.push('kept')
        },
      },
    },
  )
  cleanups.push(() => pool.close({ force: true }))
  await catchRejection(pool.call('box_any', {}, { timeout: 3_000 }))
  expect(order.slice(0, 2)).toEqual(['kept', 'sent'])
})

test('a token endpoint that is away, or fails, ends no login', async () => {
  const server = await listen(({ url }, response) => response.writeHead(url === '/token' ? 503 : 401).end('busy'))
  const url = `${server.origin}/mcp`
  const opened = await openPool(url)
  await logInByHand(opened, url, server.origin)
  expect(await catchRejection(opened.pool.call('box_any', {}, { timeout: 2_000 }))).not.toMatchObject({
    code: 'internal',
  })
  expect(await opened.secrets.get(loginName('box', url))).toContain('the-refresh-token')
})

test('a token that no header can carry is refused, and shown to nobody', async () => {
  const server = await listen(({ url }, response) => {
    if (url !== '/token') return void response.writeHead(401).end()
    json(response, { access_token: 'evil\r\nx-injected: 1', token_type: 'Bearer', refresh_token: 'r' })
  })
  const url = `${server.origin}/mcp`
  const opened = await openPool(url)
  await logInByHand(opened, url, server.origin)
  const error = await catchRejection(opened.pool.call('box_any', {}, { timeout: 2_000 }))
  expect(JSON.stringify(error.toReport())).not.toContain('injected')
})
