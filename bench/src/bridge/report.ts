/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { Target } from '../retrieval/targets.ts'

export interface BridgeRow {
  readonly name: string
  readonly commands: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

export interface BridgeReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly rows: readonly BridgeRow[]
  readonly targets: readonly Target[]
}

export function formatBridgeReport({ machine, loadBefore, loadAfter, quick, rows, targets }: BridgeReport): string {
  const warning = quick ? 'A smoke run with a handful of commands: these numbers mean nothing.\n\n' : ''
  return `# Bridge: a command to a VS Code window

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
