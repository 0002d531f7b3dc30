import { writeFile } from 'node:fs/promises'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, FakeClock, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Peer } from '../../src/access/access-verdict.ts'
import { createAuthenticator } from '../../src/access/create-authenticator.ts'
import { TokenStore } from '../../src/access/token-store.ts'
import { WrongTokens } from '../../src/access/wrong-tokens.ts'

const STRANGER: Peer = { address: '127.0.0.1', isSameUser: () => false }

let directory: TemporaryDirectory
let tokens: TokenStore
let good: string
let id: string
let time = 1_000_000

beforeAll(async () => {
  directory = await createTemporaryDirectory()
  tokens = new TokenStore(directory.file('tokens.json'), { now: () => time })
  const created = await tokens.create({ name: 'laptop' })
  good = created.text
  id = created.token.id
})

afterAll(async () => {
  await tokens.close()
  await directory.remove()
})

describe('where a credential is required', () => {
  it('asks for one', async () => {
    const check = createAuthenticator({ tokens, policy: 'token' })
    const verdict = await check({}, '/mcp', STRANGER)
    expect(verdict).toMatchObject({ ok: false, status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
    expect(verdict.ok ? undefined : verdict.error.code).toBe('unauthorized')
  })

  it('lets a token in and says which', async () => {
    const check = createAuthenticator({ tokens, policy: 'token' })
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp', STRANGER)).toEqual({ ok: true, credential: id })
    expect(await check({ authorization: `bearer  ${good} ` }, '/mcp', STRANGER)).toEqual({ ok: true, credential: id })
  })

  it('lets nobody in when there is nothing to check against', async () => {
    const check = createAuthenticator({ policy: 'token' })
    expect(await check({}, '/mcp', STRANGER)).toMatchObject({ ok: false, status: 401 })
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp', STRANGER)).toMatchObject({ ok: false, status: 401 })
  })

  it('takes nothing from the URL', async () => {
    const check = createAuthenticator({ tokens, policy: 'token' })
    expect(await check({}, `/mcp?access_token=${good}`, STRANGER)).toMatchObject({ ok: false, status: 401 })
  })
})

describe('where none is required', () => {
  it('lets through who shows none, as nobody', () => {
    expect(createAuthenticator({ tokens, policy: 'none' })({}, '/mcp', STRANGER)).toEqual({ ok: true })
  })

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer two words',
    'Basic YTpi',
    `Bearer sbt_0000000000_${'a'.repeat(43)}`,
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Bearer "',
    '',
  ])('still refuses the header %j', async (authorization) => {
    const verdict = await createAuthenticator({ tokens, policy: 'none' })({ authorization }, '/mcp', STRANGER)
    expect(verdict).toMatchObject({ ok: false, status: 401 })
    expect(verdict.ok ? '' : verdict.headers?.['WWW-Authenticate']).toMatch(/^Bearer error="invalid_token"/)
  })
})

