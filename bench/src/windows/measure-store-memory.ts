/** What the memory of agents costs the daemon: without it, with a store that holds nothing, and once something was kept and found. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Programs } from '../build-programs.ts'
import { median } from '../statistics.ts'
import { DaemonHome } from './daemon-home.ts'
import { readMemory } from './process-memory.ts'

export interface StoreMemory {
  /** Proportional, where the system tells it: the median of the rounds. */
  readonly withoutMB: number
  readonly emptyMB: number
  readonly usedMB: number
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
  for (let round = 0; round < rounds; round++) {
    without.push((await measureDaemon(programs, front, false)).idle)
    const { idle, busy } = await measureDaemon(programs, front, true)
    empty.push(idle)
    used.push(busy)
  }
  return { withoutMB: median(without), emptyMB: median(empty), usedMB: median(used) }
}

async function measureDaemon(
  programs: Programs,
  front: string,
  enabled: boolean,
): Promise<{ readonly idle: number; readonly busy: number }> {
  await using home = await DaemonHome.create(programs, front, 0, { packs: { memory: { enabled } } })
  const client = home.openFront()
  try {
    await client.initialize()
    const daemon = (await home.daemonPid()) ?? Number.NaN
    const read = async (): Promise<number> => {
      await delay(SETTLE_MS)
      return readMemory(daemon).proportional
    }
    const idle = await read()
    if (!enabled) return { idle, busy: idle }
    const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args })
    await call('checkpoint_save', { summary: 'The parser is done', projectPath: home.directory })
    await call('checkpoint_search', { query: 'parser', projectPath: home.directory })
    return { idle, busy: await read() }
  } finally {
    await client.close()
  }
}
