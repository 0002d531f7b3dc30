/** However a pool ends, in order, by a signal or by `kill -9`, nothing that it started is alive afterwards. */
import {
  expectNoProcessLeft,
  type FixtureScript,
  findByMarker,
  isAlive,
  listProcesses,
  waitFor,
} from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { McpPoolInput } from '../../src/index.ts'
import { startPoolDriver } from './support/driver.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

interface Kind {
  readonly kind: string
  readonly script: FixtureScript
  readonly processes: number
}

/** Long enough for a process that means to end by itself, short enough for a test. */
const timings = { stopGraces: { input: 300, terminate: 300 }, restartGraces: { input: 0, terminate: 300 } }

const STUBBORN = { ignoreEof: true, ignoreSignals: true }
const KINDS: Kind[] = [
  { kind: 'a well-behaved child', script: {}, processes: 1 },
  { kind: 'a stubborn child, deaf to EOF and SIGTERM', script: STUBBORN, processes: 1 },
  { kind: 'a child with a grandchild', script: { grandchild: {} }, processes: 2 },
  { kind: 'a grandchild that ignores SIGTERM', script: { grandchild: { ignoreSigterm: true } }, processes: 2 },
  {
    kind: 'a stubborn child with a stubborn grandchild that holds its pipes',
    script: { ...STUBBORN, grandchild: { ignoreSigterm: true, holdPipes: true } },
    processes: 2,
  },
  // Only Linux and macOS tell whose it is.
  ...(process.platform === 'win32'
    ? []
    : [
        {
          kind: 'a grandchild with a session of its own and no parent',
          script: { grandchild: { detached: true } },
          processes: 2,
        },
        {
          kind: 'the same, deaf to SIGTERM',
          script: { ...STUBBORN, grandchild: { detached: true, ignoreSigterm: true } },
          processes: 2,
        },
      ]),
]

describe('after close()', () => {
  test.each(KINDS)('$kind', async ({ script, processes }) => {
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a', script) } }, { timings })
    pool.start()
    await pool.ready()
    expect(await findByMarker(bench.marker)).toHaveLength(processes)
    await pool.close()
    // At once, not soon: close() has looked itself.
    expect(await findByMarker(bench.marker)).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('a grandchild in another session, behind a wrapper', async () => {
    const server = wrapDetached(bench.stdio('a', STUBBORN))
    const { pool, status } = bench.open({ mcpServers: { a: server } }, { timings })
    pool.start()
    await pool.ready()
    const found = await findByMarker(bench.marker)
    const groups = new Set(found.map(({ pgid }) => pgid))
    expect(status('a').state).toBe('ready')
    expect(groups.size).toBe(2)
    await pool.close()
    expect(await findByMarker(bench.marker)).toEqual([])
  })
})

/** One server of each kind in one pool: the command lines of what is left tell which kind it was. */
function allKinds(): McpPoolInput {
  return { mcpServers: Object.fromEntries(KINDS.map(({ script }, index) => [`s${index}`, bench.stdio('a', script)])) }
}

const ALL_PROCESSES = KINDS.reduce((sum, { processes }) => sum + processes, 0)

test('after SIGTERM of a process that closes its pool: children and grandchildren of every kind', async () => {
  const driver = await startPoolDriver(allKinds(), timings, bench.defer)
  expect(await withoutDrivers()).toHaveLength(ALL_PROCESSES)
  driver.kill('SIGTERM')
  expect(await driver.exited).toEqual({ code: 0, signal: null })
  expect(await withoutDrivers()).toEqual([])
})

describe.skipIf(process.platform === 'win32')('after kill -9 of a process that runs a pool', () => {
  test('children and grandchildren of every kind', async () => {
    const driver = await startPoolDriver(allKinds(), timings, bench.defer)
    expect(await withoutDrivers()).toHaveLength(ALL_PROCESSES)
    const guard = await findGuard(driver.pid)
    const killedAt = performance.now()
    driver.kill('SIGKILL')
    await driver.exited
    await expectNoProcessLeft(bench.marker)
    console.log(`kill -9: the last of ${ALL_PROCESSES} processes was gone ${elapsed(killedAt)} ms later`)
    await waitFor(async () => !(await isAlive(guard)), { what: 'the orphan guard to end' })
  })

  test('a well-behaved child ends with its stdin, before the guard does anything', async () => {
    const driver = await startPoolDriver({ mcpServers: { a: bench.stdio('a') } }, timings, bench.defer)
    driver.kill('SIGKILL')
    await expectNoProcessLeft(bench.marker)
    expect(await bench.entries('a', 'eof')).toHaveLength(1)
    expect(await bench.entries('a', 'signal')).toEqual([])
  })

  test('the guard itself was killed: a new one takes over, which guards the old children too', async () => {
    const driver = await startPoolDriver({ mcpServers: { only: bench.stdio('only', STUBBORN) } }, timings, bench.defer)
    const guard = await findGuard(driver.pid)
    process.kill(guard, 'SIGKILL')
    // Gone from the table means that the driver has been told.
    await waitFor(async () => !(await isListed(guard)))
    expect(await findGuard(driver.pid)).not.toBe(guard)
    expect(await withoutDrivers()).toHaveLength(1)
    driver.kill('SIGKILL')
    await driver.exited
    await expectNoProcessLeft(bench.marker)
  })
})

describe('after a restart', () => {
  test.each([
    ['a grandchild', { ignoreSigterm: true, holdPipes: true }],
    ['a detached grandchild', { ignoreSigterm: true, detached: true }],
  ])('%s does not outlive its parent that was killed', async (_, grandchild) => {
    const script = { grandchild }
    const { pool, status, reached } = bench.open({ mcpServers: { a: bench.stdio('a', script) } }, { timings })
    pool.start()
    await pool.ready()
    const before = (await findByMarker(bench.marker)).map(({ pid }) => pid)
    expect(before).toHaveLength(2)
    process.kill(status('a').pid ?? 0, 'SIGKILL')
    await reached('a', 'ready', 2)
    const after = (await findByMarker(bench.marker)).map(({ pid }) => pid)
    expect(after).toHaveLength(2)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })
})

/** The driver has the script, and with it the marker, in its own command line. */
async function withoutDrivers() {
  return (await findByMarker(bench.marker)).filter(({ command }) => !command.includes('pool-driver'))
}

async function findGuard(parent: number): Promise<number> {
  const isGuard = async () =>
    (await listProcesses()).find(({ ppid, command }) => ppid === parent && command.includes('orphan-guard'))
  return (await waitFor(isGuard, { what: 'the orphan guard' })).pid
}

function elapsed(since: number): string {
  return (performance.now() - since).toFixed(0)
}

async function isListed(pid: number): Promise<boolean> {
  return (await listProcesses()).some((found) => found.pid === pid)
}

/** A launcher that puts the server into a session of its own and waits for it, as some do. */
function wrapDetached({
  command = '',
  args = [],
}: {
  command?: string | undefined
  args?: readonly string[] | undefined
}) {
  const code = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { detached: true, stdio: 'inherit' })`
  return { command: process.execPath, args: ['-e', code, '--', command, ...args] }
}
