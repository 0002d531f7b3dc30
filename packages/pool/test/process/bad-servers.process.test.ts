/** Servers that cannot start: they delay nobody, and each says in its own words what is wrong. */
import { chmod, writeFile } from 'node:fs/promises'
import { catchRejection, textOf, waitForJournal } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import type { ServerInput } from '../../src/index.ts'
import { createFastClock, dataOf, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

const MUTE = { on: { initialize: { do: 'silent' as const }, 'server/discover': { do: 'silent' as const } } }

test('eight good servers answer while one is mute and one does not exist', async () => {
  const good = Array.from({ length: 8 }, (_, index) => `good${index}`)
  const mcpServers: Record<string, ServerInput> = {
    mute: bench.stdio('mute', MUTE),
    missing: { command: 'no-such-program-anywhere', install: 'npm install -g no-such-program' },
    ...Object.fromEntries(good.map((name) => [name, bench.stdio(name)])),
  }
  const { pool, status, states } = bench.open({ mcpServers })
  pool.start()
  const calls = good.map((name) => pool.call(`${name}_echo`, { text: name }))
  expect((await Promise.all(calls)).map(textOf)).toEqual(good)

  expect(status('mute').state).toBe('starting')
  expect(states('mute')).toEqual(['starting'])
  expect(status('missing')).toMatchObject({ state: 'not_installed', install: 'npm install -g no-such-program' })
  const failure = await catchRejection(pool.call('missing_echo', { text: 'x' }))
  expect(failure).toMatchObject({ code: 'not_installed', executed: false, retryable: false })
  expect(failure.hint).toContain('npm install -g no-such-program')
  expect(failure.message).toContain('no-such-program-anywhere')
  // Each was tried once, and the mute one was only ever asked, never replaced.
  for (const name of [...good, 'mute']) expect(await bench.entries(name, 'start')).toHaveLength(1)
})

test('good servers start although mute ones hold every place of the start-up parallelism', async () => {
  const mcpServers = {
    ...Object.fromEntries(['m1', 'm2'].map((name) => [name, bench.stdio(name, MUTE)])),
    good: bench.stdio('good'),
  }
  const { pool, status } = bench.open({ startParallelism: 1, mcpServers }, { clock: createFastClock(5) })
  pool.start()
  expect(textOf(await pool.call('good_echo', { text: 'up' }))).toBe('up')
  expect([status('m1').state, status('m2').state]).toEqual(['starting', 'starting'])
})

test('a mute server is given up after initTimeout, tried again, and a call to it says so', async () => {
  const server = { ...bench.stdio('a', { ...MUTE, ignoreEof: true }), initTimeout: 1000, restartWait: 500 }
  const { pool, logged } = bench.open(
    { mcpServers: { a: server } },
    { clock: createFastClock(5), timings: { eraProbeTimeout: 50, restartGraces: { input: 0, terminate: 200 } } },
  )
  pool.start()
  const failure = await catchRejection(pool.call('a_echo', { text: 'x' }))
  expect(failure).toMatchObject({ code: 'restart_failed', executed: false })
  expect(failure.message).toContain('no answer to its handshake within 1000 ms')
  expect(dataOf(logged('pool.retry')[0])).toMatchObject({ reason: 'start-failed', server: 'a' })
  const [first] = await bench.entries('a', 'start')
  await waitForJournal(bench.journal('a'), ({ event, pid }) => event === 'start' && pid !== first?.pid)
})

test('a missing working directory is named, and is not taken for a missing program', async () => {
  const cwd = bench.directory.file('not-there')
  const { pool, status } = bench.open(
    { mcpServers: { a: { ...bench.stdio('a'), cwd } } },
    { clock: createFastClock(20) },
  )
  pool.start()
  await pool.ready()
  expect(status('a').state).not.toBe('not_installed')
  expect(status('a').reason).toContain(`the working directory ${cwd} does not exist`)
  const failure = await catchRejection(pool.call('a_echo', { text: 'x' }))
  expect(failure.code).toBe('restart_failed')
  expect(failure.message).toContain(cwd)
  expect(await bench.entries('a', 'start')).toEqual([])
})

test.skipIf(process.platform === 'win32')('a file that is not executable is named', async () => {
  const command = bench.directory.file('server.sh')
  await writeFile(command, '#!/bin/sh\nexit 0\n')
  await chmod(command, 0o644)
  const { pool, status } = bench.open({ mcpServers: { a: { command } } }, { clock: createFastClock(20) })
  pool.start()
  await pool.ready()
  expect(status('a').reason).toContain(`${command} is not executable`)
  const failure = await catchRejection(pool.call('a_echo', { text: 'x' }))
  expect(failure).toMatchObject({ code: 'restart_failed', executed: false })
  expect(failure.message).toContain('is not executable')
})

test.each([
  ['at once', ''],
  [
    'a while after it closed its output',
    `require('node:fs').closeSync(1); await new Promise((done) => setTimeout(done, 300))`,
  ],
])('a program that exits %s tells why: its stderr is in the error, the status and the log', async (_when, before) => {
  const code = `(async () => { ${before}; console.error('error: the key FIXTURE_KEY is not set'); process.exit(3) })()`
  const { pool, status, logged } = bench.open(
    { mcpServers: { a: { command: process.execPath, args: ['-e', code], restartWait: '600s' } } },
    { clock: createFastClock(10) },
  )
  pool.start()
  const failure = await catchRejection(pool.call('a_echo', { text: 'x' }, { timeout: 600_000 }))
  expect(failure.code).toBe('restart_failed')
  expect(failure.message).toContain('exited with code 3')
  expect(failure.details.stderr).toContain('error: the key FIXTURE_KEY is not set')
  expect(status('a').lastStderr).toContain('error: the key FIXTURE_KEY is not set')
  expect(logged('server.stderr')[0]).toMatchObject({ level: 'error', msg: 'error: the key FIXTURE_KEY is not set' })
  const [first] = logged('pool.retry')
  expect(first?.level).toBe('error')
  expect(dataOf(first)).toMatchObject({ server: 'a', reason: 'start-failed', exitCode: 3, attempt: 1, nextWaitMs: 100 })
  expect(dataOf(first).stderr).toContain('error: the key FIXTURE_KEY is not set')
})

test.skipIf(process.platform === 'win32')('a program that is installed later is found by the schedule', async () => {
  const command = bench.directory.file('late-server')
  const { pool, status, reached } = bench.open({ mcpServers: { a: { command } } }, { clock: createFastClock(10) })
  pool.start()
  await pool.ready()
  expect(status('a').state).toBe('not_installed')
  const { command: node = '', args = [] } = bench.stdio('a')
  const words = [node, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  await writeFile(command, `#!/bin/sh\nexec ${words.join(' ')}\n`, { mode: 0o755 })
  await reached('a', 'ready')
  expect(textOf(await pool.call('a_echo', { text: 'installed' }))).toBe('installed')
})
