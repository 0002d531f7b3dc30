import { readFileSync } from 'node:fs'
import { catchRejection, textOf, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { McpPool } from '../../src/mcp-pool.ts'
import { useLoginBench } from './login-bench.ts'

const start = useLoginBench()

async function call(pool: McpPool, tool = 'whoami', args = {}): Promise<string> {
  return textOf(await pool.call(`box_${tool}`, args, { timeout: 20_000 }))
}

describe.each(['http', 'sse'] as const)('a server that wants a login, by %s', (transport) => {
  test('is told of with the command that helps, and works once somebody has logged in', async () => {
    const bench = await start({}, { transport })
    const pool = bench.openPool()
    pool.start()
    await waitFor(() => pool.status()[0]?.state === 'auth_required')
    expect(pool.status()[0]).toMatchObject({ login: 'wanted', reason: 'nobody is logged in' })
    expect(await catchRejection(pool.call('box_whoami'))).toMatchObject({
      code: 'unauthorized_upstream',
      executed: false,
      message: 'The server box wants a login: nobody is logged in',
      hint: 'Log in with: switchboard server login box',
    })
    await bench.logIn(pool)
    expect(await call(pool)).toBe('called whoami')
    expect(pool.status()[0]).toMatchObject({ state: 'ready', login: 'kept' })
  })

  test('gets one new token in the middle of 50 calls at once, none of which fails', async () => {
    const bench = await start({}, { transport })
    const pool = bench.openPool({ concurrency: 64 })
    pool.start()
    await bench.logIn(pool)
    await call(pool)
    const before = await bench.read()
    await bench.expire()
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(pool, 'slow', { ms: 20 })))
    expect(answers).toEqual(Array.from({ length: 50 }, () => 'called slow'))
    expect(bench.renewals).toBe(1)
    const after = await bench.read()
    expect(after?.tokens?.access).not.toBe(before?.tokens?.access)
    expect(after?.tokens?.refresh).not.toBe(before?.tokens?.refresh)
  })

  test('whose login was revoked says so, and can be logged in to again', async () => {
    const bench = await start({}, { transport })
    const pool = bench.openPool()
    pool.start()
    await bench.logIn(pool)
    await call(pool)
    await bench.revoke()
    expect(await catchRejection(call(pool))).toMatchObject({
      code: 'unauthorized_upstream',
      message: expect.stringContaining('the login is over (invalid_grant'),
      hint: 'Log in with: switchboard server login box',
    })
    expect(pool.status()[0]).toMatchObject({ state: 'auth_required', login: 'wanted' })
    expect((await bench.read())?.tokens).toBeUndefined()
    await bench.logIn(pool)
    expect(await call(pool)).toBe('called whoami')
  })
})

test('a token is exchanged before it expires, and calls go on meanwhile', async () => {
  const bench = await start({ tokenSeconds: 12 })
  const pool = bench.openPool()
  pool.start()
  await bench.logIn(pool)
  while (bench.renewals === 0) expect(await call(pool, 'slow', { ms: 20 })).toBe('called slow')
  expect(await call(pool)).toBe('called whoami')
  const refused = bench.server.events().filter(({ hash, isGood }) => hash !== undefined && isGood === false)
  expect(refused).toEqual([])
})

test('two daemons over one home exchange a token once, and both go on with the new one', async () => {
  const bench = await start()
  const pools = [bench.openPool(), bench.openPool()]
  const [first] = pools
  if (first === undefined) throw new Error('There is no pool')
  await bench.logIn(first)
  for (const pool of pools) await call(pool)
  await bench.expire()
  const calls = pools.flatMap((pool) => Array.from({ length: 10 }, () => call(pool)))
  expect(await Promise.all(calls)).toEqual(calls.map(() => 'called whoami'))
  expect(bench.renewals).toBe(1)
})

