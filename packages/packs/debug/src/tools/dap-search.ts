import { type ToolContext, ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DapSearchData, DapSearchParams } from '../generated/types.ts'
import { matchLines } from '../output/match-lines.ts'
import { listCaptures, type OutputHost, selectCapture, showLine } from '../output/select-capture.ts'
import type { SessionCapture } from '../output/session-capture.ts'

export async function run(
  { sessionId, pattern, category, contextLines, limit, caseSensitive }: DapSearchParams,
  { host, call, signal, workspace }: ToolContext<OutputHost>,
): Promise<ToolOutcome<DapSearchData>> {
  const chosen = selectCapture(host, call, sessionId)
  const captures = sessionId === undefined ? listCaptures(host, call) : [chosen]
  const matches: DapSearchData['matches'][number][] = []
  const bySession: Record<string, number> = {}
  let lineCount = 0
  for (const capture of captures) {
    const lines = linesOf(capture, category)
    lineCount += lines.length
    const texts = lines.map(({ text }) => text)
    const found = await matchLines(pattern, texts, { caseSensitive, signal })
    if (found.length > 0) bySession[capture.id] = (bySession[capture.id] ?? 0) + found.length
    for (const index of found.slice(0, limit - matches.length)) {
      const line = lines[index]
      if (line === undefined) continue
      matches.push({
        session: capture.id,
        line: showLine(capture, line, workspace),
        before: texts.slice(Math.max(0, index - contextLines), index),
        after: texts.slice(index + 1, index + 1 + contextLines),
      })
    }
  }
  const totalMatches = Object.values(bySession).reduce((sum, count) => sum + count, 0)
  if (totalMatches === 0) {
    throw new ToolError('E_NO_RESULTS', `None of ${lineCount} lines of ${captures.length} sessions matches ${pattern}`)
  }
  const data = {
    matches,
    totalMatches,
    matchesBySession: bySession,
    sessionsSearched: captures.length,
    pattern,
    truncated: matches.length < totalMatches,
  }
  return { data, text: [`${matches.length} of ${totalMatches} matches`, ...matches.map(describeMatch)].join('\n') }
}

function linesOf(capture: SessionCapture, category: string) {
  const lines = capture.lines()
  return category === 'all' ? lines : lines.filter((line) => line.category === category)
}

function describeMatch({ session, line, before, after }: DapSearchData['matches'][number]): string {
  const head = `${session} ${line.relativeTime} ${line.category}`
  const around = [...before.map((text) => `  ${text}`), `> ${line.text}`, ...after.map((text) => `  ${text}`)]
  return [head, ...around].join('\n')
}
