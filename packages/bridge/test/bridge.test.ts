import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { createTemporaryDirectory, waitFor } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askBridge, BridgeError, BridgeHost, type BridgeScript, readBridgeHealth } from '../src/index.ts'
import { bridgePaths, createJobId, isJobId, MACHINE } from '../src/layout.ts'
import { sweepOldJobs } from '../src/retention.ts'

const INSTANCE = 'tt79-6f854d'
const NEVER = new AbortController().signal

/** Until it is told to stop; what it did by then is counted. */
function createEndless() {
  const seen = { begun: 0, stopped: [] as string[] }
  const script: BridgeScript = (_params, signal) =>
    new Promise((_resolve, reject) => {
      seen.begun++
      signal.addEventListener('abort', () => {
        seen.stopped.push(signal.reason.code)
        reject(signal.reason)
      })
    })
  return { seen, script }
}

async function makeFolder(): Promise<string> {
  const directory = await createTemporaryDirectory('switchboard-bridge-')
  onTestFinished(() => directory.remove())
  return directory.path
}

function openHost(workspace: string, scripts: Record<string, BridgeScript> = {}, instance = INSTANCE): BridgeHost {
  const echo: BridgeScript = async (params) => params
  const host = new BridgeHost({ workspace, instance, scripts: { echo, ...scripts } })
  host.start()
  onTestFinished(() => host.close())
  return host
}

function ask(
  workspace: string,
  scriptName: string,
  more: { params?: JsonObject; timeout?: number; signal?: AbortSignal } = {},
) {
  return askBridge({ workspace, instance: INSTANCE, scriptName, params: {}, timeout: 20_000, signal: NEVER, ...more })
}