test('a login is found again by the next daemon, and one in another process is noticed', async () => {
  const bench = await start()
  const waiting = bench.openPool()
  waiting.start()
  await waitFor(() => waiting.status()[0]?.state === 'auth_required')
  const other = bench.openPool()
  await bench.logIn(other)
  await other.close()
  waiting.restartServer('box')
  expect(await call(waiting)).toBe('called whoami')
  expect(bench.authorization.events().filter(({ granted }) => granted === 'authorization_code')).toHaveLength(1)
})

test('only some calls of a server may want a token, which works without for all others', async () => {
  const bench = await start({}, { guards: 'calls' })
  const pool = bench.openPool()
  pool.start()
  await pool.ready()
  expect(pool.status()[0]).toMatchObject({ state: 'ready' })
  expect(await catchRejection(call(pool))).toMatchObject({ code: 'unauthorized_upstream', executed: false })
  expect(pool.status()[0]).toMatchObject({ state: 'ready', login: 'wanted', tools: 3 })
  await bench.logIn(pool)
  expect(await call(pool)).toBe('called whoami')
})

test('a call that takes more rights says which, and the next login asks for them as well', async () => {
  const bench = await start()
  const pool = bench.openPool()
  pool.start()
  await bench.logIn(pool)
  expect((await bench.read())?.tokens?.scope?.split(' ')).not.toContain('admin')
  expect(await catchRejection(call(pool, 'admin'))).toMatchObject({
    code: 'unauthorized_upstream',
    message: 'The server box wants a login: the login does not reach so far; it takes the rights: admin',
  })
  expect(await call(pool)).toBe('called whoami')
  await bench.logIn(pool)
  expect(await call(pool, 'admin')).toBe('called admin')
  expect((await bench.read())?.tokens?.scope?.split(' ')).toEqual(expect.arrayContaining(['read', 'admin']))
})

test.each([
  ['a challenge without an address', { challenge: 'bare' }],
  ['no challenge at all', { challenge: 'none' }],
  ['its metadata at the root', { challenge: 'none', metadata: 'root' }],
  ['its metadata anywhere', { challenge: 'full', metadata: 'elsewhere' }],
] as const)('a server is logged in to that has %s', async (_what, options) => {
  const bench = await start({}, options)
  const pool = bench.openPool()
  await bench.logIn(pool)
  expect(await call(pool)).toBe('called whoami')
})

test('an authorization server with a path of its own is found', async () => {
  const bench = await start({ path: '/tenant/one' })
  const pool = bench.openPool()
  // oidc-provider knows nothing of the path, so its documents are at the root: nothing is found, and that is said.
  const error = await catchRejection(bench.logIn(pool))
  expect(error).toMatchObject({ code: 'login_failed', message: expect.stringContaining('has no metadata') })
})

test('a client that was registered by hand is used, with and without a secret that is never kept', async () => {
  const bench = await start({ registers: false, confidential: true })
  const refused = bench.openPool()
  expect(await catchRejection(bench.logIn(refused))).toMatchObject({
    code: 'login_failed',
    hint: expect.stringContaining('"oauth.clientId"'),
  })
  const pool = bench.openPool({ oauth: { clientId: 'by-hand', clientSecret: 'kept-by-the-person' } })
  await bench.logIn(pool)
  expect(await call(pool)).toBe('called whoami')
  expect((await bench.read())?.client).toEqual({ id: 'by-hand', method: 'client_secret_basic', origin: 'configured' })
  await bench.expire()
  expect(await call(pool)).toBe('called whoami')
})

