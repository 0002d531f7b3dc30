/** The bridge between processes: what the death of one, many at once, and a full disk do to it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { createTemporaryDirectory, waitFor } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { askBridge, readBridgeHealth } from '../src/index.ts'
import { bridgePaths, createJobId } from '../src/layout.ts'
import { MessageReader } from '../src/message-file.ts'

const WINDOW = fileURLToPath(new URL('fixtures/window.ts', import.meta.url))
const NEVER = new AbortController().signal

interface Window {
  readonly child: ChildProcess
  readonly pid: number
  /** The states that it went through. */
  readonly states: string[]
  /** What it began. */
  begun(): string[]
}

async function makeFolder(): Promise<string> {
  const directory = await createTemporaryDirectory('switchboard-bridge-')
  onTestFinished(() => directory.remove())
  return directory.path
}

/** `uid`: of whom it is; absent: of us. */
function startWindow(workspace: string, instance: string, notes: string, uid?: number): Window {
  const journal = join(notes, `${instance}.journal`)
  const child = spawn(process.execPath, ['--conditions=switchboard-source', WINDOW, workspace, instance, journal], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, cwd: '/' }),
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const states: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => states.push(...text.trim().split('\n')))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const begun = () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [])
  return { child, pid: child.pid ?? 0, states, begun }
}

async function openWindow(workspace: string, instance = 'tt79-6f854d', notes = workspace): Promise<Window> {
  const window = startWindow(workspace, instance, notes)
  await waitFor(() => window.states.includes('owner'), { what: 'the window to own the folder' })
  return window
}

function ask(workspace: string, scriptName: string, params: JsonObject = {}, timeout = 60_000): Promise<unknown> {
  return askBridge({ workspace, scriptName, params, timeout, signal: NEVER })
}

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  )

test('twenty at once, five times over, are all answered, and each is run once', async () => {
  const workspace = await makeFolder()
  const window = await openWindow(workspace)
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(numbers.map((n) => ask(workspace, 'echo', { round, n })))
    expect(answers).toEqual(numbers.map((n) => ({ round, n })))
  }
  const begun = window.begun()
  expect(begun).toHaveLength(100)
  expect(new Set(begun).size).toBe(100)
})

test('a window that is killed in the middle is known before the time is over, with the next step, and nothing is run again', async () => {
  const workspace = await makeFolder()
  const window = await openWindow(workspace)
  const asked = failureOf(ask(workspace, 'slow'))
  await waitFor(() => window.begun().length === 1, { what: 'the script to begin' })
  window.child.kill('SIGKILL')
  expect(await asked).toMatchObject({
    code: 'E_BRIDGE_UNAVAILABLE',
    message: expect.stringContaining('ended while it ran this'),
    hint: expect.stringContaining('bridge_status'),
  })
  expect((await readBridgeHealth(workspace)).state).toBe('dead')
  expect(await failureOf(ask(workspace, 'echo'))).toMatchObject({ code: 'E_BRIDGE_UNAVAILABLE' })

  const next = await openWindow(workspace, 'uu80-000001')
  expect(await ask(workspace, 'echo', { a: 1 })).toEqual({ a: 1 })
  expect(next.begun()).toEqual(['echo {"a":1}'])
})

test('a window that stands still is known too, and does not run what was given up when it goes on', async () => {
  const workspace = await makeFolder()
  const window = await openWindow(workspace)
  window.child.kill('SIGSTOP')
  expect(await failureOf(ask(workspace, 'echo', { late: true }))).toMatchObject({
    message: expect.stringContaining('does not answer any more'),
  })
  await waitFor(() => readdirSync(bridgePaths(workspace).execute).length === 0, { what: 'the job to be taken back' })
  window.child.kill('SIGCONT')
  await waitFor(async () => (await readBridgeHealth(workspace)).state === 'healthy', {
    what: 'its heart to beat again',
  })
  expect(await ask(workspace, 'echo', { late: false })).toEqual({ late: false })
  expect(window.begun()).toEqual(['echo {"late":false}'])
})

