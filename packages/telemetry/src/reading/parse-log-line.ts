import { instanceOfBase } from '../logging/log-file-name.ts'
import { isLogLevel } from '../logging/logger.ts'
import { maskText } from '../masking/mask-text.ts'
import type { LogLine } from './log-query.ts'

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A line that is not of the schema is kept as a warning with its raw text, at the time of its neighbour. */
export function parseLogLine(raw: string, source: string, neighbour: string): LogLine {
  const value = parseObject(raw)
  if (value) {
    const { ts, level, cat, inst, trace_id: traceId, msg, data } = value
    const isWhole = typeof cat === 'string' && typeof inst === 'string' && typeof msg === 'string'
    if (isWhole && typeof ts === 'string' && TIMESTAMP.test(ts) && isLogLevel(level)) {
      return {
        ts,
        level,
        cat,
        inst,
        ...(typeof traceId === 'string' ? { trace_id: traceId } : {}),
        msg,
        ...(data === undefined ? {} : { data }),
        source,
      }
    }
  }
  const inst = instanceOfBase(source) ?? ''
  return { ts: neighbour, level: 'warn', cat: 'log.malformed', inst, msg: maskText(raw), source }
}

function parseObject(raw: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