test('a document on the web says who we are, where the authorization server takes one', async () => {
  const url = 'https://example.com/switchboard.json'
  const page = readFileSync(new URL('../../../../docs/logins.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json\n(\{\n {2}"client_id"[\s\S]*?)```/.exec(page) ?? []
  const bench = await start({ registers: false, document: { url, body: JSON.parse(text) } })
  const pool = bench.openPool({ oauth: { clientMetadataUrl: url } })
  await bench.logIn(pool)
  expect(await call(pool)).toBe('called whoami')
  expect((await bench.read())?.client).toEqual({ id: url, method: 'none', origin: 'document' })
})

test('a registration is used again, unless its redirect address cannot be had again', async () => {
  const bench = await start()
  const pool = bench.openPool()
  await bench.logIn(pool)
  await bench.logIn(pool)
  const registered = () => bench.authorization.events().filter((event) => event.registered !== undefined).length
  expect(registered()).toBe(1)
  await bench.logIn(pool, 'http://127.0.0.1:43211/callback')
  expect(registered()).toBe(2)
})

test('a person who does not agree is told what the authorization server said', async () => {
  const bench = await start({ refuses: ['person'] })
  const error = await catchRejection(bench.logIn(bench.openPool()))
  expect(error).toMatchObject({ code: 'login_failed', message: expect.stringContaining('access_denied') })
  expect(await bench.read()).toBeUndefined()
})

test('logging out ends the access here and at the authorization server', async () => {
  const bench = await start()
  const pool = bench.openPool()
  await bench.logIn(pool)
  await call(pool)
  const kept = await bench.read()
  expect(await pool.login('box').logOut()).toEqual({ wasLoggedIn: true, revoked: true })
  expect(await bench.read()).toBeUndefined()
  expect(await bench.secrets.names()).toEqual([])
  expect(await catchRejection(call(pool))).toMatchObject({ code: 'unauthorized_upstream' })
  const form = {
    grant_type: 'refresh_token',
    refresh_token: kept?.tokens?.refresh ?? '',
    client_id: kept?.client.id ?? '',
  }
  const answer = await fetch(`${bench.authorization.url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect(answer.status).toBe(400)
  expect(await pool.login('box').logOut()).toEqual({ wasLoggedIn: false })
})

test('a token is never sent to another URL than the one it was issued for', async () => {
  const bench = await start()
  const pool = bench.openPool()
  await bench.logIn(pool)
  await call(pool)
  const other = `${bench.server.url}?tenant=2`
  await pool.reconfigure({ mcpServers: { box: { url: other, restartWait: 100 } } })
  const { length } = bench.server.events()
  expect(await catchRejection(call(pool))).toMatchObject({ code: 'unauthorized_upstream' })
  expect(
    bench.server
      .events()
      .slice(length)
      .every(({ hash }) => hash === undefined),
  ).toBe(true)
})

test('an entry that brings its own credentials, or wants no login, has none', async () => {
  const bench = await start()
  const own = bench.openPool({ headers: { authorization: 'Bearer of-the-person' } })
  expect(await catchRejection(call(own))).toMatchObject({
    code: 'unauthorized_upstream',
    message: expect.stringContaining('check the credentials in `headers`'),
  })
  expect(() => own.login('box')).toThrow(/`Authorization` header in its entry/)
  const off = bench.openPool({ oauth: { enabled: false } })
  expect(await catchRejection(call(off))).toMatchObject({ code: 'unauthorized_upstream' })
  expect(() => off.login('box')).toThrow(/switched off/)
})

test('an authorization server that is away while a token expires ends no login', async () => {
  const bench = await start()
  const pool = bench.openPool()
  await bench.logIn(pool)
  await call(pool)
  await bench.expire()
  await bench.authorization.stop()
  // The server cannot ask it either, so it refuses.
  const error = await catchRejection(call(pool))
  expect(error.code).not.toBe('internal')
  expect((await bench.read())?.tokens?.refresh).toBeDefined()
})

test('no token, code or secret of a login is in a log or an error', async () => {
  const bench = await start()
  const pool = bench.openPool()
  await bench.logIn(pool)
  await call(pool)
  const first = await bench.read()
  await bench.expire()
  await call(pool)
  const second = await bench.read()
  await bench.revoke()
  const error = await catchRejection(call(pool))
  const said = JSON.stringify([bench.log.entries, pool.status(), error.toReport(), String(error.cause)])
  for (const tokens of [first?.tokens, second?.tokens]) {
    expect(tokens?.access.length).toBeGreaterThan(10)
    for (const secret of [tokens?.access, tokens?.refresh]) expect(said).not.toContain(secret)
  }
})
