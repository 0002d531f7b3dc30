/**
 * Reads an event stream (text/event-stream) from bytes as they come: CR, LF or CRLF, a BOM, comments, data on many
 * lines. Linear in time, bounded in memory: an event whose data is over the limit is not kept, only its two edges,
 * enough to make out whose answer it was, and reading goes on at the next event. An event cut off by the end of the
 * stream is dropped, as the format asks, so that resuming after `lastEventId` brings it again.
 */

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const COLON = 58
const SPACE = 32
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const DATA = Buffer.from('data')
const DATA_PREFIX_BYTES = 'data: '.length
const SHORT_LINE_BYTES = 1024
const KEPT_EDGE_BYTES = 4096
const MAX_ID_CHARACTERS = 4096
/** Of data, in one event: empty ones take room as well. */
const MAX_DATA_LINES = 500_000
/** A line buffer that grew beyond this for one large event is given back after it. */
const KEPT_BUFFER_BYTES = 1024 * 1024
const NOTHING = Buffer.alloc(0)

export interface SseEvent {
  /** `message` unless the event names another. */
  readonly type: string
  readonly data: string
}

export interface OversizedEvent {
  readonly bytes: number
  readonly head: string
  readonly tail: string
}

export interface SseParserOptions {
  readonly maxEventBytes: number
  onEvent(event: SseEvent): void
  onOversized(event: OversizedEvent): void
  onRetry?(milliseconds: number): void
}

export class SseParser {
  readonly #options: SseParserOptions
  /** The line that has not ended yet; `#lineBytes` also counts what was thrown away of it. */
  #line: Buffer = NOTHING
  #lineBytes = 0
  #dropped: 'no' | 'data' | 'other' = 'no'
  #firstLine = true
  #skipLineFeed = false
  #stopped = false
  #type = ''
  #data: string[] = []
  #dataBytes = 0
  #oversized: { head: Buffer; tail: Buffer } | undefined
  #pendingId: string | undefined
  #lastEventId: string | undefined

  constructor(options: SseParserOptions) {
    this.#options = options
  }

  /** Of the last event that was complete. */
  get lastEventId(): string | undefined {
    return this.#lastEventId
  }

  /** No handler is called any more, not even for the rest of the chunk that is being read. */
  stop(): void {
    this.#stopped = true
  }

  push(chunk: Buffer): void {
    let start = 0
    if (this.#skipLineFeed && chunk.length > 0) {
      this.#skipLineFeed = false
      if (chunk[0] === LINE_FEED) start = 1
    }
    // Each is looked for again only once it was passed: a chunk is searched twice at most, whatever stands in it.
    let lineFeed = find(chunk, LINE_FEED, start)
    let carriageReturn = find(chunk, CARRIAGE_RETURN, start)
    while (start < chunk.length && !this.#stopped) {
      if (lineFeed < start) lineFeed = find(chunk, LINE_FEED, start)
      if (carriageReturn < start) carriageReturn = find(chunk, CARRIAGE_RETURN, start)
      const end = Math.min(lineFeed, carriageReturn)
      if (end === Number.POSITIVE_INFINITY) {
        this.#keep(chunk.subarray(start))
        return
      }
      this.#endLine(chunk.subarray(start, end))
      start = end + 1
      if (end === carriageReturn) {
        if (start === chunk.length) this.#skipLineFeed = true
        else if (chunk[start] === LINE_FEED) start += 1
      }
    }
  }