async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    (answer) => expect.fail(`it was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
}

/** The id of the host is a guess. */
const COMMAND = {
  version: 1,
  bridgeId: 'extHost-guess',
  createdAt: '',
  scriptName: 'endless',
  params: {},
  timeout: 60_000,
}
const DEAF_OWNER = { version: 1, bridgeId: 'extHost-1', instance: INSTANCE, machine: MACHINE }

const isClaimed = (workspace: string, id: string) =>
  existsSync(join(bridgePaths(workspace).execute, id, 'claimed.json'))

const jobsIn = (workspace: string) => readdirSync(bridgePaths(workspace).execute)

describe('a command', () => {
  test('is answered, twenty at once each once and by its own answer, and nothing of them is left', async () => {
    const workspace = await makeFolder()
    let most = 0
    let now = 0
    const runs: unknown[] = []
    const script: BridgeScript = async ({ n }) => {
      runs.push(n)
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now--
      return n
    }
    openHost(workspace, { count: script })
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    expect(await Promise.all(numbers.map((n) => ask(workspace, 'count', { params: { n } })))).toEqual(numbers)
    expect(runs.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers)
    expect(most).toBe(10)
    expect(jobsIn(workspace)).toEqual([])
    expect(readdirSync(bridgePaths(workspace).drafts)).toEqual([])
  })

  test('that waits for its turn is cancelled without ever being begun, and the next has its turn', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    openHost(workspace, { endless: script })
    const abort = new AbortController()
    const first = Array.from({ length: 10 }, () =>
      failureOf(ask(workspace, 'endless', { signal: abort.signal, timeout: 60_000 })),
    )
    await waitFor(() => seen.begun === 10)
    const own = new AbortController()
    const waiting = failureOf(ask(workspace, 'endless', { signal: own.signal }))
    const last = ask(workspace, 'echo', { params: { a: 1 }, timeout: 60_000 })
    await waitFor(() => jobsIn(workspace).filter((id) => isClaimed(workspace, id)).length === 12)
    own.abort(new BridgeError('E_CANCELLED', 'no more'))
    expect(await waiting).toMatchObject({ message: 'no more' })
    await waitFor(() => jobsIn(workspace).length === 11, { what: 'the folder of the one that waited to go' })
    abort.abort(new BridgeError('E_CANCELLED', 'enough'))
    await Promise.all(first)
    expect(await last).toEqual({ a: 1 })
    expect(seen.begun).toBe(10)
  })

  test('that was given up before it was claimed is not begun', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    openHost(workspace, { endless: script })
    const { execute, drafts, host } = bridgePaths(workspace)
    const id = createJobId(Date.now(), 1, 0.5)
    const { bridgeId } = JSON.parse(readFileSync(host, 'utf8'))
    mkdirSync(join(drafts, id))
    writeFileSync(join(drafts, id, 'command.json'), JSON.stringify({ ...COMMAND, id, bridgeId }))
    writeFileSync(join(drafts, id, 'cancel'), '')
    renameSync(join(drafts, id), join(execute, id))
    await waitFor(() => existsSync(join(execute, id, 'done')), { what: 'the end of the job' })
    expect(JSON.parse(readFileSync(join(execute, id, 'error.json'), 'utf8'))).toMatchObject({ code: 'E_CANCELLED' })
    expect(seen.begun).toBe(0)
  })

  test('whose folder is taken away is stopped', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    openHost(workspace, { endless: script })
    const abort = new AbortController()
    const asked = failureOf(ask(workspace, 'endless', { signal: abort.signal }))
    await waitFor(() => seen.begun === 1)
    rmSync(join(bridgePaths(workspace).execute, jobsIn(workspace)[0] ?? ''), { recursive: true })
    await waitFor(() => seen.stopped.length === 1, { what: 'the script to be told' })
    abort.abort()
    await asked
  })

  test('may have a large answer, and is refused in words where that or the command itself is too large', async () => {
    const workspace = await makeFolder()
    const large: BridgeScript = async ({ length }) => ({ text: 'ä'.repeat(Number(length) / 2) })
    openHost(workspace, { large })
    for (const length of [2 ** 20, 3 * 2 ** 20]) {
      const { text } = (await ask(workspace, 'large', { params: { length } })) as { text: string }
      expect(Buffer.byteLength(text)).toBe(length)
    }
    const tooMuch = await failureOf(ask(workspace, 'large', { params: { length: 64 * 2 ** 20 } }))
    expect(tooMuch).toMatchObject({ code: 'E_LARGE_DATA', hint: expect.stringContaining('Ask for less') })
    const params = { text: 'x'.repeat(4 * 2 ** 20) }
    expect(await failureOf(ask(workspace, 'echo', { params }))).toMatchObject({ code: 'E_LARGE_DATA' })
    expect(jobsIn(workspace)).toEqual([])
  })

  test('that no window takes is taken back, and told in words', async () => {
    const workspace = await makeFolder()
    openHost(workspace).close()
    const { host } = bridgePaths(workspace)
    writeFileSync(host, JSON.stringify({ ...DEAF_OWNER, pid: process.pid }))
    const heart = setInterval(() => utimesSync(host, new Date(), new Date()), 200)
    onTestFinished(() => clearInterval(heart))
    expect(await failureOf(ask(workspace, 'echo'))).toMatchObject({
      code: 'E_PICKUP_TIMEOUT',
      hint: expect.stringContaining('is not run'),
    })
    await waitFor(() => jobsIn(workspace).length === 0, { what: 'the command to be taken back' })
  })

  test('that fails brings its code, its hint and its details, a hundred times in a row, and blocks nobody', async () => {
    const workspace = await makeFolder()
    const script: BridgeScript = async () => {
      throw new BridgeError('E_FILE_NOT_FOUND', 'There is no file x', { hint: 'Look again.', details: { path: 'x' } })
    }
    openHost(workspace, { fail: script, crash: async () => Promise.reject(new TypeError('a bug')) })
    for (let count = 0; count < 100; count++) {
      const error = await failureOf(ask(workspace, 'fail'))
      expect(error).toMatchObject({ code: 'E_FILE_NOT_FOUND', hint: 'Look again.', details: { path: 'x' } })
    }
    expect(await failureOf(ask(workspace, 'crash'))).toMatchObject({
      code: 'E_OPERATION_FAILED',
      message: 'a bug',
    })
    expect(await failureOf(ask(workspace, 'unheard'))).toMatchObject({ code: 'E_SCRIPT_NOT_FOUND' })
    expect(await ask(workspace, 'echo', { params: { a: 1 } })).toEqual({ a: 1 })
  })

  test('that is cancelled is stopped in the window, and its folder goes', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    openHost(workspace, { endless: script })
    const abort = new AbortController()
    const asked = failureOf(ask(workspace, 'endless', { signal: abort.signal }))
    await waitFor(() => seen.begun === 1)
    abort.abort(new BridgeError('E_CANCELLED', 'enough'))
    expect(await asked).toMatchObject({ message: 'enough' })
    await waitFor(() => seen.stopped.length === 1, { what: 'the script to be told' })
    expect(seen.stopped).toEqual(['E_CANCELLED'])
    await waitFor(() => jobsIn(workspace).length === 0, { what: 'the folder of the job to go' })
  })

  test('whose time is over is stopped in the window too', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    openHost(workspace, { endless: script })
    expect(await failureOf(ask(workspace, 'endless', { timeout: 300 }))).toMatchObject({ code: 'E_TIMEOUT' })
    await waitFor(() => seen.stopped.length === 1, { what: 'the script to be told' })
    await waitFor(() => jobsIn(workspace).length === 0, { what: 'the folder of the job to go' })
    expect(seen.begun).toBe(1)
  })

  test('to a window that closes in the middle fails, is stopped, and is not run by the next', async () => {
    const workspace = await makeFolder()
    const { seen, script } = createEndless()
    const first = openHost(workspace, { endless: script })
    const asked = failureOf(ask(workspace, 'endless'))
    await waitFor(() => seen.begun === 1)
    first.close()
    expect(['E_BRIDGE_UNAVAILABLE', 'E_CANCELLED']).toContain(((await asked) as BridgeError).code)
    openHost(workspace, { endless: script })
    expect(await ask(workspace, 'echo', { params: { a: 2 } })).toEqual({ a: 2 })
    expect(seen.begun).toBe(1)
  })

  test('to a window whose process is gone fails at once', async () => {
    const workspace = await makeFolder()
    openHost(workspace).close()
    expect(await failureOf(ask(workspace, 'echo'))).toMatchObject({
      code: 'E_BRIDGE_UNAVAILABLE',
      message: 'No VS Code window with the Switchboard extension has this folder open',
    })
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => child.once('exit', resolve))
    writeFileSync(bridgePaths(workspace).host, JSON.stringify({ ...DEAF_OWNER, pid: child.pid }))
    expect((await readBridgeHealth(workspace, INSTANCE)).state).toBe('dead')
    expect(await failureOf(ask(workspace, 'echo'))).toMatchObject({ code: 'E_BRIDGE_UNAVAILABLE' })
  })

  test('to a window whose heart has stopped fails, although its process lives', async () => {
    const workspace = await makeFolder()
    openHost(workspace).close()
    const { host } = bridgePaths(workspace)
    writeFileSync(host, JSON.stringify({ ...DEAF_OWNER, pid: process.pid }))
    const before = Date.now() / 1000 - 6
    utimesSync(host, before, before)
    expect((await readBridgeHealth(workspace, INSTANCE)).state).toBe('dead')
  })
})

describe('the folder', () => {
  test('belongs to one window; the other says so, and takes it over when the first is gone', async () => {
    const workspace = await makeFolder()
    const first = openHost(workspace)
    const second = openHost(workspace, {}, 'zzzz-000000')
    expect(first.state.kind).toBe('owner')
    expect(second.state).toMatchObject({ kind: 'waiting', owner: { instance: INSTANCE } })
    const asked = askBridge({
      workspace,
      instance: 'zzzz-000000',
      scriptName: 'echo',
      params: {},
      timeout: 5_000,
      signal: NEVER,
    })
    expect(await failureOf(asked)).toMatchObject({
      message: `Another VS Code window, ${INSTANCE}, owns the bridge of this folder`,
    })
    first.close()
    await waitFor(() => second.state.kind === 'owner', { what: 'the other window to take over' })
  })

  test('of a window in a container, whose process cannot be seen here, is its own as long as its heart beats', async () => {
    const workspace = await makeFolder()
    openHost(workspace).close()
    const { host: hostFile, lock } = bridgePaths(workspace)
    const owner = JSON.stringify({ ...DEAF_OWNER, instance: 'cccc-000000', machine: 'elsewhere', pid: 2 ** 22 + 1 })
    for (const file of [lock, hostFile]) writeFileSync(file, owner)
    expect((await readBridgeHealth(workspace)).state).toBe('healthy')
    const second = openHost(workspace)
    expect(second.state).toMatchObject({ kind: 'waiting', owner: { instance: 'cccc-000000' } })
    await waitFor(() => second.state.kind === 'owner', { what: 'the heart to be missed' })
  })

  test('keeps what a window was in the middle of, and what a person wants kept; the rest goes by its age', async () => {
    const workspace = await makeFolder()
    const paths = bridgePaths(workspace)
    const ids = Array.from({ length: 4 }, (_, n) => createJobId(Date.now(), n, 0.5))
    const [cutOff = '', open = '', done = '', kept = ''] = ids
    const put = (id: string, ...names: string[]) => {
      mkdirSync(join(paths.execute, id), { recursive: true })
      for (const name of names) writeFileSync(join(paths.execute, id, name), '{}')
    }
    put(cutOff, 'command.json', 'claimed.json')
    put(open, 'command.json')
    put(done, 'command.json', 'claimed.json', 'done')
    put(kept, 'command.json', 'keep')
    openHost(workspace)
    expect(jobsIn(workspace)).toEqual([cutOff, kept])
    expect(readFileSync(join(paths.execute, cutOff, 'dlq'), 'utf8')).toContain('E_CRASH_RECOVERY')

    put(open, 'command.json')
    put(done, 'command.json', 'claimed.json', 'done')
    const sweepAfter = (hours: number) => {
      sweepOldJobs(paths, Date.now() + hours * 3_600_000, () => false)
      return jobsIn(workspace)
    }
    expect(sweepAfter(23)).toEqual([cutOff, open, done, kept])
    expect(sweepAfter(25)).toEqual([cutOff, open, kept])
    expect(sweepAfter(49)).toEqual([cutOff, kept])
    expect(sweepAfter(24 * 8)).toEqual([kept])
  })

  test('may hold garbage, and commands that were put there by others, of which none is run', async () => {
    const workspace = await makeFolder()
    const { execute, root, host: hostFile, lock } = bridgePaths(workspace)
    const { seen, script } = createEndless()
    const id = createJobId(Date.now(), 1, 0.5)
    const command = { ...COMMAND, id }
    mkdirSync(join(execute, id), { recursive: true })
    writeFileSync(join(execute, id, 'command.json'), JSON.stringify(command))
    const precious = join(workspace, 'precious')
    writeFileSync(precious, 'mine')
    symlinkSync(precious, join(root, '.gitignore'))
    writeFileSync(lock, 'no JSON')
    writeFileSync(hostFile, '{}')
    const host = openHost(workspace, { endless: script })
    expect(host.state.kind).toBe('owner')
    for (const [name, text] of [
      [createJobId(Date.now(), 2, 0.5), JSON.stringify(command)],
      [createJobId(Date.now(), 3, 0.5), '{ half'],
      ['..strange', JSON.stringify(command)],
    ] as const) {
      mkdirSync(join(execute, name))
      writeFileSync(join(execute, name, 'command.json'), text)
    }
    writeFileSync(join(execute, createJobId(Date.now(), 4, 0.5)), 'a file')
    symlinkSync('/etc', join(execute, createJobId(Date.now(), 5, 0.5)))
    expect(await ask(workspace, 'echo', { params: { a: 3 } })).toEqual({ a: 3 })
    expect(seen.begun).toBe(0)
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('*\n')
    expect(readFileSync(precious, 'utf8')).toBe('mine')
  })

  test('that is a link is not used, nor does it lead to the window of another folder', async () => {
    const workspace = await makeFolder()
    const elsewhere = await makeFolder()
    symlinkSync(elsewhere, bridgePaths(workspace).root)
    expect(openHost(workspace).state.kind).toBe('waiting')
    expect(readdirSync(elsewhere)).toEqual([])

    const [owned, linked] = [await makeFolder(), await makeFolder()]
    openHost(owned)
    symlinkSync(bridgePaths(owned).root, bridgePaths(linked).root)
    expect((await readBridgeHealth(linked, INSTANCE)).state).toBe('none')
    expect(await failureOf(ask(linked, 'echo'))).toMatchObject({ code: 'E_BRIDGE_UNAVAILABLE' })
  })

  test('that came with an archive is free: a heart that beats in the future is not seen to beat', async () => {
    const workspace = await makeFolder()
    const { root, host: hostFile, lock } = bridgePaths(workspace)
    mkdirSync(root)
    const owner = JSON.stringify({ ...DEAF_OWNER, instance: 'ffff-000000', machine: 'elsewhere', pid: 4711 })
    const future = Date.now() / 1000 + 10 * 365 * 24 * 3600
    for (const file of [lock, hostFile]) {
      writeFileSync(file, owner)
      utimesSync(file, future, future)
    }
    expect((await readBridgeHealth(workspace)).state).toBe('dead')
    const window = openHost(workspace)
    await waitFor(() => window.state.kind === 'owner', { what: 'nobody to be seen' })
    expect(await ask(workspace, 'echo', { params: { a: 4 } })).toEqual({ a: 4 })
  })

  test('with links or files where folders should be is put right, and where they lead nothing is touched', async () => {
    const workspace = await makeFolder()
    const elsewhere = await makeFolder()
    writeFileSync(join(elsewhere, 'precious'), 'mine')
    const { root, drafts, execute, host: hostFile } = bridgePaths(workspace)
    mkdirSync(root)
    symlinkSync(elsewhere, execute)
    symlinkSync(join(elsewhere, 'precious'), hostFile)
    writeFileSync(drafts, 'a file')
    expect(openHost(workspace).state.kind).toBe('owner')
    expect(await ask(workspace, 'echo', { params: { a: 5 } })).toEqual({ a: 5 })
    expect(readdirSync(elsewhere)).toEqual(['precious'])
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('mine')
  })

  test('that is taken away is made again', async () => {
    const workspace = await makeFolder()
    const host = openHost(workspace)
    rmSync(bridgePaths(workspace).root, { recursive: true })
    await waitFor(() => existsSync(bridgePaths(workspace).host) && host.state.kind === 'owner', {
      what: 'a new folder',
    })
    expect(await ask(workspace, 'echo')).toEqual({})
  })
})

test('ids of jobs sort by time, and are names on every system', () => {
  const [first, second] = [createJobId(0, 9_999, 0.99999), createJobId(1, 10_000, 0)]
  expect([first, second]).toEqual(['19700101T000000000Z-9999-ffff', '19700101T000000001Z-0000-0000'])
  expect([isJobId(first), isJobId('..'), isJobId(`${first}x`)]).toEqual([true, false, false])
})
