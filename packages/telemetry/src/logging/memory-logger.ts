import { type Clock, systemClock } from '@switchboard/base'
import type { Logger, LogLevel, LogRecord } from './logger.ts'
import { RecordLogger } from './record-logger.ts'

export interface MemoryLogger extends Logger {
  /** All records so far, children's included, masked as in a file. */
  readonly entries: LogRecord[]
}

export interface MemoryLoggerOptions {
  /** Default: debug. */
  readonly level?: LogLevel
  /** Default: `memory`. */
  readonly inst?: string
  readonly clock?: Clock
}

/** For tests, and for users of the libraries who want to see the log of their own run. */
export function createMemoryLogger(options: MemoryLoggerOptions = {}): MemoryLogger {
  const entries: LogRecord[] = []
  const logger = new RecordLogger({
    level: options.level ?? 'debug',
    inst: options.inst ?? 'memory',
    clock: options.clock ?? systemClock,
    sink: {
      write: (record) => entries.push(record),
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  })
  return Object.assign(logger, { entries })
}

/** Drops everything. */
export const silentLogger: Logger = Object.freeze({
  isEnabled: () => false,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
})
