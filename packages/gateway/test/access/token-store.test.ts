import crypto from 'node:crypto'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createTemporaryDirectory, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TokenStore, type TokenStoreOptions } from '../../src/access/token-store.ts'

let directory: TemporaryDirectory
let file: string
let time: number
const stores: TokenStore[] = []

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  file = directory.file('home', 'tokens.json')
  time = Date.UTC(2026, 0, 1)
})

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await directory.remove()
})

function openStore(options: TokenStoreOptions = {}): TokenStore {
  const store = new TokenStore(file, { now: () => time, ...options })
  stores.push(store)
  return store
}

describe('a new token', () => {
  it('has an id and 256 random bits, and is good at once', async () => {
    const { text, token } = await openStore().create({ name: 'laptop' })
    expect(text).toMatch(/^sbt_[0-9a-z]{10}_[A-Za-z0-9_-]{43}$/)
    expect(text).toContain(`sbt_${token.id}_`)
    expect(token).toEqual({ id: token.id, name: 'laptop', created: time })
    expect(await openStore().verify(text)).toEqual({ ok: true, token: { ...token, lastUsed: time } })
  })

  it('is kept as a hash only, in a file for its owner alone', async () => {
    const { text, token } = await openStore().create({ name: 'laptop', profile: 'dev', expires: time + 5 })
    const content = await readFile(file, 'utf8')
    expect(content).not.toContain(text)
    expect(content).not.toContain(text.slice(-43))
    const hash = crypto.createHash('sha256').update(text).digest('hex')
    expect(JSON.parse(content)).toEqual({ version: 1, tokens: [{ ...token, hash }] })
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory.file('home'))).toEqual(['tokens.json'])
  })

  it.each(['', '  ', 'a\nb', 'x'.repeat(101)])('cannot be named %j', async (name) => {
    await expect(openStore().create({ name })).rejects.toMatchObject({ code: 'invalid_configuration' })
  })

  it('cannot expire before it begins', async () => {
    for (const expires of [time, time - 1, Number.NaN])
      await expect(openStore().create({ name: 'x', expires })).rejects.toMatchObject({ code: 'invalid_configuration' })
  })
})

describe('a token is refused', () => {
  it('when it is unknown, malformed or slightly different', async () => {
    const store = openStore()
    const { text } = await store.create({ name: 'laptop' })
    const last = text.endsWith('A') ? 'E' : 'A'
    for (const wrong of [
      '',
      'sbt_',
      text.slice(0, -1),
      `${text}x`,
      text.slice(0, -1) + last,
      text.toUpperCase(),
      ` ${text}`,
    ])
      expect(await store.verify(wrong)).toEqual({ ok: false, reason: 'unknown' })
  })

  it('from the moment it expires', async () => {
    const store = openStore()
    const { text } = await store.create({ name: 'laptop', expires: time + 1000 })
    time += 999
    expect(await store.verify(text)).toMatchObject({ ok: true })
    time += 1
    expect(await store.verify(text)).toEqual({ ok: false, reason: 'expired' })
  })

  it('from the next request on after another store revoked it, however little the file seems to have changed', async () => {
    const [running, command] = [openStore(), openStore()]
    const made = await Promise.all(['one', 'two'].map((name) => command.create({ name })))
    for (const { text } of made) expect(await running.verify(text)).toMatchObject({ ok: true })
    for (const { text, token } of made) {
      expect(await command.revoke(token.id)).toBe(true)
      expect(await running.verify(text)).toEqual({ ok: false, reason: 'unknown' })
    }
  })

  it('also when the file was settled and then replaced by one with an old time', async () => {
    const running = openStore()
    const { text, token } = await running.create({ name: 'one' })
    const old = new Date(Date.now() - 3_600_000)
    await utimes(file, old, old)
    expect(await running.verify(text)).toMatchObject({ ok: true })
    await openStore().revoke(token.id)
    await utimes(file, old, old)
    expect(await running.verify(text)).toEqual({ ok: false, reason: 'unknown' })
  })

  it('when the file is gone', async () => {
    const store = openStore()
    const { text } = await store.create({ name: 'one' })
    await directory.remove()
    expect(await store.verify(text)).toEqual({ ok: false, reason: 'unknown' })
  })
})

