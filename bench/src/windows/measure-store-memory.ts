/**
 * What the memory of agents costs the daemon: without it, with a store that holds nothing, once something was kept and found, and
 * after a restart with that.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Programs } from '../build-programs.ts'
import type { BareClient } from '../drivers/bare-client.ts'
import { median } from '../statistics.ts'
import { DaemonHome } from './daemon-home.ts'
import { readMemory } from './process-memory.ts'

export interface StoreMemory {
  /** Proportional, where the system tells it: the median of the rounds. */
  readonly withoutMB: number
  readonly emptyMB: number
  readonly usedMB: number
  readonly restartedMB: number
}

/** What a start leaves behind is given back by then. */
const SETTLE_MS = 3_000

export async function measureStoreMemory(
  { programs, front }: { readonly programs: Programs; readonly front: string },
  rounds: number,
): Promise<StoreMemory> {
  const without: number[] = []
  const empty: number[] = []
  const used: number[] = []
  const restarted: number[] = []
  for (let round = 0; round < rounds; round++) {
    without.push((await measureDaemon(programs, front, false)).idle)
    const { idle, busy, again } = await measureDaemon(programs, front, true)
    empty.push(idle)
    used.push(busy)
    restarted.push(again)
  }
  return { withoutMB: median(without), emptyMB: median(empty), usedMB: median(used), restartedMB: median(restarted) }
}

interface Measured {
  readonly idle: number
  readonly busy: number
  readonly again: number
}

async function measureDaemon(programs: Programs, front: string, enabled: boolean): Promise<Measured> {
  await using home = await DaemonHome.create(programs, front, 0, { packs: { memory: { enabled } } })
  const { idle, busy } = await withClient(home, async (client) => {
    const before = await readDaemon(home)
    if (!enabled) return { idle: before, busy: before }
    const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args })
    await call('checkpoint_save', { summary: 'The parser is done', projectPath: home.directory })
    await call('checkpoint_search', { query: 'parser', projectPath: home.directory })
    return { idle: before, busy: await readDaemon(home) }
  })
  if (!enabled) return { idle, busy, again: idle }
  await home.stopDaemon()
  return { idle, busy, again: await withClient(home, () => readDaemon(home)) }
}

async function withClient<Result>(home: DaemonHome, work: (client: BareClient) => Promise<Result>): Promise<Result> {
  const client = home.openFront()
  try {
    await client.initialize()
    return await work(client)
  } finally {
    await client.close()
  }
}

async function readDaemon(home: DaemonHome): Promise<number> {
  const daemon = (await home.daemonPid()) ?? Number.NaN
  await delay(SETTLE_MS)
  return readMemory(daemon).proportional
}
