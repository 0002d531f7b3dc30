/**
 * Which lines of the logs a caller sees whose profile shows some servers only: what those wrote themselves, what we note of
 * one of them, and what its own window noted. A line that cannot be told to be of these is not shown.
 */
import { type Caller, isJsonObject } from '@switchboard/protocol'
import { type LogLine, logFileName } from '@switchboard/telemetry'
import type { ProviderScope, ServerSummary } from '../services.ts'

export function createLineScope(
  scope: ProviderScope,
  servers: readonly ServerSummary[],
  { instance }: Pick<Caller, 'instance'>,
): (line: LogLine) => boolean {
  const shown = [...new Set(servers.map(({ name }) => name))].filter(scope)
  const sources = new Set(shown.flatMap((name) => listSources(name, instance)))
  if (instance !== undefined) sources.add(toSource(logFileName({ runtime: 'front', inst: instance })))
  return ({ source, cat, msg, data }) => {
    if (sources.has(source)) return true
    if (source.startsWith('server-')) return false
    const named = isJsonObject(data) ? (data.server ?? data.provider) : undefined
    if (named !== undefined) return typeof named === 'string' && scope(named)
    return cat.startsWith('pool.') && shown.some((name) => msg.startsWith(`${name}: `))
  }
}

/** Which lines are about servers of projects that the caller is not in. */
export function createElsewhere(
  servers: readonly ServerSummary[],
  isElsewhere: (server: string) => boolean,
): (line: LogLine) => boolean {
  const others = [...new Set(servers.map(({ name }) => name))].filter(isElsewhere)
  const sources = new Set(others.flatMap((name) => listSources(name, undefined)))
  return ({ source, msg, data }) => {
    const named = isJsonObject(data) ? (data.server ?? data.provider) : undefined
    if (typeof named === 'string' && isElsewhere(named)) return true
    return sources.has(source) || others.some((name) => msg.startsWith(`${name}: `))
  }
}

/** Run by the daemon, or by the caller's own process. */
function listSources(name: string, inst: string | undefined): string[] {
  const shared = toSource(logFileName({ runtime: 'server', name }))
  return inst === undefined ? [shared] : [shared, toSource(logFileName({ runtime: 'server', name, inst }))]
}

function toSource(file: string): string {
  return file.slice(0, -'.log'.length)
}
