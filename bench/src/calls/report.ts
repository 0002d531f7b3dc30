/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { CellResult, ColumnName } from './measure-calls.ts'
import type { MemoryResult, StartResult } from './measure-fleet.ts'
import { formatBytes, type Target } from './targets.ts'

export interface CallsReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly seed: number
  readonly quick: boolean
  readonly cells: readonly CellResult[]
  readonly memory: MemoryResult
  readonly start: StartResult
  readonly targets: readonly Target[]
}

const LABELS: Readonly<Record<ColumnName, string>> = {
  direct: 'direct',
  sdk: 'SDK v1 client',
  pool: 'pool',
  'pool-64': 'pool, concurrency 64',
}

export function formatReport(report: CallsReport): string {
  const { machine, cells, memory, start, targets } = report
  const ofTransport = (isStdio: boolean): CellResult[] =>
    cells.filter(({ cell }) => (cell.transport === 'stdio') === isStdio)
  return `# Calls: the pool against a direct connection

${report.quick ? 'A smoke run with a handful of calls: these numbers mean nothing.\n\n' : ''}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${report.loadBefore} before, ${report.loadAfter} after`],
    ['seed', String(report.seed)],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, met ? 'met' : '**missed**']),
)}

## stdio

Direct is a bare client: spawn, newline framing, JSON, a map by id. The SDK v1 client is there for orientation. Every
client has its own process and its own echo server; they take turns in small batches, in random order. A ratio is the
median of the rounds' ratios to direct (of p99 and CPU: the ratio of the whole), so it may differ a little from that of the columns beside it.

${formatCells(ofTransport(true))}

## Streamable HTTP

For orientation. Direct is undici with JSON, and nothing else.

${formatCells(ofTransport(false))}

## Memory of our process with idle upstreams

Resident memory of the pool's process alone, after collecting garbage until it stands still. An empty Node process: ${memory.emptyRssMB.toFixed(1)} MB.

${formatTable(
  ['upstreams', 'resident', 'over an empty process', 'JavaScript heap'],
  memory.rows.map(({ upstreams, rssMB, overEmptyMB, heapMB }) => [
    String(upstreams),
    `${rssMB.toFixed(1)} MB`,
    `${overEmptyMB.toFixed(1)} MB`,
    `${heapMB.toFixed(1)} MB`,
  ]),
)}

## Starting ${start.servers} servers

From \`start()\` until all are ready, every process included.

${formatTable(
  ['direct', 'pool', 'ratio'],
  [[`${start.directMs.toFixed(0)} ms`, `${start.poolMs.toFixed(0)} ms`, `${start.ratio.toFixed(2)}×`]],
)}
`
}

function formatCells(cells: readonly CellResult[]): string {
  const rows = cells.flatMap(({ cell, columns }) =>
    columns.map(({ name, p50Ms, p99Ms, callsPerSecond, cpuMsPerCall, ratio }) => [
      cell.transport,
      formatBytes(cell.bytes),
      String(cell.concurrency),
      LABELS[name],
      p50Ms.toFixed(3),
      formatRatio(name, ratio.p50),
      p99Ms.toFixed(3),
      formatRatio(name, ratio.p99),
      callsPerSecond.toFixed(0),
      formatRatio(name, ratio.throughput),
      (cpuMsPerCall * 1000).toFixed(0),
      formatRatio(name, ratio.cpu),
    ]),
  )
  const head = [
    'transport',
    'payload',
    'at once',
    'client',
    'p50 ms',
    '×',
    'p99 ms',
    '×',
    'calls/s',
    '×',
    'CPU µs/call',
    '×',
  ]
  return formatTable(head, rows)
}

function formatRatio(name: ColumnName, ratio: number): string {
  return name === 'direct' ? '' : ratio.toFixed(2)
}
