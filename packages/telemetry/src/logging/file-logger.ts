import { type Clock, systemClock } from '@switchboard/base'
import { type AppendNotice, AppendWriter, type AppendWriterOptions } from '../append/append-writer.ts'
import { formatTimestamp } from '../days.ts'
import { isLogFile } from './log-file-name.ts'
import type { LogHold } from './log-hold.ts'
import type { Logger, LogLevel, LogRecord } from './logger.ts'
import { RecordLogger } from './record-logger.ts'

export interface FileLoggerOptions extends AppendWriterOptions {
  /** The instance whose lines these are; of the daemon and its servers: `daemon`. */
  readonly inst: string
  /** The least level that is written. */
  readonly level: LogLevel
  /** Decides whether lines are worth a file. Default: all of them are. */
  readonly hold?: LogHold
}

/** Nothing is opened before the first line. Use `logFileName` for `file`: no two processes may share one. */
export function createFileLogger(options: FileLoggerOptions): Logger {
  const { inst, level, hold } = options
  const clock: Clock = options.clock ?? systemClock
  const writer = new AppendWriter(options, {
    describe: (notice) => JSON.stringify(toRecord(notice, inst, clock)),
    isSibling: isLogFile,
  })
  return new RecordLogger({
    level,
    inst,
    clock,
    sink: {
      write: (record, time) => {
        const line = JSON.stringify(record)
        if (hold === undefined) writer.append(line, time)
        else hold.take(record.level, () => writer.append(line, time))
      },
      flush: () => writer.flush(),
      close: () => writer.close(),
    },
  })
}

function toRecord(notice: AppendNotice, inst: string, clock: Clock): LogRecord {
  const ts = formatTimestamp(clock.wallTime())
  switch (notice.kind) {
    case 'dropped': {
      const msg = `${notice.count} lines were dropped here: they came faster than they could be written`
      return { ts, level: 'warn', cat: 'log.dropped', inst, msg, data: { count: notice.count } }
    }
    case 'purged': {
      const { files, bytes, keepBytes } = notice
      const msg = `older lines were deleted, ${bytes} bytes: what was moved aside may take ${keepBytes} bytes together`
      return { ts, level: 'warn', cat: 'log.purged', inst, msg, data: { files, bytes } }
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
