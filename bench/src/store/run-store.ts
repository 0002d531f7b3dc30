/** The benchmark `store`: how fast it takes and finds things, by size, and what readers notice of a writer. */
import { describeLoad, describeMachine } from '../machine.ts'
import { openEngines } from './engines.ts'
import { measureStore } from './measure-store.ts'
import type { StoreReport, StoreRow } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface StoreOptions {
  readonly quick: boolean
  readonly seed: number
  /** Default: 10,000, 100,000 and 1,000,000. */
  readonly rows?: number | undefined
  say(line: string): void
}

const SIZES = [10_000, 100_000, 1_000_000]
const QUICK_SIZES = [500]

export async function runStore({ quick, seed, rows, say }: StoreOptions): Promise<StoreReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const measured: StoreRow[] = []
  await using engines = await openEngines()
  for (const reason of engines.leftOut) say(`left out: ${reason}`)
  for (const engine of engines.all) {
    const all = quick ? QUICK_SIZES : SIZES.filter((size) => size <= engine.mostRows)
    for (const size of rows === undefined ? all : [rows]) {
      say(`${engine.name}: ${size} rows`)
      measured.push(await measureStore(engine, { rows: size, seed, quick }))
    }
  }
  return {
    machine,
    loadBefore,
    loadAfter: describeLoad(),
    quick,
    rows: measured,
    leftOut: engines.leftOut,
    targets: judgeTargets(measured),
  }
}
