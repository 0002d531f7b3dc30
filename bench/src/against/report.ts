/** The result of a comparison as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { StartRow } from './compare-start.ts'
import type { TurnsRow } from './measure-turns.ts'
import type { BundleBytes, TreeName } from './tree.ts'

export interface AgainstTarget {
  readonly name: string
  readonly limit: number
  /** Of this tree to the other. */
  readonly measured: number
  readonly met: boolean
}

export interface AgainstReport {
  readonly name: string
  readonly machine: MachineFacts
  readonly commits: Readonly<Record<TreeName, string>>
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  readonly calls: readonly TurnsRow[]
  readonly starts: readonly StartRow[]
  readonly bundles: readonly BundleBytes[]
  readonly targets: readonly AgainstTarget[]
}

export function formatAgainstReport(report: AgainstReport): string {
  const { machine, commits, calls, starts, bundles, targets } = report
  const sections = [
    `# ${report.name}: this tree against another`,
    ...(report.quick ? ['A smoke run: these numbers mean nothing.'] : []),
    formatTable(
      ['', ''],
      [
        ['date', machine.date],
        ['before', commits.before],
        ['after', commits.after],
        ['node', `${machine.node}, ${machine.platform}`],
        ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
        ['load average', `${report.loadBefore} before, ${report.loadAfter} after`],
        ['seed, rounds', `${report.seed}, ${report.rounds}`],
      ],
    ),
    formatTable(
      ['target', 'limit', 'measured', ''],
      targets.map(({ name, limit, measured, met }) => [
        name,
        `≤ ${limit}×`,
        formatRatio(measured),
        met ? 'met' : '**missed**',
      ]),
    ),
    ...(calls.length === 0 ? [] : [formatCalls(calls)]),
    ...(starts.length === 0 ? [] : [formatStarts(starts)]),
    ...(bundles.length === 0 ? [] : [formatBundles(bundles)]),
  ]
  return `${sections.join('\n\n')}\n`
}

function formatCalls(rows: readonly TurnsRow[]): string {
  return formatTable(
    ['way', 'bytes', 'at once', 'calls each', 'p50 ms before', 'after', '×', 'CPU µs/call before', 'after', '×'],
    rows.map(({ name, bytes, concurrency, calls, p50Ms, cpuUs, ratio }) => [
      name,
      String(bytes),
      String(concurrency),
      String(calls),
      p50Ms.before.toFixed(3),
      p50Ms.after.toFixed(3),
      formatRatio(ratio.p50),
      cpuUs.before.toFixed(1),
      cpuUs.after.toFixed(1),
      formatRatio(ratio.cpu),
    ]),
  )
}

function formatStarts(rows: readonly StartRow[]): string {
  return formatTable(
    ['start', 'ms before', 'after', '×', 'CPU ms before', 'after', '×'],
    rows.map(({ what, medianMs, medianCpuMs, ratio, cpuRatio }) => [
      what,
      medianMs.before.toFixed(1),
      medianMs.after.toFixed(1),
      formatRatio(ratio),
      formatMs(medianCpuMs.before),
      formatMs(medianCpuMs.after),
      formatRatio(cpuRatio),
    ]),
  )
}

function formatBundles(rows: readonly BundleBytes[]): string {
  return formatTable(
    ['bundle', 'bytes before', 'after', '×'],
    rows.map(({ file, before, after }) => [file, String(before), String(after), formatRatio(after / before)]),
  )
}

function formatRatio(ratio: number): string {
  return Number.isNaN(ratio) ? '–' : ratio.toFixed(3)
}

function formatMs(ms: number): string {
  return Number.isNaN(ms) ? '–' : ms.toFixed(1)
}
