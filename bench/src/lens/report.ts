/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'
import { median, percentile } from '../statistics.ts'
import type { BuildFigures } from './measure-build.ts'
import type { Reading } from './measure-reading.ts'

export interface LensSet {
  readonly name: string
  readonly files: number
  readonly megabytes: number
  readonly readings: readonly Reading[]
  /** Undefined: the pack is not there. */
  readonly build: BuildFigures | undefined
  /** Milliseconds of ripgrep for the same words; undefined: it is not here. */
  readonly ripgrepMs: readonly number[] | undefined
}

export interface LensReport extends ReportHead {
  readonly quick: boolean
  readonly seed: number
  readonly sets: readonly LensSet[]
  /** What could not be had or measured. */
  readonly missing: readonly string[]
}

export function formatLensReport(report: LensReport): string {
  const { quick, sets, missing } = report
  const warning = quick ? 'A smoke run on a few files: these numbers mean nothing.\n\n' : ''
  return `# Lens: a workspace, known

${warning}${formatHead(report)}

## Reading

A ratio is against reading the same bytes in as many threads, and nothing else.

${formatTable(
  ['files of', 'work', 'threads', 'files', 'MB', 's', 'files/s', 'MB/s', 'ratio', 'found'],
  sets.flatMap(({ name, readings }) => readings.map((reading) => formatReading(name, reading, readings))),
)}

## The whole index

${formatTable(
  ['files of', 'files', 'MB', 's', 'CPU s', 'files/s', 'MB/s', 'ratio', 'again, s', 'edit, ms', 'MB at most'],
  sets.flatMap((set) => (set.build === undefined ? [] : [formatBuild(set, set.build)])),
)}

## Questions

${formatTable(
  ['files of', 'search p50, ms', 'p99', 'p50 meanwhile', 'p99', 'ripgrep p50, ms', 'p99', 'common word, bytes'],
  sets.flatMap(({ name, build, ripgrepMs }) =>
    build === undefined
      ? []
      : [
          [
            ...[name, percentile(build.searchMs, 0.5).toFixed(1), percentile(build.searchMs, 0.99).toFixed(1)],
            ...[percentile(build.busySearchMs, 0.5).toFixed(1), percentile(build.busySearchMs, 0.99).toFixed(1)],
            ...(ripgrepMs === undefined
              ? ['not here', '']
              : [percentile(ripgrepMs, 0.5).toFixed(0), percentile(ripgrepMs, 0.99).toFixed(0)]),
            String(build.commonBytes),
          ],
        ],
  ),
)}

A search meanwhile is one on the whole index while all of its files are read again. Of the command that asks, only what the tool itself took counts.

## What others notice while it is built

${formatTable(
  ['files of', 'gateway p50 idle, ms', 'meanwhile', 'ratio', 'health idle, ms', 'p50 meanwhile', 'most', 'asked'],
  sets.flatMap(({ name, build }) => (build === undefined ? [] : [formatNotice(name, build)])),
)}
${missing.length === 0 ? '' : `\nNot measured:\n\n${missing.map((line) => `- ${line}`).join('\n')}\n`}`
}

function formatNotice(name: string, { idleP50Ms, busyP50Ms, idleHealthMs, healthMs }: BuildFigures): string[] {
  return [
    ...[name, idleP50Ms.toFixed(3), busyP50Ms.toFixed(3), (busyP50Ms / idleP50Ms).toFixed(2), idleHealthMs.toFixed(1)],
    ...[median(healthMs).toFixed(1), Math.max(...healthMs).toFixed(1), String(healthMs.length)],
  ]
}

function formatReading(name: string, reading: Reading, all: readonly Reading[]): string[] {
  const { work, threads, files, megabytes, seconds, found } = reading
  const bare = all.find((other) => other.work === 'read' && other.threads === threads)
  const ratio = bare === undefined ? '' : ((seconds / bare.seconds) * (bare.megabytes / megabytes)).toFixed(1)
  return [
    ...[name, work, String(threads), String(files), megabytes.toFixed(1), seconds.toFixed(2)],
    ...[(files / seconds).toFixed(0), (megabytes / seconds).toFixed(1), ratio, String(found)],
  ]
}

function formatBuild({ name, files, megabytes, readings }: LensSet, build: BuildFigures): string[] {
  const bare = readings.find(({ work, threads }) => work === 'read' && threads === 1)
  const ratio = bare === undefined ? '' : (build.buildSeconds / bare.seconds).toFixed(1)
  return [
    ...[name, String(files), megabytes.toFixed(1), build.buildSeconds.toFixed(1), build.cpuSeconds.toFixed(1)],
    ...[(files / build.buildSeconds).toFixed(0), (megabytes / build.buildSeconds).toFixed(1), ratio],
    ...[build.rescanSeconds.toFixed(2), median(build.editMs).toFixed(0), build.peakMB.toFixed(0)],
  ]
}
