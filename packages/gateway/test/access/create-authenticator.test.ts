import { writeFile } from 'node:fs/promises'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../src/access/create-authenticator.ts'
import { TokenStore } from '../../src/access/token-store.ts'

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
    const check = createAuthenticator({ tokens, required: true })
    const verdict = await check({}, '/mcp')
    expect(verdict).toMatchObject({ ok: false, status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
    expect(verdict.ok ? undefined : verdict.error.code).toBe('unauthorized')
  })

  it('lets a token in and says which', async () => {
    const check = createAuthenticator({ tokens, required: true })
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp')).toEqual({ ok: true, credential: id })
    expect(await check({ authorization: `bearer  ${good} ` }, '/mcp')).toEqual({ ok: true, credential: id })
  })

  it('lets nobody in when there is nothing to check against', async () => {
    const check = createAuthenticator({ required: true })
    expect(await check({}, '/mcp')).toMatchObject({ ok: false, status: 401 })
    expect(await check({ authorization: `Bearer ${good}` }, '/mcp')).toMatchObject({ ok: false, status: 401 })
  })

  it('takes nothing from the URL', async () => {
    const check = createAuthenticator({ tokens, required: true })
    expect(await check({}, `/mcp?access_token=${good}`)).toMatchObject({ ok: false, status: 401 })
  })
})

describe('where none is required', () => {
  it('lets through who shows none, as nobody', () => {
    expect(createAuthenticator({ tokens, required: false })({}, '/mcp')).toEqual({ ok: true })
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
    const verdict = await createAuthenticator({ tokens, required: false })({ authorization }, '/mcp')
    expect(verdict).toMatchObject({ ok: false, status: 401 })
    expect(verdict.ok ? '' : verdict.headers?.['WWW-Authenticate']).toMatch(/^Bearer error="invalid_token"/)
  })
})

describe('a token', () => {
  it('of a profile is good there and where no profile is named, and nowhere else', async () => {
    const { text, token } = await tokens.create({ name: 'ci', profile: 'ci' })
    const check = createAuthenticator({ tokens, required: true })
    const headers = { authorization: `Bearer ${text}` }
    const yes = { ok: true, credential: token.id, profile: 'ci' }
    expect(await check(headers, '/mcp')).toEqual(yes)
    expect(await check(headers, '/mcp/ci')).toEqual(yes)
    expect(await check(headers, '/sse')).toEqual(yes)
    for (const path of [
      '/mcp/dev',
      '/sse/dev',
      '/ws/dev',
      '/mcp/c%2569',
      '/mcp/dev/',
      '/mcp/dev?profile=ci',
      '/mcp/%',
    ]) {
      expect(await check(headers, path)).toMatchObject({ ok: false, status: 403, error: { code: 'forbidden' } })
    }
  })

  it('that has expired is refused, and told so', async () => {
    const { text } = await tokens.create({ name: 'short', expires: time + 1 })
    time += 1
    const verdict = await createAuthenticator({ tokens, required: true })({ authorization: `Bearer ${text}` }, '/mcp')
    expect(verdict).toMatchObject({ ok: false, status: 401, error: { message: 'The token has expired' } })
  })

  it('is refused while the token file is damaged, and the path stays in the log', async () => {
    const file = directory.file('damaged.json')
    await writeFile(file, '{"version":1,"tok')
    const log = createMemoryLogger()
    const check = createAuthenticator({ tokens: new TokenStore(file), required: false, log })
    const verdict = await check({ authorization: `Bearer ${good}` }, '/mcp')
    expect(verdict).toMatchObject({ ok: false, status: 503 })
    expect(JSON.stringify(verdict)).not.toContain(directory.path)
    expect(log.entries.some(({ msg }) => msg.includes(file))).toBe(true)
  })
})