test('of five windows that open one folder at once one owns it, and the next when that one is killed', async () => {
  const workspace = await makeFolder()
  const windows = Array.from({ length: 5 }, (_, n) => startWindow(workspace, `aaaa-00000${n}`, workspace))
  const owners = () => windows.filter(({ states }) => states.at(-1) === 'owner')
  const isSettled = () => windows.every(({ states }) => states.length > 0) && owners().length === 1
  await waitFor(isSettled, { what: 'one owner' })
  const [first] = owners()
  expect((await readBridgeHealth(workspace)).state).toBe('healthy')
  expect(await ask(workspace, 'echo', { n: 1 })).toEqual({ n: 1 })
  first?.child.kill('SIGKILL')
  windows.splice(windows.indexOf(first as Window), 1)
  await waitFor(async () => isSettled() && (await readBridgeHealth(workspace)).state === 'healthy', {
    what: 'the next owner',
  })
  expect(await ask(workspace, 'echo', { n: 2 })).toEqual({ n: 2 })
  expect(windows.flatMap((window) => window.begun())).toEqual(['echo {"n":2}'])
})

test('on a full disk both sides say so, nothing is cut, and it goes on when there is room', async ({ skip }) => {
  const folder = await makeFolder()
  const workspace = join(folder, 'disk')
  mkdirSync(workspace)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', workspace], { stdio: 'ignore' })
  } catch {
    skip('this machine does not let us mount a small disk')
  }
  onTestFinished(() => void execFileSync('umount', ['-l', workspace]))
  const window = await openWindow(workspace, 'tt79-6f854d', folder)
  expect(await failureOf(ask(workspace, 'large', { bytes: 2 ** 20 }))).toMatchObject({
    code: 'E_OPERATION_FAILED',
    message: expect.stringContaining('ENOSPC'),
  })
  const ballast = join(workspace, 'ballast')
  const { bavail, bsize } = statfsSync(workspace)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  expect(await failureOf(ask(workspace, 'echo'))).toMatchObject({
    code: 'E_BRIDGE_UNAVAILABLE',
    hint: expect.stringContaining('make room'),
  })
  rmSync(ballast)
  expect(await ask(workspace, 'echo', { a: 1 })).toEqual({ a: 1 })
  expect(window.begun()).toEqual([`large {"bytes":${2 ** 20}}`, 'echo {"a":1}'])
})

test('a pipe in the place of messages is not waited for', async () => {
  const folder = await makeFolder()
  execFileSync('mkfifo', [join(folder, 'requests-0.ndjson')])
  const messages: unknown[] = []
  const reader = new MessageReader(folder, 'requests', (message) => messages.push(message))
  reader.read()
  expect(messages).toEqual([])
})

/** On systems that number their users, and where we may be one of them. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

test.skipIf(process.platform === 'win32' || !isRoot)(
  'what another user left and we cannot remove does no harm, and in a folder of another user nothing is asked',
  async () => {
    const workspace = await makeFolder()
    chmodSync(workspace, 0o777)
    const { root, drafts, execute } = bridgePaths(workspace)
    const left = [join(execute, createJobId(0, 1, 0.5)), join(execute, 'strange'), join(drafts, 'half')]
    for (const folder of left) mkdirSync(join(folder, 'inner'), { recursive: true })
    for (const folder of [root, drafts, execute]) chownSync(folder, NOBODY, NOBODY)
    const window = startWindow(workspace, 'tt79-6f854d', workspace, NOBODY)
    await waitFor(() => window.states.length > 0, { what: 'the window to try' })
    expect(window.states).toEqual(['owner'])
    expect(left.map((folder) => existsSync(folder))).toEqual([true, true, true])
    window.child.stdin?.end()
    await waitFor(() => window.states.includes('closed'), { what: 'the end of the window' })

    for (const folder of [root, drafts, execute]) {
      chownSync(folder, 0, 0)
      chmodSync(folder, 0o777)
    }
    const other = startWindow(workspace, 'uu80-000001', workspace, NOBODY)
    await waitFor(() => other.states.length > 0, { what: 'the other window to try' })
    expect(other.states).toEqual([
      `waiting The folder cannot be used: ${root} belongs to another user (0): remove it, and it is made anew`,
    ])
    expect(readdirSync(root).sort()).toEqual(['.gitignore', 'drafts', 'execute'])
  },
)
