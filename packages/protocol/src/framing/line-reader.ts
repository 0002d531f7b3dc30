/**
 * Cuts a byte stream into lines with bounded memory and in linear time: chunks are kept as they come and joined
 * once, when the newline arrives. A line over the limit is not kept: its head and tail are, enough to make out
 * whose answer it was, and reading goes on at the next line.
 */

const NEWLINE = 10
const CARRIAGE_RETURN = 13
/** Some programs write it before their first line, or before each. It belongs to no line. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** Members of a JSON-RPC message that name it stand at its start or its end. */
const KEPT_EDGE_BYTES = 4096

export interface OversizedLine {
  readonly bytes: number
  readonly head: string
  readonly tail: string
}

export interface LineReaderHandlers {
  onLine(line: Buffer): void
  onOversized(line: OversizedLine): void
}

export class LineReader {
  readonly #limit: number
  readonly #handlers: LineReaderHandlers
  #chunks: Buffer[] = []
  #length = 0
  /** Set while the current line is over the limit and being thrown away. */
  #discarded: { head: Buffer; tail: Buffer } | undefined

  constructor(limit: number, handlers: LineReaderHandlers) {
    this.#limit = limit
    this.#handlers = handlers
  }

  /** Bytes held for a line that has not ended yet. */
  get pendingBytes(): number {
    return this.#discarded === undefined ? this.#length : this.#discarded.head.length + this.#discarded.tail.length
  }

  push(chunk: Buffer): void {
    let start = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start)
      if (end === -1) {
        this.#keep(start === 0 ? chunk : chunk.subarray(start))
        return
      }
      if (this.#length === 0 && end - start <= this.#limit) this.#emit(chunk.subarray(start, end))
      else {
        this.#keep(chunk.subarray(start, end))
        this.#finish()
      }
      start = end + 1
    }
  }

  /** The stream is over: what stands without a newline is a line all the same. */
  end(): void {
    if (this.#length > 0) this.#finish()
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#discarded !== undefined) {
      this.#discarded.tail = lastBytes(this.#discarded.tail, part)
      return
    }
    if (part.length > 0) this.#chunks.push(part)
    if (this.#length <= this.#limit) return
    this.#discarded = { head: firstBytes(this.#chunks), tail: this.#chunks.reduce(lastBytes, Buffer.alloc(0)) }
    this.#chunks = []
  }

  #finish(): void {
    const length = this.#length
    const discarded = this.#discarded
    const chunks = this.#chunks
    this.#chunks = []
    this.#length = 0
    this.#discarded = undefined
    if (discarded !== undefined) {
      this.#handlers.onOversized({ bytes: length, head: discarded.head.toString(), tail: discarded.tail.toString() })
      return
    }
    const only = chunks.length === 1 ? chunks[0] : undefined
    this.#emit(only ?? Buffer.concat(chunks, length))
  }

  #emit(line: Buffer): void {
    const end = line.length
    if (end === 0) return
    const start = line[0] === BYTE_ORDER_MARK[0] && BYTE_ORDER_MARK.equals(line.subarray(0, 3)) ? 3 : 0
    const isPlain = start === 0 && line[end - 1] !== CARRIAGE_RETURN
    const trimmed = isPlain ? line : line.subarray(start, line[end - 1] === CARRIAGE_RETURN ? end - 1 : end)
    if (trimmed.length > 0) this.#handlers.onLine(trimmed)
  }
}

function firstBytes(chunks: readonly Buffer[]): Buffer {
  const first: Buffer[] = []
  let length = 0
  for (const chunk of chunks) {
    if (length >= KEPT_EDGE_BYTES) break
    first.push(chunk.subarray(0, KEPT_EDGE_BYTES - length))
    length += chunk.length
  }
  return Buffer.concat(first)
}

function lastBytes(before: Buffer, next: Buffer): Buffer {
  if (next.length >= KEPT_EDGE_BYTES) return Buffer.from(next.subarray(next.length - KEPT_EDGE_BYTES))
  const joined = Buffer.concat([before, next])
  return joined.length <= KEPT_EDGE_BYTES ? joined : Buffer.from(joined.subarray(joined.length - KEPT_EDGE_BYTES))
}
