import { execFile, spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryDirectory, type TemporaryDirectory, watchProgram } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretStore } from '../src/secret-store.ts'
import { hasKeyring, KEYRING_MISSING, type Keyring, startKeyring } from './keyring.ts'

const PROGRAM = fileURLToPath(new URL('./programs/keep-secrets.ts', import.meta.url))
const run = promisify(execFile)
const SECRET = 'a-refresh-token-nobody-may-see'

let directory: TemporaryDirectory
let folder: string

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  folder = directory.file('secrets')
})

afterEach(() => directory.remove())

function programArguments(name: string, rounds: number): string[] {
  return ['--conditions=switchboard-source', PROGRAM, folder, name, String(rounds)]
}

async function readAll(): Promise<string> {
  const files = await readdir(folder)
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n')
}

describe('several processes at once', () => {
  it('never lose a secret, nor one change of those that take turns', async () => {
    const env = { PATH: process.env.PATH ?? '' }
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((name) => run(process.execPath, programArguments(name, 10), { env })))
    const store = new SecretStore({ folder, env })
    expect(await store.get('counted')).toBe('40')
    for (const name of names) expect(await store.get(`own ${name}`)).toBe('9')
    expect(await store.get('shared')).toMatch(/^[a-d] \d x{5000}$/)
    expect(await store.names()).toEqual(['counted', 'own a', 'own b', 'own c', 'own d', 'shared'])
    expect((await readdir(folder)).filter((file) => !file.endsWith('.secret.json'))).toEqual([])
  })

  it('leave what they said was kept, however they are killed', async () => {
    const env = { PATH: process.env.PATH ?? '' }
    const program = watchProgram(spawn(process.execPath, programArguments('a', 100_000), { env }))
    await program.waitForText('5\n')
    program.child.kill('SIGKILL')
    await program.ended
    const kept = Number(program.out().trim().split('\n').at(-1))
    const store = new SecretStore({ folder, env })
    expect(Number(await store.get('own a'))).toBeGreaterThanOrEqual(kept)
    expect(await store.get('shared')).toMatch(/^a \d+ x{5000}$/)
  })
})

describe.skipIf(!hasKeyring())(`the keychain of the system${hasKeyring() ? '' : ` (${KEYRING_MISSING})`}`, () => {
  let keyring: Keyring

  beforeEach(async () => {
    keyring = await startKeyring()
  })

  afterEach(() => keyring[Symbol.asyncDispose]())

  const openStore = (): SecretStore => new SecretStore({ folder, env: keyring.env })

  it('seals what is kept, so that the files alone say nothing', async () => {
    const store = openStore()
    expect(await store.place()).toMatchObject({ kind: 'keychain', text: expect.stringContaining('Secret Service') })
    await store.set('oauth files', SECRET)
    expect(await readAll()).not.toContain(SECRET)
    expect(await openStore().get('oauth files')).toBe(SECRET)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('is used with one key by processes that begin at the same moment', async () => {
    const env = keyring.env
    const names = ['a', 'b', 'c']
    await Promise.all(names.map((name) => run(process.execPath, programArguments(name, 2), { env })))
    const store = openStore()
    expect(await store.get('counted')).toBe('6')
    for (const name of names) expect(await store.get(`own ${name}`)).toBe('1')
    expect(await readAll()).not.toContain('"secret"')
  })

  it('that is locked hides what was sealed, keeps new secrets in the clear, and has lost nothing once it is open', async () => {
    await openStore().set('before', SECRET)
    await keyring.lock()
    const locked = openStore()
    await expect(locked.get('before')).rejects.toMatchObject({
      code: 'secret_unreadable',
      message: expect.stringMatching(/locked/),
    })
    await locked.set('meanwhile', 'in the clear')
    expect(await locked.place()).toMatchObject({ kind: 'file' })
    expect(await readAll()).toContain('in the clear')
    await keyring.unlock()
    const open = openStore()
    expect(await open.get('before')).toBe(SECRET)
    expect(await open.get('meanwhile')).toBe('in the clear')
    expect(await open.place()).toMatchObject({ kind: 'keychain' })
  })

  it('is left alone when it is switched off', async () => {
    const store = new SecretStore({ folder, keychain: 'off', env: keyring.env })
    await store.set('oauth files', SECRET)
    expect(await store.place()).toMatchObject({ kind: 'file' })
    expect(await readAll()).toContain(SECRET)
    expect(await readdir(folder)).not.toContain('keychain.json')
  })

  it('is never told a secret on a command line', async () => {
    await openStore().set('oauth files', SECRET)
    const [attributes] = (
      await run('secret-tool', ['search', '--all', 'application', 'switchboard'], { env: keyring.env })
    ).stdout.split('secret = ')
    expect(attributes).toContain('label = Switchboard')
    expect(await readAll()).not.toContain('"secret"')
  })
})
