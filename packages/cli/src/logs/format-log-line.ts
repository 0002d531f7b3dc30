import type { LogLevel, LogLine } from '@switchboard/telemetry'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'

const COLORS: Readonly<Record<LogLevel, 'dim' | 'cyan' | 'yellow' | 'red'>> = {
  debug: 'dim',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
}

/** `2026-11-15T20:33:12.123Z ERROR pool.restart cli-tt79-6f854d  message  key=value` */
export function formatLogLine(line: LogLine, style: Style): string {
  const { ts, level, cat, source, msg, data, trace_id: trace } = line
  const told = [
    style.dim(ts),
    style[COLORS[level]](level.toUpperCase().padEnd(5)),
    style.dim(source),
    cat,
    level === 'error' ? style.red(toSafeLine(msg)) : toSafeLine(msg),
    ...(data === undefined ? [] : [style.dim(formatData(data))]),
    ...(trace === undefined ? [] : [style.dim(`trace=${trace}`)]),
  ]
  return told.filter((part) => part !== '').join(' ')
}

/** `key=value` pairs on one line. */
export function formatData(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return toSafeLine(JSON.stringify(data) ?? '')
  const pairs = Object.entries(data).map(
    ([key, value]) => `${key}=${typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  return toSafeLine(pairs.join(' '))
}
