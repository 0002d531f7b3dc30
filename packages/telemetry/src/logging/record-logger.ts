import type { Clock } from '@switchboard/base'
import { formatTimestamp } from '../days.ts'
import { maskSecrets } from '../masking/mask-secrets.ts'
import { cleanText } from '../masking/mask-text.ts'
import { isAtLeast, type LogFields, type Logger, type LogLevel, type LogRecord } from './logger.ts'

/** Where records go once they are masked. */
export interface RecordSink {
  write(record: LogRecord, time: number): void
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RecordLoggerOptions {
  readonly sink: RecordSink
  readonly level: LogLevel
  readonly clock: Clock
  readonly inst: string
  readonly traceId?: string
}

const MAX_NAME = 200

/** What all loggers have in common: levels, fields, masking, and that nothing ever gets out of a log call. */
export class RecordLogger implements Logger {
  readonly #options: RecordLoggerOptions
  readonly #isRoot: boolean

  constructor(options: RecordLoggerOptions, isRoot = true) {
    this.#options = options
    this.#isRoot = isRoot
  }

  isEnabled(level: LogLevel): boolean {
    return isAtLeast(level, this.#options.level)
  }

  debug(cat: string, msg: string, data?: Record<string, unknown>): void {
    this.#log('debug', cat, msg, data)
  }

  info(cat: string, msg: string, data?: Record<string, unknown>): void {
    this.#log('info', cat, msg, data)
  }

  warn(cat: string, msg: string, data?: Record<string, unknown>): void {
    this.#log('warn', cat, msg, data)
  }

  error(cat: string, msg: string, data?: Record<string, unknown>): void {
    this.#log('error', cat, msg, data)
  }

  child(fields: LogFields): Logger {
    return new RecordLogger({ ...this.#options, ...withoutUndefined(fields) }, false)
  }

  flush(): Promise<void> {
    return this.#options.sink.flush()
  }

  close(): Promise<void> {
    return this.#isRoot ? this.#options.sink.close() : this.#options.sink.flush()
  }

  #log(level: LogLevel, cat: string, msg: string, data: Record<string, unknown> | undefined): void {
    if (!this.isEnabled(level)) return
    try {
      const { clock, inst, traceId, sink } = this.#options
      const time = clock.wallTime()
      const record: LogRecord = {
        ts: formatTimestamp(time),
        level,
        cat: cleanText(String(cat), MAX_NAME),
        inst,
        ...(traceId === undefined ? {} : { trace_id: traceId }),
        msg: cleanText(String(msg)),
        ...(data === undefined ? {} : { data: maskSecrets(data, { keepStacks: level === 'error' }) }),
      }
      sink.write(record, time)
    } catch {
      // A message whose conversion to text throws, a clock that throws: a log call is never the reason of a failure.
    }
  }
}

function withoutUndefined(fields: LogFields): LogFields {
  const { inst, traceId } = fields
  return { ...(inst === undefined ? {} : { inst }), ...(traceId === undefined ? {} : { traceId }) }
}
