import type { ToolContext, ToolOutcome } from '@switchboard/toolkit'
import type { DapLogsData, DapLogsParams } from '../generated/types.ts'
import { matchLines } from '../output/match-lines.ts'
import {
  createSilence,
  noteDropped,
  type OutputHost,
  selectCapture,
  showLine,
  showSession,
} from '../output/select-capture.ts'

export async function run(
  { sessionId, count, category, search, since, reverse, showSource }: DapLogsParams,
  { host, call, signal, workspace }: ToolContext<OutputHost>,
): Promise<ToolOutcome<DapLogsData>> {
  const capture = selectCapture(host, call, sessionId)
  const all = capture.lines()
  if (all.length === 0) throw createSilence('E_NO_LOGS', [capture])
  const ofCategory = category === 'all' ? all : all.filter((line) => line.category === category)
  const from = since === undefined ? undefined : since < 0 ? Date.now() + since : since
  const inTime = from === undefined ? ofCategory : ofCategory.filter(({ at }) => at >= from)
  const matching = search === undefined ? inTime : await pick(inTime, search, signal)
  const last = matching.slice(-count)
  const logs = (reverse ? last.reverse() : last).map((line) => showLine(capture, line, workspace, showSource))
  const data = {
    logs,
    matched: matching.length,
    total: all.length,
    filtered: {
      byCategory: all.length - ofCategory.length,
      byTime: ofCategory.length - inTime.length,
      bySearch: inTime.length - matching.length,
    },
    session: { ...showSession(capture) },
  }
  const lines = logs.map((line) => `${line.category === 'stdout' ? '' : `[${line.category}] `}${line.text}`)
  const head = `${logs.length} of ${matching.length} lines, session ${capture.id} (${data.session.state})`
  return { data, text: [head, ...lines].join('\n') + noteDropped(capture) }
}

async function pick<Line extends { text: string }>(
  lines: Line[],
  search: string,
  signal: AbortSignal,
): Promise<Line[]> {
  const texts = lines.map(({ text }) => text)
  const found = new Set(await matchLines(search, texts, { caseSensitive: false, signal }))
  return lines.filter((_line, index) => found.has(index))
}
