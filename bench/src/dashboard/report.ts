/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'

export interface DashboardRow {
  /** Empty: nobody looks. */
  readonly view: string
  /** Of one core, all processes of the browser together. */
  readonly browserShare: number
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface DashboardReport extends ReportHead {
  readonly quick: boolean
  readonly size: {
    readonly servers: number
    readonly callsPerSecond: number
    readonly seconds: number
    readonly rounds: number
  }
  readonly rows: readonly DashboardRow[]
}

export function formatDashboardReport(report: DashboardReport): string {
  const { quick, size, rows } = report
  const warning = quick ? 'A smoke run of seconds: these numbers mean nothing.\n\n' : ''
  return `# Dashboard: a page beside ${size.servers} servers and ${size.callsPerSecond} calls a second

${warning}${formatHead(report)}

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
