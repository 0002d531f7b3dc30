/** `start --against`: how long a person waits for the version and an agent for its first answer, tree by tree in turns. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildPrograms } from '../build-programs.ts'
import { BareClient } from '../drivers/bare-client.ts'
import { createOurHome } from '../gateway/contender.ts'
import { readCpu } from '../gateway/process-cpu.ts'
import { median } from '../statistics.ts'
import { DaemonHome } from '../windows/daemon-home.ts'
import type { CompareOptions } from './options.ts'
import type { Tree, TreeName, Trees } from './tree.ts'

export interface StartRow {
  readonly what: string
  readonly medianMs: Readonly<Record<TreeName, number>>
  /** Of the process that answers, until then; NaN where it is over by then. Steadier than time on a busy machine. */
  readonly medianCpuMs: Readonly<Record<TreeName, number>>
  /** Of this tree to the other: the medians over the pairs. */
  readonly ratio: number
  readonly cpuRatio: number
}

interface Start {
  readonly ms: number
  readonly cpuMs: number
}

type Way = readonly [what: string, measure: (tree: Tree) => Promise<Start>]

const execute = promisify(execFile)

export async function compareStart(trees: Trees, { quick, rounds, random, say }: CompareOptions): Promise<StartRow[]> {
  await using stack = new AsyncDisposableStack()
  const programs = stack.use(await buildPrograms())
  const homes = new Map<Tree, DaemonHome>()
  for (const tree of [trees.before, trees.after]) {
    homes.set(tree, stack.use(await DaemonHome.create(programs, tree.program, 1)))
  }
  const openFront = (tree: Tree): BareClient => {
    const home = homes.get(tree)
    if (home === undefined) throw new Error(`There is no home for ${tree.name}.`)
    return home.openFront()
  }
  const ways: Way[] = [
    ['`switchboard --version`', ({ program }) => time(() => execute(process.execPath, [program, '--version']))],
    ['`switchboard mcp`, the daemon is up', (tree) => timeFirstAnswer(() => openFront(tree))],
    [
      '`switchboard mcp`, no daemon runs',
      async (tree) => {
        await homes.get(tree)?.stopDaemon()
        return await timeFirstAnswer(() => openFront(tree))
      },
    ],
    [
      '`switchboard mcp --standalone`',
      async ({ program }) => {
        const home = await createOurHome(programs, await programs.createFolder(), 1)
        const args = [program, '--home', home, 'mcp', '--standalone']
        return await timeFirstAnswer(() => new BareClient({ command: process.execPath, args }))
      },
    ],
  ]
  const rows: StartRow[] = []
  for (const [what, measure] of ways) {
    say(what)
    // Not counted: files are read for the first time, and a daemon is up afterwards.
    if (!quick) for (const tree of [trees.before, trees.after]) await measure(tree)
    const pairs: Record<TreeName, Start>[] = []
    for (let round = 0; round < rounds; round++) {
      const none: Start = { ms: Number.NaN, cpuMs: Number.NaN }
      const pair: Record<TreeName, Start> = { before: none, after: none }
      for (const tree of random.shuffle<Tree>([trees.before, trees.after])) pair[tree.name] = await measure(tree)
      pairs.push(pair)
    }
    const typical = (read: (start: Start) => number): Record<TreeName, number> => ({
      before: median(pairs.map(({ before }) => read(before))),
      after: median(pairs.map(({ after }) => read(after))),
    })
    rows.push({
      what,
      medianMs: typical(({ ms }) => ms),
      medianCpuMs: typical(({ cpuMs }) => cpuMs),
      ratio: median(pairs.map(({ before, after }) => after.ms / before.ms)),
      cpuRatio: median(pairs.map(({ before, after }) => after.cpuMs / before.cpuMs)),
    })
  }
  return rows
}

async function time(work: () => Promise<unknown>): Promise<Start> {
  const begun = performance.now()
  await work()
  return { ms: performance.now() - begun, cpuMs: Number.NaN }
}

/** From the start of the process until `initialize` is answered. */
async function timeFirstAnswer(open: () => BareClient): Promise<Start> {
  const begun = performance.now()
  const client = open()
  await client.initialize()
  const ms = performance.now() - begun
  const cpuMs = readCpu({ own: [client.pid], upstream: [] }).own
  await client.close()
  return { ms, cpuMs }
}
