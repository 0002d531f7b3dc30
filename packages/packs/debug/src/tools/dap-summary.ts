import type { ToolContext, ToolOutcome } from '@switchboard/toolkit'
import type { DapSummaryData, DapSummaryParams } from '../generated/types.ts'
import { noteDropped, type OutputHost, selectCapture, showSession } from '../output/select-capture.ts'
import { ratio, summarizeCapture } from '../output/summarize-capture.ts'

const SAMPLE = 3

export function run(
  { sessionId, compact }: DapSummaryParams,
  { host, call }: ToolContext<OutputHost>,
): ToolOutcome<DapSummaryData> {
  const capture = selectCapture(host, call, sessionId, 'E_INVALID_SESSION_ID')
  const summary = summarizeCapture(capture)
  const seconds = summary.duration / 1_000
  const texts = capture.lines()
  const errors = texts.filter(({ category }) => category === 'stderr')
  const data: DapSummaryData = {
    session: { ...showSession(capture) },
    counts: {
      stdout: summary.stdout,
      stderr: summary.stderr,
      console: summary.console,
      events: { ...capture.totals.events },
      exceptions: summary.exceptions,
    },
    metrics: { duration: summary.duration, bytes: summary.bytes, linesPerSecond: ratio(summary.lines, seconds) },
    health: {
      hasExceptions: summary.exceptions > 0,
      exceptionRate: ratio(summary.exceptions, seconds),
      errorRatio: ratio(summary.stderr, summary.lines),
      ...(summary.exitCode === undefined ? {} : { exitCode: summary.exitCode }),
      abnormalExit: summary.abnormalExit,
      truncated: capture.isTruncated,
    },
    ...(compact
      ? {}
      : {
          samples: {
            first: texts.slice(0, SAMPLE).map(({ text }) => text),
            last: texts.slice(-SAMPLE).map(({ text }) => text),
            stderr: errors.slice(-SAMPLE).map(({ text }) => text),
          },
        }),
  }
  const ended = capture.isEnded
    ? `ended${summary.exitCode === undefined ? '' : ` with code ${summary.exitCode ?? capture.signal}`}`
    : 'running'
  const lines = [
    `${capture.id} (${capture.language}) ${ended} after ${seconds.toFixed(1)} s`,
    `${summary.lines} lines (${summary.stderr} stderr)${describeBytes(summary.bytes)}, ${summary.stops} stops, ${summary.exceptions} exceptions`,
    ...(capture.error === undefined ? [] : [`It ended because: ${capture.error}`]),
    ...(compact ? [] : texts.slice(-SAMPLE).map(({ text }) => `| ${text}`)),
  ]
  return { data, text: lines.join('\n') + noteDropped(capture) }
}

/** Worth a word only where it is much: a line may be a hundred megabytes long. */
function describeBytes(bytes: number): string {
  return bytes < 1_000_000 ? '' : `, ${(bytes / 1_000_000).toFixed(1)} MB printed`
}
