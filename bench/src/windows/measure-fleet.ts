/** So many windows with so many servers each, both ways: how many processes that is, and how much memory they take. */
import { descendantsOf } from '@switchboard/testkit'
import type { Programs } from '../build-programs.ts'
import { BareClient } from '../drivers/bare-client.ts'
import { createUpstream } from '../gateway/contender.ts'
import { sum } from '../statistics.ts'
import { DaemonHome } from './daemon-home.ts'
import { readMemory } from './process-memory.ts'

export interface FleetSize {
  readonly windows: number
  readonly servers: number
}

export interface FleetRow {
  readonly way: 'direct' | 'switchboard'
  readonly fronts: number
  /** And what belongs to it. */
  readonly daemons: number
  readonly servers: number
  readonly processes: number
  /** Proportional where the system tells it. */
  readonly memoryMB: number
}

export interface FleetOptions {
  readonly programs: Programs
  readonly front: string
  readonly size: FleetSize
}

/** Every window lists the tools and makes a call, as a window that is in use has done. */
async function use(client: BareClient): Promise<void> {
  await client.shakeHands()
  await client.echo('x')
}

export async function measureDirectFleet({ programs, size }: FleetOptions): Promise<FleetRow> {
  const { windows, servers } = size
  const clients: BareClient[] = []
  try {
    for (let window = 0; window < windows; window++) {
      const opened = Array.from({ length: servers }, () => new BareClient(createUpstream(programs)))
      clients.push(...opened)
      await Promise.all(opened.map(use))
    }
    const memoryMB = sum(clients.map(({ pid }) => readMemory(pid).proportional))
    return { way: 'direct', fronts: 0, daemons: 0, servers: clients.length, processes: clients.length, memoryMB }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

export async function measureSharedFleet({ programs, front, size }: FleetOptions): Promise<FleetRow> {
  await using home = await DaemonHome.create(programs, front, size.servers)
  const clients = Array.from({ length: size.windows }, () => home.openFront())
  try {
    await Promise.all(clients.map(use))
    for (const client of clients) await waitForTools(client, size.servers)
    const daemon = (await home.daemonPid()) ?? Number.NaN
    const children = await descendantsOf(daemon)
    const upstreams = children.filter(({ command }) => command.includes(programs.sdkEchoServer))
    const pids = [...clients.map(({ pid }) => pid), daemon, ...children.map(({ pid }) => pid)]
    return {
      way: 'switchboard',
      fronts: clients.length,
      daemons: 1 + children.length - upstreams.length,
      servers: upstreams.length,
      processes: pids.length,
      memoryMB: sum(pids.map((pid) => readMemory(pid).proportional)),
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

async function waitForTools(client: BareClient, servers: number): Promise<void> {
  for (;;) {
    const { tools } = (await client.request('tools/list', {})) as { tools: { name: string }[] }
    if (tools.filter(({ name }) => name.endsWith('echo')).length >= servers) return
  }
}
