import type { FileHandle } from 'node:fs/promises'
import { errorMessage } from '@switchboard/base'
import { instanceOfBase } from '../logging/log-file-name.ts'
import { type Direction, FileLineReader } from './file-line-reader.ts'
import { type LogFile, type LogFileRange, openLogFile, readRange } from './log-files.ts'
import { type LogLine, type LogMatcher, peekTimestamp } from './log-query.ts'
import { parseLogLine } from './parse-log-line.ts'

interface KeyedLine {
  /** Its time, never against the order within its file: a clock that was set back does not shuffle a file. */
  readonly key: string
  readonly line: LogLine
}

/** The matching lines of one file, one after the other. Its file is open only between `open` and its end. */
export class LogCursor {
  readonly file: LogFile
  /** The place of its file among all: lines of the same time keep that order. */
  readonly index: number
  /** The time of the line that will be read first, known before it is opened. */
  readonly edge: string
  readonly #direction: Direction
  readonly #matcher: LogMatcher
  readonly #signal: AbortSignal | undefined
  #handle: FileHandle | undefined
  #reader: FileLineReader | undefined
  #batch: KeyedLine[] = []
  #position = 0
  #key: string

  constructor(
    file: LogFile,
    index: number,
    range: LogFileRange,
    direction: Direction,
    matcher: LogMatcher,
    signal?: AbortSignal,
  ) {
    this.file = file
    this.index = index
    this.#direction = direction
    this.#matcher = matcher
    this.#signal = signal
    this.edge = direction === 'forward' ? range.first : range.last
    this.#key = this.edge
  }

  get head(): KeyedLine | undefined {
    return this.#batch[this.#position]
  }

  /** Opens the file and goes to its first matching line. */
  async open(): Promise<void> {
    this.#handle = await openLogFile(this.file)
    if (this.#handle) this.#reader = new FileLineReader(this.#handle, this.#direction, this.file.size)
    await this.fill()
  }

  /** True when the next line is at hand; otherwise `fill` has to be awaited. */
  advance(): boolean {
    this.#position++
    return this.#position < this.#batch.length
  }

  async fill(): Promise<void> {
    this.#batch = []
    this.#position = 0
    while (this.#batch.length === 0) {
      const lines = await this.#reader?.read()
      if (this.#signal?.aborted) {
        await this.close()
        this.#signal.throwIfAborted()
      }
      if (!lines) return this.close()
      for (const raw of lines) this.#consider(raw)
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    this.#reader = undefined
    await handle?.close().catch(() => undefined)
  }

  #consider(raw: string): void {
    const ts = peekTimestamp(raw)
    if (ts !== undefined && !this.#matcher.matchesRange(ts, ts)) {
      this.#passTime(ts)
      return
    }
    const line = parseLogLine(raw, this.file.source, this.#key)
    this.#passTime(line.ts)
    if (this.#matcher.matches(line, raw)) this.#batch.push({ key: this.#key, line })
  }

  #passTime(ts: string): void {
    if (this.#direction === 'forward' ? ts > this.#key : ts < this.#key) this.#key = ts
  }
}

/** A cursor when the file can hold matching lines, or a line that says why it cannot be read. */
export async function createCursor(
  file: LogFile,
  index: number,
  direction: Direction,
  matcher: LogMatcher,
  signal?: AbortSignal,
): Promise<LogCursor | LogLine | undefined> {
  if (file.size === 0 || !matcher.matchesSource(file.source)) return undefined
  try {
    const handle = await openLogFile(file)
    if (!handle) return undefined
    try {
      const range = await readRange(file, handle)
      return matcher.matchesRange(range.first, range.last)
        ? new LogCursor(file, index, range, direction, matcher, signal)
        : undefined
    } finally {
      await handle.close()
    }
  } catch (error) {
    const reason = errorMessage(error)
    const inst = instanceOfBase(file.source) ?? ''
    const ts = new Date(file.mtime).toISOString()
    return { ts, level: 'warn', cat: 'log.unreadable', inst, msg: `cannot be read: ${reason}`, source: file.source }
  }
}
