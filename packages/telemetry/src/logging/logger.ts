export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One line of a log, in the order in which its members are written. */
export interface LogRecord {
  /** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
  readonly ts: string
  readonly level: LogLevel
  /** Dotted, from the general to the special: `pool.restart`. */
  readonly cat: string
  readonly inst: string
  readonly trace_id?: string
  readonly msg: string
  readonly data?: unknown
}

/** What a child logger says differently. */
export interface LogFields {
  readonly inst?: string
  readonly traceId?: string
}

/** No method throws, rejects or waits for a disk (but `flush` and `close`, which resolve when it is done or given up). */
export interface Logger {
  /** To be asked before building expensive `data`. */
  isEnabled(level: LogLevel): boolean
  debug(cat: string, msg: string, data?: Record<string, unknown>): void
  info(cat: string, msg: string, data?: Record<string, unknown>): void
  warn(cat: string, msg: string, data?: Record<string, unknown>): void
  error(cat: string, msg: string, data?: Record<string, unknown>): void
  /** The same file, other fields. Closing a child flushes; only the logger it came from closes the file. */
  child(fields: LogFields): Logger
  flush(): Promise<void>
  close(): Promise<void>
}

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && Object.hasOwn(RANK, value)
}

export function isAtLeast(level: LogLevel, minimum: LogLevel): boolean {
  return RANK[level] >= RANK[minimum]
}
