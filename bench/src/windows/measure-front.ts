/** What one front takes, against a Node process that does nothing; and how long an agent waits for its first answer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Programs } from '../build-programs.ts'
import { BareClient } from '../drivers/bare-client.ts'
import { createUpstream } from '../gateway/contender.ts'
import { median } from '../statistics.ts'
import { DaemonHome } from './daemon-home.ts'
import { type MemoryMB, readMemory } from './process-memory.ts'

export interface FrontMemory {
  readonly empty: MemoryMB
  readonly idle: MemoryMB
  /** After so many calls, sixteen at once. */
  readonly busy: MemoryMB
  readonly calls: number
}

export interface FirstAnswerRow {
  readonly what: 'a server directly' | 'a front, the daemon is up' | 'a front, no daemon runs'
  readonly leastMs: number
  readonly medianMs: number
}

interface Options {
  readonly programs: Programs
  readonly front: string
}

/** Until what a start leaves behind is settled. */
const SETTLE_MS = 1_000

export async function measureFrontMemory({ programs, front }: Options, calls: number): Promise<FrontMemory> {
  const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  await using home = await DaemonHome.create(programs, front, 1)
  // The first starts the daemon; most fronts find one.
  const clients = [home.openFront()]
  try {
    await clients[0]?.shakeHands()
    const client = home.openFront()
    clients.push(client)
    await client.shakeHands()
    await delay(SETTLE_MS)
    const idle = readMemory(client.pid)
    let left = calls
    const work = async (): Promise<void> => {
      while (left-- > 0) await client.echo('x'.repeat(100))
    }
    await Promise.all(Array.from({ length: 16 }, work))
    await delay(SETTLE_MS)
    return { empty: readMemory(empty.pid ?? 0), idle, busy: readMemory(client.pid), calls }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    const exited = once(empty, 'exit')
    empty.kill()
    await exited
  }
}

/** From the start of the process until `initialize` is answered. */
export async function measureFirstAnswers({ programs, front }: Options, repeats: number): Promise<FirstAnswerRow[]> {
  await using home = await DaemonHome.create(programs, front, 1)
  const times = { direct: [] as number[], up: [] as number[], none: [] as number[] }
  for (let repeat = 0; repeat < repeats; repeat++) {
    await home.stopDaemon()
    times.none.push(await measureFirstAnswer(() => home.openFront()))
    times.up.push(await measureFirstAnswer(() => home.openFront()))
    times.direct.push(await measureFirstAnswer(() => new BareClient(createUpstream(programs))))
  }
  const row = (what: FirstAnswerRow['what'], values: readonly number[]): FirstAnswerRow => ({
    what,
    leastMs: Math.min(...values),
    medianMs: median(values),
  })
  return [
    row('a server directly', times.direct),
    row('a front, the daemon is up', times.up),
    row('a front, no daemon runs', times.none),
  ]
}

async function measureFirstAnswer(open: () => BareClient): Promise<number> {
  const begun = performance.now()
  const client = open()
  await client.initialize()
  const elapsed = performance.now() - begun
  await client.close()
  return elapsed
}
