/** The benchmark `calls`: starts the drivers, measures cell by cell, then memory and start-up, and judges the targets. */
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { buildPrograms, type Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { DriverSetup, ServerCommand } from '../drivers/driver-protocol.ts'
import { startHttpEchoServer } from '../http-echo-process.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { type Cell, type CellResult, type ColumnName, type Drivers, measureCell } from './measure-calls.ts'
import { measureMemory, measureStart } from './measure-fleet.ts'
import type { CallsReport } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface CallsOptions {
  readonly quick: boolean
  /** Of every client in every cell. */
  readonly calls: number
  readonly seed: number
  readonly profileFolder?: string | undefined
  /** Says what is being done. */
  say(line: string): void
}

/** What every option of a run needs on its way down. */
interface Context extends CallsOptions {
  readonly programs: Programs
  readonly random: SeededRandom
}

const PAYLOADS = [10, 20_000]
const STDIO_CONCURRENCIES = [1, 16, 64]
const HTTP_CONCURRENCIES = [1, 16]
const WARM_UP_CALLS = 20_000

export async function runCalls(options: CallsOptions): Promise<CallsReport> {
  const { quick, seed, say } = options
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const random = createSeededRandom(seed)
  await using programs = await buildPrograms()
  const context: Context = { ...options, programs, random }
  const server: ServerCommand = { command: process.execPath, args: [programs.echoServer] }

  const cells = await measureStdio(context, server)
  for (const era of ['legacy', 'modern'] as const) cells.push(...(await measureHttp(context, era)))

  const sizes = quick ? [1, 2] : [1, 10, 50]
  const fleet = { programs, server, sizes, random, repeats: quick ? 1 : 3 }
  say(`memory with ${sizes.join(', ')} idle upstreams`)
  const memory = await measureMemory(fleet)
  say(`starting ${Math.max(...sizes)} servers`)
  const start = await measureStart(fleet)
  const targets = judgeTargets(cells, memory)
  return { machine, loadBefore, loadAfter: describeLoad(), seed, quick, cells, memory, start, targets }
}

async function measureStdio(context: Context, server: ServerCommand): Promise<CellResult[]> {
  const { programs } = context
  const setups: [ColumnName, DriverSetup][] = [
    ['direct', { kind: 'bare', server }],
    ['sdk', { kind: 'sdk', server }],
    ['pool', { kind: 'pool', server, folder: await programs.createFolder() }],
    ['pool-64', { kind: 'pool', server, concurrency: 64, folder: await programs.createFolder() }],
  ]
  const cells: Cell[] = PAYLOADS.flatMap((bytes) =>
    STDIO_CONCURRENCIES.map((concurrency) => ({ transport: 'stdio' as const, bytes, concurrency })),
  )
  return measureCells(context, setups, cells)
}

async function measureHttp(context: Context, era: 'legacy' | 'modern'): Promise<CellResult[]> {
  const { programs } = context
  await using server = await startHttpEchoServer(programs.httpEchoServer, era)
  const { url } = server
  const setups: [ColumnName, DriverSetup][] = [
    ['direct', { kind: 'http-bare', url, era }],
    ['pool', { kind: 'http-pool', url, folder: await programs.createFolder() }],
  ]
  const transport = `http ${era}` as const
  const cells = HTTP_CONCURRENCIES.map((concurrency) => ({ transport, bytes: 10, concurrency }))
  // For orientation only, and a call takes several times as long as over stdio.
  return await measureCells({ ...context, calls: Math.ceil(context.calls / 4) }, setups, cells)
}

async function measureCells(
  { programs, quick, calls, random, profileFolder, say }: Context,
  setups: readonly [ColumnName, DriverSetup][],
  cells: readonly Cell[],
): Promise<CellResult[]> {
  await using stack = new AsyncDisposableStack()
  const drivers = new Map<ColumnName, DriverProcess>()
  for (const [name, setup] of setups) {
    const driver = await DriverProcess.start({ program: programs.driver, setup, profileFolder })
    if (driver === undefined) say(`${name} is left out: its package is not installed`)
    else drivers.set(name, stack.use(driver))
  }
  say(`warming up ${[...drivers.keys()].join(', ')}`)
  for (const driver of drivers.values()) {
    await driver.run({ calls: quick ? 20 : WARM_UP_CALLS, concurrency: 8, bytes: PAYLOADS[0] ?? 1 })
  }
  const results: CellResult[] = []
  for (const cell of cells) {
    say(`${cell.transport}, ${cell.bytes} bytes, ${cell.concurrency} at once`)
    results.push(await measureCell(cell, selectDrivers(drivers, cell), { calls, random }))
  }
  return results
}

/** A pool that allows more at once differs from the default one only when there is more at once. */
function selectDrivers(drivers: Drivers, { concurrency }: Cell): Drivers {
  return new Map([...drivers].filter(([name]) => name !== 'pool-64' || concurrency > 16))
}
