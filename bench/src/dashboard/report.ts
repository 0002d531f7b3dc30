/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { Target } from '../retrieval/targets.ts'

export interface DashboardRow {
  /** Empty: nobody looks. */
  readonly view: string
  /** Of one core, all processes of the browser together. */
  readonly browserShare: number
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface DashboardReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly size: {
    readonly servers: number
    readonly callsPerSecond: number
    readonly seconds: number
    readonly rounds: number
  }
  readonly rows: readonly DashboardRow[]
  readonly targets: readonly Target[]
}

export function formatDashboardReport(report: DashboardReport): string {
  const { machine, loadBefore, loadAfter, quick, size, rows, targets } = report
  const warning = quick ? 'A smoke run of seconds: these numbers mean nothing.\n\n' : ''
  return `# Dashboard: a page beside ${size.servers} servers and ${size.callsPerSecond} calls a second

${warning}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${loadBefore} before, ${loadAfter} after`],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, met ? 'met' : '**missed**']),
)}

## Rounds of ${size.seconds} s

${formatTable(
  ['view', 'CPU of the browser', 'calls', 'p50, ms', 'p99, ms'],
  rows.map(({ view, browserShare, calls, p50Ms, p99Ms }) => [
    view === '' ? 'nobody looks' : view,
    `${(browserShare * 100).toFixed(1)} %`,
    String(calls),
    p50Ms.toFixed(3),
    p99Ms.toFixed(3),
  ]),
)}
`
}
