/** A server that names several authorization servers, of which some cannot be used; the one that can is a real one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { catchRejection, textOf } from '@switchboard/testkit'
import { afterEach, expect, test } from 'vitest'
import { useLoginBench } from './login-bench.ts'

const start = useLoginBench()

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Unusable {
  readonly url: string
  readonly heard: readonly string[]
  stop(): Promise<void>
}

/** An authorization server whose metadata are these; without any it knows no page at all. */
async function startUnusable(metadata?: (origin: string) => object): Promise<Unusable> {
  const heard: string[] = []
  const server = createServer(({ method, url = '' }, response) => {
    heard.push(`${method} ${url}`)
    const isFound = metadata !== undefined && url === '/.well-known/oauth-authorization-server'
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isFound ? JSON.stringify(metadata(origin)) : '<h1>Not found</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  cleanups.push(stop)
  return { url: origin, heard, stop }
}

async function startDead(): Promise<Unusable> {
  const server = await startUnusable()
  await server.stop()
  return server
}

const withoutPkce = (origin: string): object => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
})
const ofAnother = (): object => withoutPkce('https://login.example.com')

test.each([
  ['is dead', startDead],
  ['has no metadata', () => startUnusable()],
  ['offers no PKCE', () => startUnusable(withoutPkce)],
  ['has the metadata of another', () => startUnusable(ofAnother)],
])('a login goes to the next authorization server where the first %s', async (_what, startFirst) => {
  const first = await startFirst()
  const bench = await start({}, { namesBefore: [first.url] })
  const pool = bench.openPool()
  await bench.logIn(pool)
  expect(textOf(await pool.call('box_whoami', {}, { timeout: 20_000 }))).toBe('called whoami')
  expect((await bench.read())?.issuer).toBe(bench.authorization.url)
  expect(first.heard.filter((line) => !line.startsWith('GET /.well-known/'))).toEqual([])
  await bench.expire()
  expect(textOf(await pool.call('box_whoami', {}, { timeout: 20_000 }))).toBe('called whoami')
})

const NEVER_ASKED = 'http://10.1.2.3'

test('they are tried in their order, and none behind the first that can be used', async () => {
  const [second, behind] = [await startUnusable(), await startUnusable()]
  const bench = await start({}, { namesBefore: [NEVER_ASKED, second.url], namesAfter: [behind.url] })
  await bench.logIn(bench.openPool())
  expect((await bench.read())?.issuer).toBe(bench.authorization.url)
  expect(second.heard).toEqual(['GET /.well-known/oauth-authorization-server', 'GET /.well-known/openid-configuration'])
  expect(behind.heard).toEqual([])
})

test('where none can be used each is told of, with the reason', async () => {
  const [dead, bare, weak] = [await startDead(), await startUnusable(), await startUnusable(withoutPkce)]
  const bench = await start({}, { says: { authorization_servers: [dead.url, bare.url, NEVER_ASKED, weak.url] } })
  const error = await catchRejection(bench.logIn(bench.openPool()))
  expect(error).toMatchObject({ code: 'login_failed', retryable: true, hint: expect.stringContaining('Try again') })
  expect(error.message.split('; ')).toEqual([
    expect.stringMatching(`^No authorization server .* can be used: ${dead.url}: .* could not be asked: ECONNREFUSED$`),
    expect.stringMatching(`^${bare.url}: .* has no metadata`),
    expect.stringMatching(`^${NEVER_ASKED}: .* is not https`),
    'nothing was sent there',
    expect.stringMatching(`^${weak.url}: .* PKCE with S256`),
  ])
})

test('of a list without end the first five are tried, and the others counted', async () => {
  const server = await startUnusable()
  const named = Array.from({ length: 50 }, (_, at) => `${server.url}/tenant-${at}`)
  const bench = await start({}, { says: { authorization_servers: named } })
  const error = await catchRejection(bench.logIn(bench.openPool()))
  expect(error.message).toMatch(/\/tenant-4: .*; 45 more of them were not tried$/)
  expect(server.heard).toHaveLength(15)
})

test('the one that the entry names is the only one that is tried', async () => {
  const [named, other] = [await startUnusable(), await startUnusable()]
  const bench = await start({}, { namesBefore: [other.url, named.url] })
  const error = await catchRejection(bench.logIn(bench.openPool({ oauth: { issuer: named.url } })))
  expect(error.message).toMatch(`The authorization server ${named.url}/ has no metadata`)
  expect(other.heard).toEqual([])
  await bench.logIn(bench.openPool({ oauth: { issuer: bench.authorization.url } }))
  expect((await bench.read())?.issuer).toBe(bench.authorization.url)
})
