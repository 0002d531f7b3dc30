/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { CallRow } from './measure-calls.ts'
import type { FleetRow, FleetSize } from './measure-fleet.ts'
import type { FirstAnswerRow, FrontMemory } from './measure-front.ts'
import type { StoreMemory } from './measure-store-memory.ts'
import { KIND } from './process-memory.ts'
import type { Target } from './targets.ts'

export interface WindowsReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  readonly size: FleetSize
  readonly fleet: readonly FleetRow[]
  readonly calls: readonly CallRow[]
  readonly memory: FrontMemory
  readonly store: StoreMemory
  readonly firstAnswers: readonly FirstAnswerRow[]
  readonly targets: readonly Target[]
}

const WAY = { direct: 'servers of their own', switchboard: 'fronts on one daemon' } as const

export function formatWindowsReport(report: WindowsReport): string {
  const { machine, size, memory, targets } = report
  const warning = report.quick ? 'A smoke run with a handful of calls: these numbers mean nothing.\n\n' : ''
  return `# Windows: ${size.windows} windows with ${size.servers} servers each

${warning}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${report.loadBefore} before, ${report.loadAfter} after`],
    ['rounds', `${report.rounds}, seed ${report.seed}`],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, met ? 'met' : '**missed**']),
)}

## Processes and memory

The servers are small ones made with the SDK's v1: real ones are larger, and the difference grows with them. The daemon's row
counts the guard that ends its servers should it be killed. Memory is ${KIND}${KIND === 'PSS' ? ', in which a page that several processes share is counted once' : ''}.

${formatTable(
  ['windows have', 'fronts', 'daemon', 'servers', 'processes', 'memory', 'per window'],
  report.fleet.map(({ way, fronts, daemons, servers, processes, memoryMB }) => [
    WAY[way],
    String(fronts),
    String(daemons),
    String(servers),
    String(processes),
    formatMB(memoryMB),
    formatMB(memoryMB / size.windows),
  ]),
)}

## A call

Bursts on warm connections that take turns. × is the median of the rounds' ratios of p50 against HTTP to the same daemon.

${formatTable(
  ['at once', 'way', 'calls', 'p50 ms', 'p99 ms', '× HTTP'],
  report.calls.map(({ concurrency, way, calls, p50Ms, p99Ms, ratioToHttp }) => [
    String(concurrency),
    way,
    String(calls),
    p50Ms.toFixed(3),
    p99Ms.toFixed(2),
    ratioToHttp.toFixed(2),
  ]),
)}

## A front

${formatTable(
  ['process', 'resident', KIND],
  [
    ['empty Node', formatMB(memory.empty.resident), formatMB(memory.empty.proportional)],
    ['front, idle', formatMB(memory.idle.resident), formatMB(memory.idle.proportional)],
    [`front, after ${memory.calls} calls`, formatMB(memory.busy.resident), formatMB(memory.busy.proportional)],
  ],
)}

## The memory of agents

A daemon without servers, the median of the rounds.

${formatTable(
  ['the memory', KIND],
  [
    ['switched off', formatMB(report.store.withoutMB)],
    ['on, nothing kept yet', formatMB(report.store.emptyMB)],
    ['on, after a save and a search', formatMB(report.store.usedMB)],
    ['on, restarted with that', formatMB(report.store.restartedMB)],
  ],
)}

## The first answer

From the start of the process until \`initialize\` is answered.

${formatTable(
  ['an agent starts', 'least', 'median'],
  report.firstAnswers.map(({ what, leastMs, medianMs }) => [
    what,
    `${leastMs.toFixed(0)} ms`,
    `${medianMs.toFixed(0)} ms`,
  ]),
)}
`
}

function formatMB(value: number): string {
  return `${value.toFixed(1)} MB`
}
