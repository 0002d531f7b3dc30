import { execFile } from 'node:child_process'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TokenStore } from '../../src/access/token-store.ts'

const PROGRAM = fileURLToPath(new URL('./programs/change-tokens.ts', import.meta.url))
const run = promisify(execFile)

let directory: TemporaryDirectory
let file: string

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  file = directory.file('tokens.json')
})

afterEach(() => directory.remove())

async function changeTokens(name: string, rounds: number): Promise<string[]> {
  const { stdout } = await run(process.execPath, [
    '--conditions=switchboard-source',
    PROGRAM,
    file,
    name,
    String(rounds),
  ])
  return JSON.parse(stdout) as string[]
}

it('loses no token and brings none back when several processes create and revoke at once', async () => {
  const kept = (await Promise.all(['a', 'b', 'c', 'd'].map((name) => changeTokens(name, 10)))).flat()
  const store = new TokenStore(file)
  expect(kept).toHaveLength(40)
  for (const text of kept) expect(await store.verify(text)).toMatchObject({ ok: true })
  const names = (await store.list()).map(({ name }) => name)
  expect(names).toHaveLength(40)
  expect(names.every((name) => name.endsWith('-kept'))).toBe(true)
  await store.close()
  expect(await readdir(directory.path)).toEqual(['tokens.json'])
})

it('gets past the lock of a process that died with it', async () => {
  const lock = `${file}.lock`
  await writeFile(lock, 'somebody who is gone')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)
  const kept = (await Promise.all(['a', 'b', 'c'].map((name) => changeTokens(name, 2)))).flat()
  const store = new TokenStore(file)
  expect((await store.list()).length).toBe(kept.length)
  expect(await readdir(directory.path)).toEqual(['tokens.json'])
})
