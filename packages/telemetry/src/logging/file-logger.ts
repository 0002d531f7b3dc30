import { type AppendNotice, AppendWriter, type AppendWriterOptions } from '../append/append-writer.ts'
import { type Clock, formatTimestamp } from '../clock.ts'
import { isLogFile } from './log-file-name.ts'
import type { Logger, LogLevel, LogRecord } from './logger.ts'
import { RecordLogger } from './record-logger.ts'

export interface FileLoggerOptions extends AppendWriterOptions {
  /** The instance whose lines these are; of the daemon and its servers: `daemon`. */
  readonly inst: string
  /** The least level that is written. */
  readonly level: LogLevel
}

/** Nothing is opened before the first line. Use `logFileName` for `file`: no two processes may share one. */
export function createFileLogger(options: FileLoggerOptions): Logger {
  const { inst, level } = options
  const clock: Clock = options.clock ?? Date
  const writer = new AppendWriter(options, {
    describe: (notice) => JSON.stringify(toRecord(notice, inst, clock)),
    isSibling: isLogFile,
  })
  return new RecordLogger({
    level,
    inst,
    clock,
    sink: {
      write: (record, time) => writer.append(JSON.stringify(record), time),
      flush: () => writer.flush(),
      close: () => writer.close(),
    },
  })
}

function toRecord(notice: AppendNotice, inst: string, clock: Clock): LogRecord {
  const ts = formatTimestamp(clock.now())
  switch (notice.kind) {
    case 'dropped': {
      const msg = `${notice.count} lines were dropped here: they came faster than they could be written`
      return { ts, level: 'warn', cat: 'log.dropped', inst, msg, data: { count: notice.count } }
    }
    case 'failed': {
      const msg = `cannot write ${notice.path}: ${notice.reason}; lines go to stderr until that works again`
      return { ts, level: 'error', cat: 'log.failed', inst, msg }
    }
    case 'recovered': {
      const { count, lost, reason } = notice
      const msg = `writing works again; ${count} lines went to stderr meanwhile (${reason})`
      return { ts, level: 'warn', cat: 'log.recovered', inst, msg, data: { count, lost } }
    }
  }
}
