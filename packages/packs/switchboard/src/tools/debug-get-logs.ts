/** The merged logs of all processes, bounded in lines, bytes and time. */
import { describeWrongValue } from '@switchboard/config/arguments'
import { toSwitchboardError } from '@switchboard/protocol/errors'
import { type LogLine, type LogQuery, parseTimeFilter, readLogs } from '@switchboard/telemetry'
import { ToolError, type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import type { DebugGetLogsData, DebugGetLogsParams } from '../generated/types.ts'
import { createElsewhere, createLineScope } from '../logs/line-scope.ts'
import type { SwitchboardContext } from '../services.ts'

/** About 25,000 tokens; then the oldest lines go. */
const MAX_BYTES = 100_000

export async function run(
  params: DebugGetLogsParams,
  { call: { caller }, host: { services }, signal }: SwitchboardContext,
): Promise<ToolOutcome<DebugGetLogsData>> {
  const { limit } = params
  const { logs } = services
  // Without logs the tool is not listed, and no call reaches it.
  if (logs === undefined) throw new Error('There are no logs to read')
  const scope = services.scopeOf(caller)
  const isInScope = scope === undefined ? undefined : createLineScope(scope, services.servers(), caller)
  const isElsewhere = createElsewhere(services.servers(), (server) => services.isElsewhere(caller, server))
  const isShown = (line: LogLine): boolean => !isElsewhere(line) && isInScope?.(line) !== false
  const filters = { ...readFilters(params), isShown }
  // So that what happened just now is in it.
  await logs.own.flush()
  // One more than wanted tells whether there are more.
  const found = await collect({ ...filters, directory: logs.directory, limit: limit + 1 }, signal)
  const matching = found.slice(-limit)
  const lines = keepNewest(matching)
  const isCutByLimit = found.length > limit
  const isCutByBytes = lines.length < matching.length
  const notes = [
    ...(isCutByLimit ? [`older lines were left out: limit ${limit}`] : []),
    ...(isCutByBytes ? [`${matching.length - lines.length} older lines were left out: ${MAX_BYTES} bytes`] : []),
  ]
  const heading = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}${notes.map((note) => `; ${note}`).join('')}`
  return {
    text: [heading, ...lines.map(formatLine)].join('\n'),
    data: {
      lines: lines.map((line) => ({ ...line })),
      count: lines.length,
      limit,
      truncated: isCutByLimit || isCutByBytes,
      ...(notes.length === 0 ? {} : { leftOut: notes }),
    },
  }
}

function readFilters(params: DebugGetLogsParams): Omit<LogQuery, 'directory' | 'limit'> {
  const { level, cat, inst, trace_id: traceId, grep } = params
  const since = readTime(params, 'since')
  const until = readTime(params, 'until')
  const source = params.source?.replace(/(?<![-*])[-*]+$/, '')
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(level === undefined ? {} : { level }),
    ...(cat === undefined ? {} : { cat }),
    ...(inst === undefined ? {} : { inst }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(source === undefined ? {} : { source }),
    ...(grep === undefined ? {} : { grep }),
  }
}

function readTime(params: DebugGetLogsParams, name: 'since' | 'until'): number | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  try {
    return parseTimeFilter(value)
  } catch (thrown) {
    const { hint } = toSwitchboardError(thrown)
    throw new WrongArguments([describeWrongValue(name, 'a time', value)], { hint })
  }
}

/** A filter that fits nothing reads everything there is, so the signal ends it. */
async function collect(query: LogQuery, signal: AbortSignal): Promise<LogLine[]> {
  const lines: LogLine[] = []
  try {
    for await (const line of readLogs({ ...query, signal })) lines.push(line)
  } catch (thrown) {
    const { reason } = signal
    if (!(reason instanceof ToolError) || reason.code !== 'E_TIMEOUT') throw signal.aborted ? reason : thrown
    // Not declared: every agent would read it in the list.
    throw new ToolError(reason.code, reason.message, { hint: 'Narrow it with `since`, `source` or `inst`.' })
  }
  return lines
}

function keepNewest(lines: readonly LogLine[]): LogLine[] {
  let bytes = 0
  const kept: LogLine[] = []
  for (const line of lines.toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify(line))
    if (bytes > MAX_BYTES) break
    kept.push(line)
  }
  return kept.reverse()
}

function formatLine({ ts, level, source, inst, cat, msg }: LogLine): string {
  return `${ts} ${level.padEnd(5)} ${source}${source.endsWith(inst) ? '' : ` (${inst})`} ${cat}: ${msg}`
}
