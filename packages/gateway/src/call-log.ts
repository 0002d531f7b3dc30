/** A tool call in the log: that it began, how it ended, and by its trace id what lies between. */
import type { Call } from '@switchboard/protocol'
import { forCall, type Logger } from '@switchboard/telemetry'
import type { CallReport } from './dispatcher.ts'

/** Ask `isEnabled('debug')` first: a call that nobody follows pays for nothing. */
export function logCallStart(log: Logger, call: Call, tool: string): void {
  const { session, profile, era, clientInfo } = call.caller
  forCall(log, call).debug('mcp.tool', `start ${tool}`, { tool, profile, era, session, client: clientInfo?.name })
}

/** What failed by nobody's mistake but a server's or our own is an error of its own right; a caller learns of its own. */
export function logCallEnd(log: Logger, { tool, provider, call, outcome, error, durationMs }: CallReport): void {
  const isFailure = error !== undefined && error.family !== 'caller' && error.code !== 'cancelled'
  const level = isFailure ? 'error' : 'debug'
  if (!log.isEnabled(level)) return
  const ms = Math.round(durationMs * 10) / 10
  const what = error === undefined ? `end ${tool}: ${outcome}` : `end ${tool}: ${error.code}: ${error.message}`
  forCall(log, call)[level]('mcp.tool', what, { tool, provider, outcome, code: error?.code, duration_ms: ms })
}
