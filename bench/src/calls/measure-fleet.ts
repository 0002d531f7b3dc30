/** Many servers that do nothing: how long they take to start, and how much memory they cost our own process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { SeededRandom } from '@switchboard/testkit'
import type { Programs } from '../build-programs.ts'
import type { FleetResult, FleetSetup, ServerCommand } from '../drivers/driver-protocol.ts'
import { median } from '../statistics.ts'

export interface MemoryRow {
  readonly upstreams: number
  readonly rssMB: number
  /** Over a Node process of the same version that does nothing, measured in the same run. */
  readonly overEmptyMB: number
  readonly heapMB: number
}

export interface MemoryResult {
  readonly emptyRssMB: number
  readonly rows: readonly MemoryRow[]
}

export interface StartResult {
  readonly servers: number
  readonly poolMs: number
  readonly directMs: number
  readonly ratio: number
}

export interface FleetOptions {
  readonly programs: Programs
  readonly server: ServerCommand
  readonly sizes: readonly number[]
  readonly repeats: number
  readonly random: SeededRandom
}

const toMB = (bytes: number): number => bytes / 1e6

export async function measureMemory({ programs, server, sizes, repeats }: FleetOptions): Promise<MemoryResult> {
  const run = async (kind: 'empty' | 'pool', servers: number): Promise<FleetResult> => {
    const results: FleetResult[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      const folder = await programs.createFolder()
      results.push(await runFleet(programs.fleet, { kind, servers, server, folder, measureMemory: true }))
    }
    const rssBytes = median(results.map((result) => result.rssBytes))
    return { startMs: 0, rssBytes, heapBytes: median(results.map(({ heapBytes }) => heapBytes)) }
  }
  const emptyRssMB = toMB((await run('empty', 0)).rssBytes)
  const rows: MemoryRow[] = []
  for (const upstreams of sizes) {
    const { rssBytes, heapBytes } = await run('pool', upstreams)
    const rssMB = toMB(rssBytes)
    rows.push({ upstreams, rssMB, overEmptyMB: rssMB - emptyRssMB, heapMB: toMB(heapBytes) })
  }
  return { emptyRssMB, rows }
}

export async function measureStart(options: FleetOptions): Promise<StartResult> {
  const { programs, server, sizes, repeats, random } = options
  const servers = Math.max(...sizes)
  const times = { pool: [] as number[], bare: [] as number[] }
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const kind of random.shuffle(['pool', 'bare'] as const)) {
      const folder = await programs.createFolder()
      const { startMs } = await runFleet(programs.fleet, { kind, servers, server, folder, measureMemory: false })
      times[kind].push(startMs)
    }
  }
  const ratio = median(times.pool.map((ms, repeat) => ms / (times.bare[repeat] ?? ms)))
  return { servers, poolMs: median(times.pool), directMs: median(times.bare), ratio }
}

async function runFleet(program: string, setup: FleetSetup): Promise<FleetResult> {
  const child = fork(program, [JSON.stringify(setup)], { execArgv: ['--expose-gc'] })
  const exited = once(child, 'exit')
  const failed = exited.then(([code]) => {
    throw new Error(`A fleet of ${setup.servers} servers (${setup.kind}) ended with code ${code}.`)
  })
  const [result] = await Promise.race([once(child, 'message'), failed])
  failed.catch(() => {})
  child.disconnect()
  await exited
  // Only our own program is at the other end of the channel.
  return result as FleetResult
}
