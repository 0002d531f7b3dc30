import type { ToolContext, ToolOutcome } from '@switchboard/toolkit'
import type { DapStatsData, DapStatsParams } from '../generated/types.ts'
import { createSilence, listCaptures, type OutputHost, selectCapture, showFile } from '../output/select-capture.ts'
import type { OutputLine, SessionCapture } from '../output/session-capture.ts'
import { ratio, summarizeCapture } from '../output/summarize-capture.ts'

const TOP = 5
const BAR = 30

export function run(
  { sessionId, groupBy, includeCharts }: DapStatsParams,
  { host, call, workspace }: ToolContext<OutputHost>,
): ToolOutcome<DapStatsData> {
  const chosen = selectCapture(host, call, sessionId)
  const captures = groupBy === 'session' && sessionId === undefined ? listCaptures(host, call) : [chosen]
  const entries = captures.flatMap((capture) => capture.lines().map((line) => ({ capture, line })))
  if (entries.length === 0) throw createSilence('E_NO_DATA', captures)
  const keyOf = (capture: SessionCapture, line: OutputLine): string => {
    if (groupBy === 'session') return capture.id
    if (groupBy === 'hour') return `${new Date(line.at).toISOString().slice(0, 13)}h`
    if (groupBy === 'source') return line.place === undefined ? '(unknown)' : showFile(line.place.path, workspace)
    return line.category
  }
  const distribution = count(entries.map(({ capture, line }) => keyOf(capture, line)))
  const repeated = Object.entries(count(entries.map(({ line }) => line.text.trim()).filter((text) => text !== '')))
  const topN = repeated
    .filter(([, times]) => times > 1)
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([text, times]) => ({ text: text.slice(0, 200), count: times }))
  const seconds = captures.reduce((sum, capture) => sum + summarizeCapture(capture).duration, 0) / 1_000
  const length = entries.reduce((sum, { line }) => sum + line.text.length, 0)
  const anomalies = captures.flatMap(findAnomalies)
  const summary = `${entries.length} lines in ${captures.length} session${captures.length === 1 ? '' : 's'}`
  const chart = draw(distribution)
  const data = {
    distribution,
    topN,
    averages: { lineLength: ratio(length, entries.length), linesPerSecond: ratio(entries.length, seconds) },
    anomalies,
    ...(includeCharts ? { charts: chart } : {}),
    summary,
  }
  const lines = [
    summary,
    chart,
    ...topN.map(({ text, count: times }) => `${times}× ${text}`),
    ...anomalies.map((text) => `! ${text}`),
  ]
  return { data, text: lines.join('\n') }
}

function count(keys: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function draw(distribution: Readonly<Record<string, number>>): string {
  const most = Math.max(...Object.values(distribution))
  return Object.entries(distribution)
    .map(([key, times]) => `${key} ${'█'.repeat(Math.max(1, Math.round((times / most) * BAR)))} ${times}`)
    .join('\n')
}

function findAnomalies(capture: SessionCapture): string[] {
  const { id, dropped } = capture
  const summary = summarizeCapture(capture)
  return [
    ...(summary.exceptions > 0 ? [`${id}: ${summary.exceptions} exceptions`] : []),
    ...(summary.abnormalExit ? [`${id}: ended with ${capture.error ?? summary.exitCode ?? capture.signal}`] : []),
    ...(ratio(summary.stderr, summary.lines) > 0.5 ? [`${id}: most of its output went to stderr`] : []),
    ...(dropped.lines > 0 ? [`${id}: ${dropped.lines} older lines were dropped`] : []),
  ]
}
