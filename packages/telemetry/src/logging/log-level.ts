import { writeToFallback } from '../append/fallback-stream.ts'
import { cleanText } from '../masking/mask-text.ts'
import { isLogLevel, LOG_LEVELS, type LogLevel } from './logger.ts'

const DEFAULT_LOG_LEVEL: LogLevel = 'info'

const reported = new Set<string>()

/** `SWITCHBOARD_LOG_LEVEL`, or `info`. A value that is none is reported once per process and value, and ignored. */
export function readLogLevel(
  env: Readonly<Record<string, string | undefined>>,
  report: (message: string) => void = (message) => void writeToFallback(undefined, `${message}\n`),
): LogLevel {
  const value = env.SWITCHBOARD_LOG_LEVEL
  const level = value?.trim().toLowerCase()
  if (value === undefined || level === undefined || level === '') return DEFAULT_LOG_LEVEL
  if (isLogLevel(level)) return level
  if (!reported.has(level)) {
    reported.add(level)
    report(
      `SWITCHBOARD_LOG_LEVEL is "${cleanText(value, 40)}", which is no level; using ${DEFAULT_LOG_LEVEL}. Use one of: ${LOG_LEVELS.join(', ')}.`,
    )
  }
  return DEFAULT_LOG_LEVEL
}
