/** `calls --against`: the pool of each tree as a library, in a process of its own with a server of its own. */
import { buildPrograms } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { DriverSetup } from '../drivers/driver-protocol.ts'
import { type HttpEchoServer, startHttpEchoServer } from '../http-echo-process.ts'
import { type Cell, type Generation, measureTurns, type TurnsRow } from './measure-turns.ts'
import type { CompareOptions } from './options.ts'
import { buildTreeDriver, type Tree, type TreeName, type Trees } from './tree.ts'

const KINDS = ['stdio', 'http legacy', 'http modern'] as const
type Kind = (typeof KINDS)[number]

const CELLS: readonly (Cell & { readonly name: Kind })[] = [
  { name: 'stdio', bytes: 10, concurrency: 1, calls: 400 },
  { name: 'stdio', bytes: 10, concurrency: 16, calls: 1600 },
  { name: 'stdio', bytes: 10, concurrency: 64, calls: 1600 },
  { name: 'stdio', bytes: 20_000, concurrency: 16, calls: 400 },
  { name: 'http legacy', bytes: 10, concurrency: 16, calls: 400 },
  { name: 'http modern', bytes: 10, concurrency: 16, calls: 400 },
]

export async function compareCalls(trees: Trees, options: CompareOptions): Promise<TurnsRow[]> {
  await using programs = await buildPrograms()
  await using before = await buildTreeDriver(trees.before)
  await using after = await buildTreeDriver(trees.after)
  const drivers: Record<TreeName, string> = { before: before.driver, after: after.driver }

  const start = async (): Promise<Generation> => {
    await using stack = new AsyncDisposableStack()
    const lanes = new Map<string, DriverProcess>()
    const servers = new Map<Kind, HttpEchoServer>()
    for (const era of ['legacy', 'modern'] as const) {
      servers.set(`http ${era}`, stack.use(await startHttpEchoServer(programs.httpEchoServer, era)))
    }
    for (const { name: tree } of options.random.shuffle<Tree>([trees.before, trees.after])) {
      for (const kind of KINDS) {
        const folder = await programs.createFolder()
        const url = servers.get(kind)?.url
        const setup: DriverSetup =
          url === undefined
            ? { kind: 'pool', server: { command: process.execPath, args: [programs.echoServer] }, folder }
            : { kind: 'http-pool', url, folder }
        const driver = await DriverProcess.start({ program: drivers[tree], setup })
        if (driver === undefined) throw new Error('A pool needs no package, and yet one is missing.')
        lanes.set(`${tree} ${kind}`, stack.use(driver))
      }
    }
    const started = stack.move()
    return {
      async run(tree, { name }, request) {
        const driver = lanes.get(`${tree} ${name}`)
        if (driver === undefined) throw new Error(`There is no client of ${tree} for ${name}.`)
        const batch = await driver.run(request)
        return { batch, cpuMs: batch.cpuMs }
      },
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    }
  }
  return await measureTurns({ ...options, cells: options.scale(CELLS), start })
}