  #keep(part: Buffer): void {
    const before = this.#lineBytes
    this.#lineBytes += part.length
    if (this.#dropped === 'data') this.#rememberEdges(part)
    if (this.#dropped !== 'no') return
    // Short lines are always kept whole: only then is it known which field they are.
    if (
      this.#lineBytes > SHORT_LINE_BYTES &&
      this.#dataBytes + this.#lineBytes > this.#options.maxEventBytes + DATA_PREFIX_BYTES
    ) {
      const line = this.#withoutMark(Buffer.concat([this.#line.subarray(0, before), part]))
      const value = dataOf(line)
      this.#dropped = value === undefined ? 'other' : 'data'
      if (value !== undefined) {
        this.#lineBytes = value.length
        this.#rememberEdges(value)
      }
      this.#line = NOTHING
      return
    }
    if (this.#lineBytes > this.#line.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#lineBytes, this.#line.length * 2, 1024))
      this.#line.copy(larger, 0, 0, before)
      this.#line = larger
    }
    part.copy(this.#line, before)
  }

  #endLine(rest: Buffer): void {
    let line = rest
    if (this.#lineBytes > 0) {
      this.#keep(rest)
      line = this.#line.subarray(0, this.#lineBytes)
    }
    const dropped = this.#dropped
    const bytes = this.#lineBytes
    this.#dropped = 'no'
    this.#lineBytes = 0
    if (dropped === 'no') this.#readLine(this.#withoutMark(line))
    else if (dropped === 'data') this.#dataBytes += bytes + 1
    this.#firstLine = false
    if (this.#line.length > KEPT_BUFFER_BYTES) this.#line = NOTHING
  }

  #withoutMark(line: Buffer): Buffer {
    const marked = this.#firstLine && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    return marked ? line.subarray(BYTE_ORDER_MARK.length) : line
  }

  #readLine(line: Buffer): void {
    if (line.length === 0) {
      this.#endEvent()
      return
    }
    const data = dataOf(line)
    if (data !== undefined) {
      this.#addData(data)
      return
    }
    const text = line.toString()
    const colon = text.indexOf(':')
    const field = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#type = value
    // It travels back in a header, which nobody takes when it is long.
    else if (field === 'id' && value.length <= MAX_ID_CHARACTERS && !value.includes('\0')) this.#pendingId = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.#options.onRetry?.(Number(value))
  }

  #addData(data: Buffer): void {
    const isFull = this.#data.length === MAX_DATA_LINES || this.#dataBytes + data.length > this.#options.maxEventBytes
    if (isFull || this.#oversized !== undefined) {
      this.#rememberEdges(data)
    } else this.#data.push(data.toString())
    this.#dataBytes += data.length + 1
  }

  #rememberEdges(data: Buffer): void {
    if (this.#oversized === undefined) {
      const kept = this.#data.length > 0 ? Buffer.from(`${this.#data.join('\n')}\n`) : NOTHING
      const head = Buffer.concat([
        kept.subarray(0, KEPT_EDGE_BYTES),
        data.subarray(0, Math.max(0, KEPT_EDGE_BYTES - kept.length)),
      ])
      this.#oversized = { head, tail: lastBytes(kept, data) }
      this.#data = []
      return
    }
    this.#oversized.tail = lastBytes(this.#oversized.tail, data)
  }

  #endEvent(): void {
    const type = this.#type === '' ? 'message' : this.#type
    const data = this.#data
    const bytes = this.#dataBytes - 1
    const oversized = this.#oversized
    this.#type = ''
    this.#data = []
    this.#dataBytes = 0
    this.#oversized = undefined
    this.#lastEventId = this.#pendingId
    if (oversized !== undefined) {
      this.#options.onOversized({ bytes, head: oversized.head.toString(), tail: oversized.tail.toString() })
    } else if (data.length > 0) {
      this.#options.onEvent({ type, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') })
    }
  }
}

function find(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

/** The value of a `data` line, undefined for any other. */
function dataOf(line: Buffer): Buffer | undefined {
  if (line.compare(DATA, 0, DATA.length, 0, Math.min(line.length, DATA.length)) !== 0) return undefined
  if (line.length === DATA.length) return NOTHING
  if (line[DATA.length] !== COLON) return undefined
  return line.subarray(line[DATA.length + 1] === SPACE ? DATA.length + 2 : DATA.length + 1)
}

function lastBytes(before: Buffer, next: Buffer): Buffer {
  const joined = next.length >= KEPT_EDGE_BYTES ? next : Buffer.concat([before, next])
  return Buffer.from(joined.subarray(Math.max(0, joined.length - KEPT_EDGE_BYTES)))
}