describe('where the user alone needs none', () => {
  const check = createAuthenticator({ tokens: new TokenStore('/nowhere'), policy: 'user' })
  const peer = (isSameUser: Peer['isSameUser']): Peer => ({ address: '127.0.0.1', isSameUser })

  it('lets the user in, without waiting once that is known', async () => {
    expect(
      check(
        {},
        '/mcp',
        peer(() => true),
      ),
    ).toEqual({ ok: true })
    expect(
      await check(
        {},
        '/mcp',
        peer(async () => true),
      ),
    ).toEqual({ ok: true })
  })

  it.each([
    ['another user', peer(() => false)],
    ['another user, once it is found out', peer(async () => false)],
  ])('asks %s for a token, and says why and how', async (_, stranger) => {
    const verdict = await check({}, '/mcp', stranger)
    expect(verdict).toMatchObject({ ok: false, status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
    if (verdict.ok) return
    expect(verdict.error.message).toContain('only the user who runs Switchboard')
    expect(verdict.error.hint).toContain('switchboard token create')
  })

  it.each(['forwarded', 'x-forwarded-for', 'via'])(
    'does not take what was passed on (%s) for the user',
    async (name) => {
      expect(
        await check(
          { [name]: '127.0.0.1' },
          '/mcp',
          peer(() => true),
        ),
      ).toMatchObject({ ok: false, status: 401 })
    },
  )

  it('refuses a wrong token of the user too', async () => {
    const shown = { authorization: 'Bearer wrong' }
    expect(
      await check(
        shown,
        '/mcp',
        peer(() => true),
      ),
    ).toMatchObject({ ok: false, status: 401 })
  })
})

describe('wrong tokens', () => {
  const wrong = { authorization: `Bearer sbt_0000000000_${'a'.repeat(43)}` }

  it('are answered ever later, and right ones at once all the while', async () => {
    const clock = new FakeClock()
    const check = createAuthenticator({ tokens, policy: 'token', wrongTokens: new WrongTokens(clock) })
    for (let one = 0; one < 10; one++) {
      const verdict = check(wrong, '/mcp', STRANGER)
      await waitFor(() => clock.pendingTimers().length > 0)
      clock.advance(0)
      expect(await verdict).toMatchObject({ ok: false, status: 401 })
    }
    let isAnswered = false
    const held = Promise.resolve(check(wrong, '/mcp', STRANGER)).finally(() => {
      isAnswered = true
    })
    await waitFor(() => clock.pendingTimers().length > 0)
    clock.advance(249)
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp', STRANGER)).toMatchObject({ ok: true })
    expect(isAnswered).toBe(false)
    clock.advance(1)
    expect(await held).toMatchObject({ ok: false, status: 401 })
  })

  it('are told to come later where too many are held', async () => {
    const wrongTokens = new WrongTokens(new FakeClock())
    while (wrongTokens.note(STRANGER.address) !== undefined);
    const check = createAuthenticator({ tokens, policy: 'token', wrongTokens })
    const verdict = await check(wrong, '/mcp', STRANGER)
    expect(verdict).toMatchObject({ ok: false, status: 429, error: { code: 'rate_limited', retryAfterMs: 5_000 } })
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp', STRANGER)).toMatchObject({ ok: true })
  })
})

describe('a token', () => {
  it('of a profile is good there and where no profile is named, and nowhere else', async () => {
    const { text, token } = await tokens.create({ name: 'ci', profile: 'ci' })
    const check = createAuthenticator({ tokens, policy: 'token' })
    const headers = { authorization: `Bearer ${text}` }
    const yes = { ok: true, credential: token.id, profile: 'ci' }
    expect(await check(headers, '/mcp', STRANGER)).toEqual(yes)
    expect(await check(headers, '/mcp/ci', STRANGER)).toEqual(yes)
    expect(await check(headers, '/sse', STRANGER)).toEqual(yes)
    for (const path of [
      '/mcp/dev',
      '/sse/dev',
      '/ws/dev',
      '/mcp/c%2569',
      '/mcp/dev/',
      '/mcp/dev?profile=ci',
      '/mcp/%',
    ]) {
      expect(await check(headers, path, STRANGER)).toMatchObject({
        ok: false,
        status: 403,
        error: { code: 'forbidden' },
      })
    }
  })

  it('that has expired is refused, and told so', async () => {
    const { text } = await tokens.create({ name: 'short', expires: time + 1 })
    time += 1
    const verdict = await createAuthenticator({ tokens, policy: 'token' })(
      { authorization: `Bearer ${text}` },
      '/mcp',
      STRANGER,
    )
    expect(verdict).toMatchObject({ ok: false, status: 401, error: { message: 'The token has expired' } })
  })

  it('is refused while the token file is damaged, and the path stays in the log', async () => {
    const file = directory.file('damaged.json')
    await writeFile(file, '{"version":1,"tok')
    const log = createMemoryLogger()
    const check = createAuthenticator({ tokens: new TokenStore(file), policy: 'none', log })
    const verdict = await check({ authorization: `Bearer ${good}` }, '/mcp', STRANGER)
    expect(verdict).toMatchObject({ ok: false, status: 503 })
    expect(JSON.stringify(verdict)).not.toContain(directory.path)
    expect(log.entries.some(({ msg }) => msg.includes(file))).toBe(true)
  })
})
