/**
 * A logger for what somebody else decides the amount of: a server's output, and what we say of its messages. So much a second
 * is written, with a burst for a start or a crash; the rest is counted, and the count is written in its place. A line over
 * the limit costs next to nothing: no text is made of it.
 */
import { type Clock, systemClock, type Timer } from '@switchboard/base'
import type { LogFields, Logger, LogLevel } from './logger.ts'

/** Bytes. A server that has that much to say every second has been telling nobody anything for long. */
const BYTES_PER_SECOND = 256 * 1024
const BURST_BYTES = 4 * 1024 * 1024
/** Of a line besides its message: the time, the category, its place in the file. */
const BYTES_PER_LINE = 200
/** How long after the last line that was left out the count is told, when none follows that is written. */
const TELL_MS = 1_000

export interface LimitedLoggerOptions {
  readonly clock?: Clock
  readonly bytesPerSecond?: number
  readonly burstBytes?: number
}

export function createLimitedLogger(logger: Logger, options: LimitedLoggerOptions = {}): Logger {
  return new LimitedLogger(logger, new Budget(logger, options))
}

/** Shared by a logger and its children. */
class Budget {
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #burst: number
  #left: number
  #at: number
  #lines = 0
  #bytes = 0
  #timer: Timer | undefined

  constructor(
    logger: Logger,
    { clock = systemClock, bytesPerSecond = BYTES_PER_SECOND, burstBytes = BURST_BYTES }: LimitedLoggerOptions,
  ) {
    this.#logger = logger
    this.#clock = clock
    this.#perSecond = bytesPerSecond
    this.#burst = burstBytes
    this.#left = burstBytes
    this.#at = clock.now()
  }

  take(characters: number): boolean {
    const now = this.#clock.now()
    const bytes = characters + BYTES_PER_LINE
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    // Once lines are missing, they are missing for a while: a line here and there would only hide that.
    const isRecovering = this.#lines > 0 && this.#left < Math.min(this.#perSecond, this.#burst)
    if (isRecovering || this.#left < bytes) {
      this.#lines++
      this.#bytes += characters
      this.#timer ??= this.#clock.setBackgroundTimer(TELL_MS, () => this.tell())
      return false
    }
    this.tell()
    this.#left -= bytes
    return true
  }

  /** What was left out since the last time. */
  tell(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    const lines = this.#lines
    if (lines === 0) return
    const bytes = this.#bytes
    this.#lines = 0
    this.#bytes = 0
    const message = `${lines} lines were left out here, ${bytes} characters: more than ${this.#perSecond} bytes a second are not kept`
    this.#logger.warn('log.flood', message, { lines, characters: bytes })
  }
}

class LimitedLogger implements Logger {
  readonly #logger: Logger
  readonly #budget: Budget

  constructor(logger: Logger, budget: Budget) {
    this.#logger = logger
    this.#budget = budget
  }

  isEnabled(level: LogLevel): boolean {
    return this.#logger.isEnabled(level)
  }

  debug(cat: string, msg: string, data?: Record<string, unknown>): void {
    if (this.isEnabled('debug') && this.#budget.take(msg.length)) this.#logger.debug(cat, msg, data)
  }

  info(cat: string, msg: string, data?: Record<string, unknown>): void {
    if (this.isEnabled('info') && this.#budget.take(msg.length)) this.#logger.info(cat, msg, data)
  }

  warn(cat: string, msg: string, data?: Record<string, unknown>): void {
    if (this.isEnabled('warn') && this.#budget.take(msg.length)) this.#logger.warn(cat, msg, data)
  }

  error(cat: string, msg: string, data?: Record<string, unknown>): void {
    if (this.isEnabled('error') && this.#budget.take(msg.length)) this.#logger.error(cat, msg, data)
  }

  child(fields: LogFields): Logger {
    return new LimitedLogger(this.#logger.child(fields), this.#budget)
  }

  flush(): Promise<void> {
    this.#budget.tell()
    return this.#logger.flush()
  }

  close(): Promise<void> {
    this.#budget.tell()
    return this.#logger.close()
  }
}
