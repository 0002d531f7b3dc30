import { errorMessage } from '@switchboard/base'
import type { LogLevel, LogQuery } from '@switchboard/telemetry'
import { parseTimeFilter } from '@switchboard/telemetry'
import type { OptionValues } from '../command-line/option-values.ts'
import { UsageError } from '../command-line/usage-error.ts'

const DEFAULT_LIMIT = 200

/** The options of `logs` as a query. `source` is given where the command itself knows it. */
export function readLogQuery(options: OptionValues, directory: string, command: string, source?: string): LogQuery {
  const since = options.text('since')
  const until = options.text('until')
  const cat = options.text('cat')
  const inst = options.text('inst')
  const traceId = options.text('trace')
  const grep = options.text('grep')
  const wanted = source ?? options.text('source')
  return {
    directory,
    limit: readLimit(options.text('limit'), command),
    ...(since === undefined ? {} : { since: readTime(since, 'since', command) }),
    ...(until === undefined ? {} : { until: readTime(until, 'until', command) }),
    // The choices of the option are the levels.
    ...(options.text('level') === undefined ? {} : { level: options.text('level') as LogLevel }),
    ...(cat === undefined ? {} : { cat }),
    ...(inst === undefined ? {} : { inst }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(grep === undefined ? {} : { grep: readGrep(grep, command) }),
    ...(wanted === undefined ? {} : { source: wanted.replace(/(?<![-*])[-*]+$/, '') }),
  }
}

function readLimit(text: string | undefined, command: string): number {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw new UsageError(`--limit cannot be "${text}".`, { command, hint: 'Write a whole number.' })
}

function readTime(text: string, option: string, command: string): number {
  try {
    return parseTimeFilter(text)
  } catch (error) {
    throw new UsageError(`--${option} cannot be "${text}".`, {
      command,
      hint:
        error instanceof Error && 'hint' in error ? String(error.hint) : 'Write an age such as 10m, or a timestamp.',
    })
  }
}

function readGrep(text: string, command: string): string | RegExp {
  const [, pattern, flags] = /^\/(.+)\/([a-z]*)$/.exec(text) ?? []
  if (pattern === undefined) return text
  try {
    return new RegExp(pattern, flags)
  } catch (error) {
    throw new UsageError(`--grep ${text} is no regular expression: ${errorMessage(error)}`, {
      command,
    })
  }
}
