/** `gateway --against`: the command of each tree between one stdio server and the same clients; CPU is the command's own. */
import { buildPrograms, type Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { DriverSetup } from '../drivers/driver-protocol.ts'
import { createOurHome, createOurs } from '../gateway/contender.ts'
import { findProcessGroup, type ProcessGroup, readCpu } from '../gateway/process-cpu.ts'
import { type Cell, type Generation, measureTurns, type TurnsRow } from './measure-turns.ts'
import type { CompareOptions } from './options.ts'
import type { Tree, Trees } from './tree.ts'

const KINDS = ['http legacy', 'http modern', 'stdio legacy', 'stdio modern'] as const
type Kind = (typeof KINDS)[number]

/** Each has a command of its own, and starting them is most of a quick run. */
const QUICK_KINDS: readonly Kind[] = ['http legacy', 'stdio modern']

function createCells(kinds: readonly Kind[]): Cell[] {
  return kinds.flatMap((name) => [
    { name, bytes: 10, concurrency: 1, calls: 300 },
    { name, bytes: 10, concurrency: 16, calls: 800 },
  ])
}

interface Lane {
  readonly driver: DriverProcess
  readonly group: ProcessGroup
}

export async function compareGateway(trees: Trees, options: CompareOptions): Promise<TurnsRow[]> {
  await using programs = await buildPrograms()
  const kinds = options.quick ? QUICK_KINDS : KINDS
  const start = async (): Promise<Generation> => {
    await using stack = new AsyncDisposableStack()
    const lanes = new Map<string, Lane>()
    for (const tree of options.random.shuffle<Tree>([trees.before, trees.after])) {
      for (const kind of kinds) lanes.set(`${tree.name} ${kind}`, await openLane(stack, programs, tree, kind))
    }
    const started = stack.move()
    return {
      async run(tree, { name }, request) {
        const lane = lanes.get(`${tree} ${name}`)
        if (lane === undefined) throw new Error(`There is no client of ${tree} for ${name}.`)
        const cpu = readCpu(lane.group).own
        const batch = await lane.driver.run(request)
        return { batch, cpuMs: readCpu(lane.group).own - cpu }
      },
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    }
  }
  return await measureTurns({ ...options, cells: options.scale(createCells(kinds)), start })
}

async function openLane(stack: AsyncDisposableStack, programs: Programs, { command }: Tree, kind: Kind): Promise<Lane> {
  const folder = await programs.createFolder()
  const era = kind.endsWith('modern') ? 'modern' : 'legacy'
  const connect = async (setup: DriverSetup): Promise<DriverProcess> => {
    const driver = await DriverProcess.start({ program: programs.driver, setup })
    if (driver === undefined) throw new Error('The bare clients need no package, and yet one is missing.')
    return stack.use(driver)
  }
  if (kind.startsWith('stdio')) {
    const home = await createOurHome(programs, folder, 1)
    const server = { command: process.execPath, args: [command, '--home', home, 'mcp', '--standalone'] }
    const driver = await connect({ kind: 'bare', server, ...(era === 'modern' ? { era } : {}) })
    const { own, upstream } = await findProcessGroup([driver.pid], programs.sdkEchoServer)
    // The client starts the command, and is itself none of it.
    return { driver, group: { own: own.filter((pid) => pid !== driver.pid), upstream } }
  }
  const running = stack.use(await createOurs(command).start({ programs, folder, upstreams: 1 }))
  const driver = await connect({ kind: 'gateway-raw', url: running.url, era })
  return { driver, group: await findProcessGroup(running.roots, programs.sdkEchoServer) }
}
