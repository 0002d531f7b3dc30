/** What is told in lists, of what is known. */
import { readChoice, readOptionalText } from '@switchboard/config/arguments'
import type { ExposedTool, ServerStatus } from '@switchboard/pool'
import { estimateToolTokens, type JsonObject } from '@switchboard/protocol'
import type { AuditLine, LogFilters, LogLevel } from '@switchboard/telemetry'
import { showText } from './shown-json.ts'
import type { CallRow, LogAsked, ServerRow, ToolRow } from './wire.ts'

/** Of a tool's description in the list. */
const MOST_OF_DESCRIPTION = 300
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function toServerRow(status: ServerStatus): ServerRow {
  const { name, owner, state, transport, era, uptimeMs, restarts, reason, trust, install, login } = status
  const { inFlight, queued, calls, failures, p50Ms, p95Ms, tools } = status
  return {
    key: owner === undefined ? name : `${name} ${owner}`,
    name,
    ...(owner === undefined ? {} : { owner }),
    state,
    restarts,
    inFlight,
    queued,
    calls,
    failures,
    tools,
    ...(transport === undefined ? {} : { transport }),
    ...(era === undefined ? {} : { era }),
    ...(uptimeMs === undefined ? {} : { uptimeMs }),
    ...(reason === undefined ? {} : { reason }),
    ...(trust === undefined ? {} : { trust }),
    ...(install === undefined ? {} : { install }),
    ...(login === undefined ? {} : { login }),
    ...(p50Ms === undefined ? {} : { p50Ms }),
    ...(p95Ms === undefined ? {} : { p95Ms }),
  }
}

/** Without an owner: the one of all windows, or where each has its own the first of them. */
export function findServer(
  servers: readonly ServerStatus[],
  name: string,
  owner: string | undefined,
): ServerStatus | undefined {
  const named = servers.filter((server) => server.name === name)
  return named.find((server) => server.owner === owner) ?? (owner === undefined ? named[0] : undefined)
}

export function toCallRow(line: AuditLine): CallRow {
  const { ts, inst, trace_id, caller, tool, provider, outcome, code, duration_ms } = line
  return { ts, inst, trace_id, caller, tool, provider, outcome, ...(code === undefined ? {} : { code }), duration_ms }
}

export function toToolRow(tool: ExposedTool): ToolRow {
  const { own: _own, stale, server, ...listed } = tool
  const { name, title, description = '' } = listed
  return {
    name,
    server,
    ...(title === undefined ? {} : { title: showText(title, MOST_OF_DESCRIPTION) }),
    description: showText(description, MOST_OF_DESCRIPTION),
    tokens: estimateToolTokens([listed]),
    stale,
  }
}

export function readLogAsked(params: JsonObject, method: string): LogAsked {
  const text = (name: string): { [key: string]: string } => {
    const value = readOptionalText(params, name, method)
    return value === undefined ? {} : { [name]: value }
  }
  const level = params.level === undefined ? {} : { level: readChoice(params, 'level', method, LEVELS, 'debug') }
  return { ...level, ...text('source'), ...text('cat'), ...text('inst'), ...text('text') }
}

export function toLogFilters({ text, ...rest }: LogAsked): LogFilters {
  return text === undefined ? rest : { ...rest, grep: text }
}
