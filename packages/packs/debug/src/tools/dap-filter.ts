import { type ToolContext, ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DapFilterData, DapFilterParams } from '../generated/types.ts'
import { noteDropped, type OutputHost, selectCapture, showLine, showSession } from '../output/select-capture.ts'
import type { OutputLine, SessionCapture } from '../output/session-capture.ts'

type Filters = DapFilterParams['filters']

const SHOWN = 200

export function run(
  { sessionId, filters }: DapFilterParams,
  { host, call, workspace }: ToolContext<OutputHost>,
): ToolOutcome<DapFilterData> {
  checkFilters(filters)
  const capture = selectCapture(host, call, sessionId)
  const all = capture.lines()
  const matches = all.filter(createPredicate(filters, capture))
  if (matches.length === 0) {
    throw new ToolError('E_NO_RESULTS', `None of ${all.length} lines of session ${capture.id} passes the filters`)
  }
  const events = matches.slice(-SHOWN).map((line) => showLine(capture, line, workspace))
  const stats: Record<string, number> = {}
  for (const { category } of matches) stats[category] = (stats[category] ?? 0) + 1
  const data = {
    events,
    stats,
    totalFiltered: matches.length,
    totalInSession: all.length,
    session: { ...showSession(capture) },
  }
  const head = `${matches.length} of ${all.length} lines${events.length < matches.length ? `; the last ${SHOWN}:` : ''}`
  return { data, text: [head, ...events.map(({ text }) => text)].join('\n') + noteDropped(capture) }
}

function checkFilters(filters: Filters): void {
  if (Object.keys(filters).length === 0) throw new ToolError('E_INVALID_FILTERS', 'filters has no member')
  const { minLength, maxLength, timeRange } = filters
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    throw new ToolError('E_INVALID_FILTERS', `minLength ${minLength} is more than maxLength ${maxLength}`)
  }
  const { from, to } = timeRange ?? {}
  if (from !== undefined && to !== undefined && from >= 0 && from > to) {
    throw new ToolError('E_INVALID_FILTERS', `timeRange.from ${from} is later than timeRange.to ${to}`)
  }
}

function createPredicate(filters: Filters, capture: SessionCapture): (line: OutputLine) => boolean {
  const { categories, include, exclude, sources, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = filters
  const { from = 0, to = Number.POSITIVE_INFINITY } = filters.timeRange ?? {}
  const end = capture.endedAt ?? Date.now()
  const earliest = from < 0 ? end + from : capture.startedAt + from
  const latest = capture.startedAt + to
  const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())
  return ({ category, text, at, place }) =>
    (categories === undefined || categories.some((name) => name === category)) &&
    at >= earliest &&
    at <= latest &&
    (include === undefined || include.some((part) => contains(text, part))) &&
    (exclude === undefined || !exclude.some((part) => contains(text, part))) &&
    (sources === undefined || sources.some((part) => place !== undefined && contains(place.path, part))) &&
    text.length >= minLength &&
    text.length <= maxLength
}
