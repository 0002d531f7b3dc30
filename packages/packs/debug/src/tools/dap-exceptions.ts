import { type ToolContext, ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DapExceptionsData, DapExceptionsParams } from '../generated/types.ts'
import { findExceptions } from '../output/find-exceptions.ts'
import { type OutputHost, selectCapture, showOffset, showSession } from '../output/select-capture.ts'

export function run(
  { sessionId, count, withContext, contextLines }: DapExceptionsParams,
  { host, call }: ToolContext<OutputHost>,
): ToolOutcome<DapExceptionsData> {
  const capture = selectCapture(host, call, sessionId)
  const found = findExceptions(capture)
  if (found.length === 0) throw new ToolError('E_NO_EXCEPTIONS', `The session ${capture.id} has had no exception`)
  const lines = capture.lines()
  const exceptions = found.slice(-count).map(({ at, type, message, from, stack, seq }) => ({
    ts: at,
    relativeTime: showOffset(at - capture.startedAt),
    type,
    message,
    from,
    stack: [...stack],
    ...(withContext && contextLines > 0
      ? {
          before: lines
            .filter((line) => line.seq < seq)
            .slice(-contextLines)
            .map(({ text }) => text),
        }
      : {}),
  }))
  const data = { exceptions, total: found.length, session: { ...showSession(capture) } }
  const texts = exceptions.map(({ relativeTime, type, message, stack, before = [] }) =>
    [
      `${relativeTime} ${type}: ${message}`,
      ...stack.map((frame) => `  at ${frame.replace(/^at /, '')}`),
      ...before.map((line) => `  | ${line}`),
    ].join('\n'),
  )
  return { data, text: [`${exceptions.length} of ${found.length} exceptions`, ...texts].join('\n') }
}
