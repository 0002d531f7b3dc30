/** Reads what a WebSocket server sends. Text frames only, as the inspector sends them; of one too large the beginning is kept. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024
const KEPT_BYTES = 64
const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

export interface FrameEvents {
  text(text: string): void
  tooLarge(beginning: string): void
  close(): void
  garbage(what: string): void
}

export class WebSocketFrameReader {
  readonly #events: FrameEvents
  readonly #largest: number
  #chunks: Buffer[] = []
  #length = 0
  /** Of the frame that is read now; undefined: its header is yet to come. */
  #frame: { readonly opcode: number; readonly size: number } | undefined
  #skipping = 0
  #ended = false

  constructor(events: FrameEvents, largest = LARGEST_MESSAGE_BYTES) {
    this.#events = events
    this.#largest = largest
  }

  push(data: Buffer): void {
    let rest = data
    if (this.#skipping > 0) {
      const skipped = Math.min(this.#skipping, rest.length)
      this.#skipping -= skipped
      rest = rest.subarray(skipped)
    }
    if (rest.length > 0) {
      this.#chunks.push(rest)
      this.#length += rest.length
    }
    while (!this.#ended && this.#readOne());
  }

  #readOne(): boolean {
    this.#frame ??= this.#readHeader()
    const frame = this.#frame
    if (frame === undefined) return false
    if (frame.size > this.#largest) return this.#skip(frame.size)
    if (this.#length < frame.size) return false
    const payload = this.#take(frame.size)
    this.#frame = undefined
    if (frame.opcode === TEXT) this.#events.text(payload.toString('utf8'))
    else if (frame.opcode === CLOSE) this.#end(() => this.#events.close())
    return true
  }

  #readHeader(): { opcode: number; size: number } | undefined {
    if (this.#length < 2) return undefined
    const start = this.#peek(Math.min(10, this.#length))
    const first = start[0] ?? 0
    const second = start[1] ?? 0
    const opcode = first & 0x0f
    const known = opcode === TEXT || opcode === CLOSE || opcode === PING || opcode === PONG
    if ((first & 0xf0) !== 0x80 || (second & 0x80) !== 0 || !known) {
      this.#end(() => this.#events.garbage('something that is no WebSocket message'))
      return undefined
    }
    const short = second & 0x7f
    const header = short === 126 ? 4 : short === 127 ? 10 : 2
    if (this.#length < header) return undefined
    const size = short === 126 ? start.readUInt16BE(2) : short === 127 ? Number(start.readBigUInt64BE(2)) : short
    this.#take(header)
    return { opcode, size }
  }

  #skip(size: number): boolean {
    const kept = Math.min(KEPT_BYTES, size)
    if (this.#length < kept) return false
    const beginning = this.#peek(kept).toString('utf8')
    const here = Math.min(this.#length, size)
    this.#take(here)
    this.#skipping = size - here
    this.#frame = undefined
    this.#events.tooLarge(beginning)
    return true
  }

  #peek(length: number): Buffer {
    const [first] = this.#chunks
    if (first !== undefined && first.length >= length) return first.subarray(0, length)
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all.subarray(0, length)
  }

  #take(length: number): Buffer {
    const taken = this.#peek(length)
    this.#length -= length
    const [first] = this.#chunks
    if (first === undefined) return taken
    if (first.length === length) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(length)
    return taken
  }

  #end(tell: () => void): void {
    this.#ended = true
    this.#chunks = []
    this.#length = 0
    tell()
  }
}
