/**
 * The benchmark `index`: what it costs to index a repository, and what calls through the gateway notice of it. Both are measured
 * on the bundled command with its daemon. Calls are made in turns: before a run, while it goes on, after it; a ratio is of one turn.
 */
import { execFile } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildCommand, buildPrograms } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { median, percentile } from '../statistics.ts'
import { DaemonHome } from '../windows/daemon-home.ts'
import { readMemory } from '../windows/process-memory.ts'
import type { IndexReport, IndexRound } from './report.ts'
import { writeSourceTree } from './source-tree.ts'
import { judgeTargets } from './targets.ts'

export interface IndexOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  say(line: string): void
}

const BURST_MS = 500
const MAX_CALLS = 100_000
const SEARCHES = 30

export async function runIndex({ quick, rounds, seed, say }: IndexOptions): Promise<IndexReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const { program } = await buildCommand()
  await using stack = new AsyncDisposableStack()
  const programs = stack.use(await buildPrograms())
  const folder = await programs.createFolder()
  const count = quick ? 200 : 5_000
  say(`a repository of ${count} files`)
  await mkdir(folder, { recursive: true })
  const tree = await writeSourceTree(join(folder, 'tree'), count, seed)
  const home = stack.use(await DaemonHome.create(programs, program, 1))
  const front = home.openFront()
  await front.shakeHands()
  stack.defer(() => front.close())
  const driver = await DriverProcess.start({
    program: programs.driver,
    setup: { kind: 'gateway-raw', url: home.url, era: 'legacy' },
  })
  if (driver === undefined) throw new Error('This client needs no package, and yet one is missing.')
  stack.use(driver)
  const burst = async (): Promise<number> => {
    const { latencies } = await driver.run({ calls: MAX_CALLS, concurrency: 1, bytes: 10, maxMs: BURST_MS })
    return percentile(latencies, 0.5)
  }
  const call = async (tool: string, args: object, cwd: string): Promise<ToolAnswer> => {
    const given = [...home.command.args.slice(0, -1), 'call', tool, JSON.stringify(args), '--json']
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd, maxBuffer: 2 ** 26 })
    return findAnswer(JSON.parse(stdout))
  }
  for (let warm = 0; warm < 4; warm++) await burst()
  const pid = await home.daemonPid()
  const rss = (): number => (pid === undefined ? Number.NaN : readMemory(pid).resident)

  const measured: IndexRound[] = []
  let path = join(folder, 'tree')
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`)
    // Under another name it is another project, and nothing of it is known.
    const next = join(folder, `tree-${round}`)
    await rename(path, next)
    path = next
    const before = await burst()
    const idleMB = rss()
    let peakMB = idleMB
    const sampling = setInterval(() => {
      peakMB = Math.max(peakMB, rss())
    }, 100)
    const busy: number[] = []
    let isDone = false
    const indexing = call('index_repository', { path }, path).finally(() => {
      isDone = true
    })
    while (!isDone) busy.push(await burst())
    const first = await indexing
    clearInterval(sampling)
    const after = await burst()
    const again = await call('index_repository', { path }, path)
    const idle = median([before, after])
    // The last one was over only after the index was: what is slow at the very end counts less than what is slow for long.
    const during = median(busy.length > 1 ? busy.slice(0, -1) : busy)
    measured.push({
      indexMs: first.durationMs,
      filesPerSecond: (tree.files / first.durationMs) * 1_000,
      megabytesPerSecond: tree.bytes / 1_000 / first.durationMs,
      againMs: again.durationMs,
      idleP50Ms: idle,
      busyP50Ms: during,
      ratio: during / idle,
      bursts: busy.length,
      idleMB,
      peakMB,
    })
  }
  say('searches')
  const times: number[] = []
  for (const name of tree.names.slice(0, quick ? 3 : SEARCHES)) {
    const { durationMs, text } = await call('repository_search', { query: name, contentMode: 'minimal' }, path)
    if (!text.includes(`declares ${name}`)) throw new Error(`${name} is declared, and was not found first: ${text}`)
    times.push(durationMs)
  }
  return {
    machine,
    loadBefore,
    loadAfter: describeLoad(),
    quick,
    seed,
    files: tree.files,
    megabytes: tree.bytes / 1e6,
    rounds: measured,
    searchP50Ms: percentile(times, 0.5),
    searchP99Ms: percentile(times, 0.99),
    targets: judgeTargets(measured),
  }
}

interface ToolAnswer {
  readonly durationMs: number
  readonly text: string
}

/** Printed by our own command: an envelope, or the result that holds one. */
function findAnswer(printed: unknown): ToolAnswer {
  const text = JSON.stringify(printed)
  const durationMs = Number(/"durationMs":\s*([\d.]+)/.exec(text)?.[1])
  if (Number.isNaN(durationMs)) throw new Error(`Not the answer of a tool: ${text.slice(0, 500)}`)
  return { durationMs, text }
}