describe('a damaged file', () => {
  const hash = 'a'.repeat(64)
  it.each([
    '',
    '[]',
    '{}',
    '{"version":1}',
    '{"version":2,"tokens":[]}',
    '{"version":1,"tokens":[{}]}',
    `{"version":1,"tokens":[{"id":"0123456789","name":"x","hash":"short","created":1}]}`,
    `{"version":1,"tokens":[{"id":"0123456789","name":"x","hash":"${hash}","created":1,"expires":"never"}]}`,
    `{"version":1,"tokens":[${Array(2).fill(`{"id":"0123456789","name":"x","hash":"${hash}","created":1}`)}]}`,
  ])('%s is an error to everybody, and stays as it is', async (content) => {
    const store = openStore()
    const { text } = await store.create({ name: 'laptop' })
    await writeFile(file, content)
    const damaged = { code: 'invalid_configuration', message: expect.stringContaining('is damaged') }
    await expect(store.verify(text)).rejects.toMatchObject(damaged)
    await expect(store.list()).rejects.toMatchObject(damaged)
    await expect(store.create({ name: 'other' })).rejects.toMatchObject(damaged)
    await expect(store.revoke('laptop')).rejects.toMatchObject(damaged)
    expect(await readFile(file, 'utf8')).toBe(content)
    expect(await readdir(directory.file('home'))).toEqual(['tokens.json'])
  })
})

describe('revoking', () => {
  it('takes an id, or a name that only one has', async () => {
    const store = openStore()
    const one = await store.create({ name: 'one' })
    const twins = [await store.create({ name: 'twin' }), await store.create({ name: 'twin' })]
    expect(await store.revoke('one')).toBe(true)
    expect(await store.revoke(one.token.id)).toBe(false)
    await expect(store.revoke('twin')).rejects.toMatchObject({
      hint: expect.stringContaining(twins[1]?.token.id ?? '?'),
    })
    expect((await store.list()).map(({ name }) => name)).toEqual(['twin', 'twin'])
  })
})

describe('the last use', () => {
  it('is written later, and never brings a revoked token back', async () => {
    const running = openStore({ lastUsedEvery: 1 })
    const [kept, gone] = [await running.create({ name: 'kept' }), await running.create({ name: 'gone' })]
    time += 5000
    await running.verify(kept.text)
    await running.verify(gone.text)
    await openStore().revoke(gone.token.id)
    const other = openStore()
    await waitFor(async () => (await other.list())[0]?.lastUsed === time, { what: 'the last use on disk' })
    await running.close()
    expect(await other.list()).toEqual([{ ...kept.token, lastUsed: time }])
  })

  it('that cannot be written is reported, and the token is good all the same', async () => {
    const failures: unknown[] = []
    const store = openStore({ onWriteFailed: (error) => failures.push(error) })
    const { text } = await store.create({ name: 'laptop' })
    expect(await store.verify(text)).toMatchObject({ ok: true })
    await writeFile(file, 'damaged')
    await store.close()
    expect(failures).toMatchObject([{ code: 'invalid_configuration' }])
  })
})

describe('the comparison', () => {
  const original = crypto.timingSafeEqual

  afterEach(() => {
    crypto.timingSafeEqual = original
    syncBuiltinESMExports()
  })

  it('takes the same time whatever is shown: also an unknown id is compared', async () => {
    const store = openStore()
    const { text } = await store.create({ name: 'laptop' })
    const compare = vi.fn(original)
    crypto.timingSafeEqual = compare
    syncBuiltinESMExports()
    await store.verify(text)
    await store.verify(`sbt_0000000000_${text.slice(-43)}`)
    await store.verify('nonsense')
    expect(compare.mock.results.map(({ value }) => value)).toEqual([true, false, false])
    for (const [left, right] of compare.mock.calls) expect([left.byteLength, right.byteLength]).toEqual([32, 32])
  })
})
