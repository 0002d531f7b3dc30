/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'

export interface BridgeRow {
  readonly name: string
  readonly commands: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

export interface BridgeReport extends ReportHead {
  readonly quick: boolean
  readonly rows: readonly BridgeRow[]
}

export function formatBridgeReport(report: BridgeReport): string {
  const { quick, rows } = report
  const warning = quick ? 'A smoke run with a handful of commands: these numbers mean nothing.\n\n' : ''
  return `# Bridge: a command to a VS Code window

${warning}${formatHead(report)}

## Commands

From the call until its answer is there and its folder is gone, in milliseconds.

${formatTable(
  ['', 'commands', 'p50', 'p99', 'longest'],
  rows.map(({ name, commands, p50Ms, p99Ms, mostMs }) => [
    name,
    commands.toLocaleString('en'),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    mostMs.toFixed(2),
  ]),
)}
`
}
