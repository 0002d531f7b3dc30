/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'

export interface IndexRound {
  readonly indexMs: number
  readonly filesPerSecond: number
  readonly megabytesPerSecond: number
  /** With nothing changed. */
  readonly againMs: number
  readonly idleP50Ms: number
  readonly busyP50Ms: number
  readonly ratio: number
  readonly bursts: number
  /** Of the daemon: resident. */
  readonly idleMB: number
  readonly peakMB: number
}

export interface IndexReport extends ReportHead {
  readonly quick: boolean
  readonly seed: number
  readonly files: number
  readonly megabytes: number
  readonly rounds: readonly IndexRound[]
  readonly searchP50Ms: number
  readonly searchP99Ms: number
}

export function formatIndexReport(report: IndexReport): string {
  const { quick, files, megabytes, rounds } = report
  const warning = quick ? 'A smoke run on a few files: these numbers mean nothing.\n\n' : ''
  return `# Index: a repository of ${files} files, ${megabytes.toFixed(1)} MB, beside calls

${warning}${formatHead(report)}

## Rounds

${formatTable(
  ['s', 'files/s', 'MB/s', 'again, s', 'p50 idle, ms', 'p50 meanwhile, ms', 'ratio', 'MB before', 'MB at most'],
  rounds.map((round) => [
    (round.indexMs / 1_000).toFixed(1),
    round.filesPerSecond.toFixed(0),
    round.megabytesPerSecond.toFixed(2),
    (round.againMs / 1_000).toFixed(2),
    round.idleP50Ms.toFixed(3),
    round.busyP50Ms.toFixed(3),
    round.ratio.toFixed(2),
    round.idleMB.toFixed(0),
    round.peakMB.toFixed(0),
  ]),
)}

A search for a name that is declared in it takes ${report.searchP50Ms.toFixed(1)} ms (p50), ${report.searchP99Ms.toFixed(1)} ms (p99).
`
}
