/**
 * Calls of one kind, made side by side by several drivers: in rounds, one small batch of each driver a round, in an
 * order that is drawn anew every round. What disturbs the machine disturbs all of them alike.
 */
import type { SeededRandom } from '@switchboard/testkit'
import type { DriverProcess } from '../driver-process.ts'
import type { BatchResult } from '../drivers/driver-protocol.ts'
import { median, percentile, sum } from '../statistics.ts'

export type ColumnName = 'direct' | 'sdk' | 'pool' | 'pool-64'

export interface Cell {
  readonly transport: 'stdio' | 'http legacy' | 'http modern'
  readonly bytes: number
  readonly concurrency: number
}

export interface Column {
  readonly name: ColumnName
  readonly p50Ms: number
  readonly p99Ms: number
  readonly callsPerSecond: number
  readonly cpuMsPerCall: number
  /** Against the direct column: the median over the rounds; of CPU, of the sums. */
  readonly ratio: { readonly p50: number; readonly p99: number; readonly throughput: number; readonly cpu: number }
}

export interface CellResult {
  readonly cell: Cell
  readonly calls: number
  readonly columns: readonly Column[]
}

export interface MeasureOptions {
  readonly calls: number
  readonly random: SeededRandom
}

export type Drivers = ReadonlyMap<ColumnName, DriverProcess>

/** Enough calls for a batch to be busy most of its time with all callers at work. */
function chooseBatchSize(concurrency: number): number {
  return concurrency === 1 ? 100 : concurrency * 10
}

export async function measureCell(cell: Cell, drivers: Drivers, options: MeasureOptions): Promise<CellResult> {
  const { bytes, concurrency } = cell
  const calls = Math.min(options.calls, chooseBatchSize(concurrency))
  const rounds = Math.max(1, Math.round(options.calls / calls))
  const results = new Map<ColumnName, BatchResult[]>([...drivers.keys()].map((name) => [name, []]))
  // The first rounds are not counted: this payload and this concurrency have to be warm in every driver.
  const warmUp = Math.max(1, Math.round(rounds / 10))
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, driver] of options.random.shuffle([...drivers])) {
      const result = await driver.run({ calls, concurrency, bytes })
      if (round >= 0) results.get(name)?.push(result)
    }
  }
  const direct = results.get('direct') ?? []
  const columns = [...results].map(([name, batches]) => summarise(name, batches, direct, calls))
  return { cell, calls: calls * rounds, columns }
}

function summarise(name: ColumnName, batches: BatchResult[], direct: BatchResult[], calls: number): Column {
  const all = Float64Array.from(batches.flatMap(({ latencies }) => [...latencies]))
  const ofDirect = Float64Array.from(direct.flatMap(({ latencies }) => [...latencies]))
  const cpuMs = sum(batches.map((batch) => batch.cpuMs))
  const paired = (of: (batch: BatchResult) => number): number =>
    median(batches.map((batch, round) => of(batch) / of(direct[round] ?? batch)))
  return {
    name,
    p50Ms: percentile(all, 0.5),
    p99Ms: percentile(all, 0.99),
    callsPerSecond: median(batches.map(({ elapsedMs }) => (calls / elapsedMs) * 1000)),
    cpuMsPerCall: cpuMs / all.length,
    ratio: {
      p50: paired(({ latencies }) => percentile(latencies, 0.5)),
      p99: percentile(all, 0.99) / percentile(ofDirect, 0.99),
      throughput: paired(({ elapsedMs }) => 1 / elapsedMs),
      cpu: cpuMs / sum(direct.map((batch) => batch.cpuMs)),
    },
  }
}
