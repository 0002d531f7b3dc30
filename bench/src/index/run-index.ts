/**
 * The benchmark `index`: what it costs to index a repository, and what calls through the gateway notice of it. Both are measured
 * on the bundled command with its daemon. Calls are made in turns: before a run, while it goes on, after it; a ratio is of one turn.
 */
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPrograms } from '../build-programs.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { median, percentile } from '../statistics.ts'
import { measureBeside, openDaemonBench } from './daemon-bench.ts'
import type { IndexReport, IndexRound } from './report.ts'
import { writeSourceTree } from './source-tree.ts'
import { judgeTargets } from './targets.ts'

export interface IndexOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  say(line: string): void
}

const SEARCHES = 30

export async function runIndex({ quick, rounds, seed, say }: IndexOptions): Promise<IndexReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  await using stack = new AsyncDisposableStack()
  const programs = stack.use(await buildPrograms())
  const folder = await programs.createFolder()
  const count = quick ? 200 : 5_000
  say(`a repository of ${count} files`)
  await mkdir(folder, { recursive: true })
  const tree = await writeSourceTree(join(folder, 'tree'), count, seed)
  const bench = await openDaemonBench(programs, stack)
  const { burst, call } = bench

  const measured: IndexRound[] = []
  let path = join(folder, 'tree')
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`)
    // Under another name it is another project, and nothing of it is known.
    const next = join(folder, `tree-${round}`)
    await rename(path, next)
    path = next
    const before = await burst()
    const {
      result: first,
      busyMs: during,
      bursts,
      idleMB,
      peakMB,
    } = await measureBeside(bench, () => call('index_repository', { path }, path))
    const after = await burst()
    const again = await call('index_repository', { path }, path)
    const idle = median([before, after])
    measured.push({
      indexMs: first.durationMs,
      filesPerSecond: (tree.files / first.durationMs) * 1_000,
      megabytesPerSecond: tree.bytes / 1_000 / first.durationMs,
      againMs: again.durationMs,
      idleP50Ms: idle,
      busyP50Ms: during,
      ratio: during / idle,
      bursts,
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
