import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { TokenStore } from '@switchboard/gateway'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureConnectToken } from '../../src/context/connect-header.ts'

let directory: TemporaryDirectory
let home: { connectToken: string; tokens: string }

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  home = { connectToken: directory.file('connect-token'), tokens: directory.file('tokens.json') }
})
afterEach(() => directory.remove())

const readToken = async (): Promise<string> => (await readFile(home.connectToken, 'utf8')).trim()

it.each([
  ['user', 'linux', false],
  ['user', 'darwin', true],
  ['user', 'win32', true],
  ['token', 'linux', true],
  ['token', 'win32', true],
  ['none', 'darwin', false],
  [undefined, 'linux', false],
] as const)('with auth %s on %s the header is printed: %s', async (policy, platform, isNeeded) => {
  const header = await ensureConnectToken(home, policy, platform)
  // It is made in any case.
  expect(await new TokenStore(home.tokens).isGood(await readToken())).toBe(true)
  expect(header).toEqual(isNeeded ? { name: 'Authorization', value: `Bearer ${await readToken()}` } : undefined)
})

it('the token is the same every time, and for its owner alone', async () => {
  await ensureConnectToken(home, 'token')
  const first = await readToken()
  await chmod(home.connectToken, 0o644)
  await ensureConnectToken(home, 'token')
  expect(await readToken()).toBe(first)
  if (process.platform !== 'win32') expect((await stat(home.connectToken)).mode & 0o777).toBe(0o600)
  expect(await readFile(home.tokens, 'utf8')).not.toContain(first)
  const [listed] = await new TokenStore(home.tokens).list()
  // Printing it is no use of it.
  expect(listed).toMatchObject({ name: 'connect' })
  expect(listed).not.toHaveProperty('lastUsed')
})

it('of many that start together all have the same', async () => {
  const headers = await Promise.all(Array.from({ length: 8 }, () => ensureConnectToken(home, 'token')))
  expect(new Set(headers.map((header) => header?.value)).size).toBe(1)
  expect(await new TokenStore(home.tokens).list()).toHaveLength(1)
})

it('one that was revoked, or a file that holds something else, is replaced', async () => {
  await ensureConnectToken(home, 'token')
  const first = await readToken()
  await new TokenStore(home.tokens).revoke('connect')
  await ensureConnectToken(home, 'token')
  expect(await readToken()).not.toBe(first)
  await writeFile(home.connectToken, 'something else')
  const header = await ensureConnectToken(home, 'token')
  expect(header?.value).toBe(`Bearer ${await readToken()}`)
})

it('a damaged token file fails only where the token is needed', async () => {
  await writeFile(home.tokens, 'not JSON')
  expect(await ensureConnectToken(home, 'user', 'linux')).toBeUndefined()
  await expect(ensureConnectToken(home, 'token')).rejects.toMatchObject({ code: 'invalid_configuration' })
})
