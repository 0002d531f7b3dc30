/**
 * Two trees side by side: in every round each makes one batch of every cell, in an order that is drawn anew, and a ratio is
 * the median over the rounds. A process keeps what the compiler made of its code, for better or worse: a few generations
 * of processes are measured, so that none of them decides.
 */
import type { SeededRandom } from '@switchboard/testkit'
import type { BatchRequest, BatchResult } from '../drivers/driver-protocol.ts'
import { median, percentile } from '../statistics.ts'
import type { TreeName } from './tree.ts'

export interface Cell {
  readonly name: string
  readonly concurrency: number
  readonly bytes: number
  /** Of a batch. */
  readonly calls: number
}

export interface Turn {
  readonly batch: BatchResult
  /** Of what is measured, and not of its client where that is another process. */
  readonly cpuMs: number
}

/** One generation: both trees up and warm. */
export interface Generation extends AsyncDisposable {
  run(tree: TreeName, cell: Cell, request: BatchRequest): Promise<Turn>
}

export interface TurnsRow {
  readonly name: string
  readonly concurrency: number
  readonly bytes: number
  /** Of each tree. */
  readonly calls: number
  readonly p50Ms: Readonly<Record<TreeName, number>>
  readonly cpuUs: Readonly<Record<TreeName, number>>
  /** Of this tree to the other: medians over the rounds. */
  readonly ratio: { readonly p50: number; readonly cpu: number }
}

export interface TurnsOptions {
  readonly cells: readonly Cell[]
  readonly generations: number
  readonly rounds: number
  readonly random: SeededRandom
  start(generation: number): Promise<Generation>
  say(line: string): void
}

type Pair = Record<TreeName, Turn>

const TREES: readonly TreeName[] = ['before', 'after']
const WARM_UP_BATCHES = 4

export async function measureTurns(options: TurnsOptions): Promise<TurnsRow[]> {
  const { cells, generations, rounds, random, start, say } = options
  const pairs = new Map<Cell, Pair[]>(cells.map((cell) => [cell, []]))
  for (let index = 0; index < generations; index++) {
    await using generation = await start(index)
    const takeTurn = (tree: TreeName, cell: Cell): Promise<Turn> =>
      generation.run(tree, cell, { calls: cell.calls, concurrency: cell.concurrency, bytes: cell.bytes })
    for (let batch = 0; batch < (rounds === 1 ? 1 : WARM_UP_BATCHES); batch++) {
      for (const cell of cells) for (const tree of TREES) await takeTurn(tree, cell)
    }
    for (let round = 0; round < rounds; round++) {
      say(`processes ${index + 1} of ${generations}, round ${round + 1} of ${rounds}`)
      for (const cell of random.shuffle([...cells])) {
        const pair: Partial<Pair> = {}
        for (const tree of random.shuffle([...TREES])) pair[tree] = await takeTurn(tree, cell)
        const { before, after } = pair
        if (before !== undefined && after !== undefined) pairs.get(cell)?.push({ before, after })
      }
    }
  }
  return [...pairs].map(([cell, ofCell]) => summarise(cell, ofCell))
}

function summarise({ name, concurrency, bytes, calls }: Cell, pairs: readonly Pair[]): TurnsRow {
  const p50 = ({ batch }: Turn): number => percentile(batch.latencies, 0.5)
  const cpu = ({ batch, cpuMs }: Turn): number => (cpuMs / batch.latencies.length) * 1000
  const typical = (read: (turn: Turn) => number): Record<TreeName, number> => ({
    before: median(pairs.map(({ before }) => read(before))),
    after: median(pairs.map(({ after }) => read(after))),
  })
  const paired = (read: (turn: Turn) => number): number =>
    median(pairs.map(({ before, after }) => read(after) / read(before)))
  return {
    name,
    concurrency,
    bytes,
    calls: calls * pairs.length,
    p50Ms: typical(p50),
    cpuUs: typical(cpu),
    ratio: { p50: paired(p50), cpu: paired(cpu) },
  }
}
