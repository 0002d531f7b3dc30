import { formatTimestamp } from '../days.ts'
import { isAtLeast, type LogLevel, type LogRecord } from '../logging/logger.ts'

/** A line as it is read: the record and the file it stands in. */
export interface LogLine extends LogRecord {
  /** The file's name without date, number and extension: `daemon`, `mcp-tt79-6f854d`, `server-github`. */
  readonly source: string
}

/** Every filter that is given must match. */
export interface LogFilters {
  /** In ms since 1970 (see `parseTimeFilter`), inclusive. */
  readonly since?: number
  readonly until?: number
  /** This level or a more serious one. */
  readonly level?: LogLevel
  /** `pool` and `pool.*` match `pool` and everything below it. */
  readonly cat?: string
  readonly inst?: string
  readonly traceId?: string
  /** A source, or what it begins with up to a dash: `server` matches `server-github`. */
  readonly source?: string
  /** Text: anywhere in message, category or data, in any case. A pattern: tested against the message and the whole line. */
  readonly grep?: string | RegExp
  /** Whether whoever asks may see that line. */
  readonly isShown?: (line: LogLine) => boolean
}

export interface LogQuery extends LogFilters {
  /** `<home>/logs`. */
  readonly directory: string
  /** Only the last so many of the lines that match. Default: all. */
  readonly limit?: number
  /** Ends the reading with its reason, also between two lines that match. */
  readonly signal?: AbortSignal
}

const TIMESTAMP_START = '{"ts":"'
const TIMESTAMP_END = TIMESTAMP_START.length + 24

export class LogMatcher {
  readonly #filters: LogFilters
  readonly #since: string | undefined
  readonly #until: string | undefined
  readonly #cat: string | undefined
  readonly #text: string | undefined
  readonly #pattern: RegExp | undefined

  constructor(filters: LogFilters) {
    this.#filters = filters
    const { since, until, cat, grep } = filters
    this.#since = since === undefined ? undefined : formatTimestamp(since)
    this.#until = until === undefined ? undefined : formatTimestamp(until)
    this.#cat = cat?.replace(/\.?\*$/, '')
    if (typeof grep === 'string') this.#text = grep.toLowerCase()
    // Without g and y: those carry a position from one line to the next.
    else if (grep) this.#pattern = new RegExp(grep.source, grep.flags.replace(/[gy]/g, ''))
  }

  matchesSource(source: string): boolean {
    const wanted = this.#filters.source
    return wanted === undefined || source === wanted || source.startsWith(`${wanted}-`)
  }

  /** Whether lines between these two times can match: a whole file is passed over when not. */
  matchesRange(first: string, last: string): boolean {
    return !(this.#since !== undefined && last < this.#since) && !(this.#until !== undefined && first > this.#until)
  }

  matches(line: LogLine, raw: string): boolean {
    const { level, inst, traceId } = this.#filters
    if (!this.matchesRange(line.ts, line.ts)) return false
    if (level !== undefined && !isAtLeast(line.level, level)) return false
    if (inst !== undefined && line.inst !== inst) return false
    if (traceId !== undefined && line.trace_id !== traceId) return false
    const cat = this.#cat
    if (cat !== undefined && cat !== '' && line.cat !== cat && !line.cat.startsWith(`${cat}.`)) return false
    // First, so that no search tells what it does not show.
    if (this.#filters.isShown?.(line) === false) return false
    if (this.#pattern) return this.#pattern.test(line.msg) || this.#pattern.test(raw)
    return this.#text === undefined || includesText(line, this.#text)
  }
}

/** The time of a line of ours, which stands at a fixed place: most lines need not be parsed to be passed over. */
export function peekTimestamp(raw: string): string | undefined {
  return raw.startsWith(TIMESTAMP_START) ? raw.slice(TIMESTAMP_START.length, TIMESTAMP_END) : undefined
}

function includesText(line: LogLine, text: string): boolean {
  if (`${line.cat} ${line.msg}`.toLowerCase().includes(text)) return true
  return line.data !== undefined && (JSON.stringify(line.data) ?? '').toLowerCase().includes(text)
}
