/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import { median } from '../statistics.ts'
import { DEBUG_PEER } from './peer.ts'
import type { ScenarioResult } from './scenarios.ts'
import type { DebugTarget } from './targets.ts'

export interface DebugRow {
  readonly language: string
  readonly contender: string
  readonly rounds: number
  /** Medians. */
  readonly firstStopMs: number
  readonly totalMs: number
  readonly leastFirstStopMs: number
  /** In the order of the rounds. */
  readonly firstStops: readonly number[]
  readonly calls: number
  readonly bytes: number
  /** In every round. */
  readonly isAtLine: boolean
  readonly timesAtLine: number
  /** Of four, in the worst round. */
  readonly locals: number
}

export interface DebugReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  readonly rows: readonly DebugRow[]
  readonly lists: readonly { readonly contender: string; readonly tokens: number }[]
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
  readonly targets: readonly DebugTarget[]
}

export function summarizeRow(language: string, contender: string, results: readonly ScenarioResult[]): DebugRow {
  const timesAtLine = results.filter(({ isAtLine }) => isAtLine).length
  return {
    language,
    contender,
    rounds: results.length,
    firstStopMs: median(results.map(({ firstStopMs }) => firstStopMs)),
    totalMs: median(results.map(({ totalMs }) => totalMs)),
    firstStops: results.map(({ firstStopMs }) => firstStopMs),
    leastFirstStopMs: Math.min(...results.map(({ firstStopMs }) => firstStopMs)),
    calls: Math.max(...results.map(({ calls }) => calls)),
    bytes: Math.max(...results.map(({ bytes }) => bytes)),
    isAtLine: timesAtLine === results.length,
    timesAtLine,
    locals: Math.min(...results.map(({ locals }) => locals)),
  }
}

export function formatDebugReport(report: DebugReport): string {
  const { machine, rows, lists, leftOut, targets } = report
  const warning = report.quick ? 'A smoke run: these numbers mean nothing.\n\n' : ''
  return `# Debugging: start, breakpoint, stack and locals, step, locals, end

${warning}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${report.loadBefore} before, ${report.loadAfter} after`],
    ['rounds', `${report.rounds}, in turns, seed ${report.seed}`],
    ['beside', `${DEBUG_PEER.package} ${DEBUG_PEER.version}`],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, describeVerdict(met)]),
)}

## The scenario

One program in every language, with four variables around the line that it stops at: \`i\`, \`total\`, \`cfg\` (nested) and
\`big\` (5,000 elements). Both servers are started before the clock, each scenario in one of its own; the home of ours is
one for all, as a person has one, so the first round of a language is its coldest. Times are medians;
calls and bytes (of the text that a model reads) are the most of all rounds, locals the fewest. How many times faster is the
median of the rounds' ratios.

${formatTable(
  ['language', 'debugger', 'first stop ms', 'least', 'total ms', 'calls', 'bytes', 'at the line', 'locals'],
  rows.map((row) => [
    row.language,
    row.contender,
    row.firstStopMs.toFixed(0),
    row.leastFirstStopMs.toFixed(0),
    row.totalMs.toFixed(0),
    String(row.calls),
    String(row.bytes),
    `${row.timesAtLine} of ${row.rounds}`,
    `${row.locals} of 4`,
  ]),
)}

## The list of tools

What every conversation pays before the first call, by four characters a token.

${formatTable(
  ['debugger', 'tokens'],
  lists.map(({ contender, tokens }) => [contender, String(tokens)]),
)}
${
  leftOut.length === 0
    ? ''
    : `
## Left out

${formatTable(
  ['what', 'why'],
  leftOut.map(({ name, reason }) => [name, shorten(reason)]),
)}
`
}`
}

/** What a program says after its first sentence names places of this machine. */
function shorten(reason: string): string {
  return (reason.split(/(?<=\.) |\n/, 1)[0] ?? '').replaceAll('|', '\\|')
}

function describeVerdict(met: boolean | undefined): string {
  if (met === undefined) return 'not measured'
  return met ? 'met' : '**missed**'
}
