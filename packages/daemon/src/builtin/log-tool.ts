/** `debug_get_logs`: the merged logs of all processes, bounded in lines, bytes and time. */
import { type Call, type JsonObject, SwitchboardError, toSwitchboardError } from '@switchboard/protocol'
import {
  isLogLevel,
  LOG_LEVELS,
  type Logger,
  type LogLine,
  type LogQuery,
  parseTimeFilter,
  readLogs,
} from '@switchboard/telemetry'
import type { OwnTool, OwnToolResult } from './own-tool.ts'

export interface LogToolOptions {
  /** `<home>/logs`. */
  readonly directory: string
  /** Flushed first, so that what happened just now is in it. */
  readonly log: Logger
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
/** About 25,000 tokens; then the oldest lines go. */
const MAX_BYTES = 100_000
const BUDGET_MS = 30_000

export function createLogTool(options: LogToolOptions): OwnTool {
  return {
    definition: {
      name: 'debug_get_logs',
      title: 'Read logs',
      description:
        'The logs of Switchboard, its fronts and all servers, merged by time: why a server failed, what a reload did, the whole way of one call. Newest lines win when there are too many.',
      inputSchema: {
        type: 'object',
        properties: {
          since: {
            type: 'string',
            maxLength: 60,
            description: 'Age (30s, 10m, 2h, 1d), today, yesterday or ISO time (UTC).',
          },
          until: { type: 'string', maxLength: 60, description: 'The same, for the end.' },
          level: { type: 'string', enum: [...LOG_LEVELS], description: 'This level or a more serious one.' },
          cat: { type: 'string', maxLength: 100, description: 'A category and what is below it: pool, mcp.init.' },
          inst: { type: 'string', maxLength: 60, description: 'One instance. Default: all.' },
          trace_id: { type: 'string', maxLength: 60, description: 'One call; errors name it as meta.traceId.' },
          source: {
            type: 'string',
            maxLength: 120,
            description: 'A file or family: daemon, mcp, ext, server, server-<name>.',
          },
          grep: { type: 'string', maxLength: 500, description: 'Text in message, category or data; any case.' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: (args, call) => getLogs(options, args, call),
  }
}

async function getLogs({ directory, log }: LogToolOptions, args: JsonObject, call: Call): Promise<OwnToolResult> {
  const limit = typeof args.limit === 'number' ? args.limit : DEFAULT_LIMIT
  const filters = readFilters(args)
  await log.flush()
  // One more than wanted tells whether there are more.
  const found = await collect({ ...filters, directory, limit: limit + 1 }, call)
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
      ...(notes.length === 0 ? {} : { left_out: notes }),
    },
  }
}

function readFilters(args: JsonObject): Omit<LogQuery, 'directory' | 'limit'> {
  const text = (name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined)
  const time = (name: string): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    try {
      return parseTimeFilter(value)
    } catch (thrown) {
      const { message, hint } = toSwitchboardError(thrown)
      throw new SwitchboardError(
        'invalid_arguments',
        `The arguments of debug_get_logs are wrong: ${name}: ${message}`,
        { hint },
      )
    }
  }
  const [since, until, cat, inst, traceId, grep] = [
    time('since'),
    time('until'),
    text('cat'),
    text('inst'),
    text('trace_id'),
    text('grep'),
  ]
  const source = text('source')?.replace(/[-*]+$/, '')
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(isLogLevel(args.level) ? { level: args.level } : {}),
    ...(cat === undefined ? {} : { cat }),
    ...(inst === undefined ? {} : { inst }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(source === undefined ? {} : { source }),
    ...(grep === undefined ? {} : { grep }),
  }
}

/** A filter that fits nothing reads everything there is, so the caller's signal and a budget end it. */
async function collect(query: LogQuery, call: Call): Promise<LogLine[]> {
  const budget = AbortSignal.timeout(BUDGET_MS)
  try {
    const lines: LogLine[] = []
    const signal = AbortSignal.any([call.signal, budget])
    for await (const line of readLogs({ ...query, signal })) lines.push(line)
    return lines
  } catch (thrown) {
    if (call.signal.aborted) throw toSwitchboardError(call.signal.reason)
    if (!budget.aborted) throw thrown
    throw new SwitchboardError('timeout', `The logs could not be searched within ${BUDGET_MS / 1000} s`, {
      executed: false,
      hint: 'Narrow it with `since`, `source` or `inst`.',
    })
  }
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
