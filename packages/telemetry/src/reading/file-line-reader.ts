import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024
/** Far above any line of ours: what is longer is garbage, and shown only so far. */
export const MAX_LOG_LINE_BYTES = 1024 * 1024
const NEWLINE = 0x0a

export type Direction = 'forward' | 'backward'

/** Reads the lines of a part of a file in batches, from either end, holding one chunk and one line at most. */
export class FileLineReader {
  readonly #handle: FileHandle
  readonly #direction: Direction
  #start: number
  #end: number
  /** The piece of a line that the chunks so far have left over. */
  #carry: Buffer = Buffer.alloc(0)
  #isDone = false

  constructor(handle: FileHandle, direction: Direction, end: number, start = 0) {
    this.#handle = handle
    this.#direction = direction
    this.#start = start
    this.#end = end
  }

  /** The next lines in reading order, without empty ones; undefined at the end. */
  async read(): Promise<string[] | undefined> {
    if (this.#isDone) return undefined
    const chunk = await this.#readChunk()
    if (chunk.length === 0) {
      this.#isDone = true
      return toLines(this.#carry)
    }
    return this.#direction === 'forward' ? this.#splitForward(chunk) : this.#splitBackward(chunk)
  }

  async #readChunk(): Promise<Buffer> {
    const length = Math.min(CHUNK_BYTES, this.#end - this.#start)
    if (length <= 0) return Buffer.alloc(0)
    const position = this.#direction === 'forward' ? this.#start : this.#end - length
    const buffer = Buffer.alloc(length)
    let done = 0
    while (done < length) {
      const { bytesRead } = await this.#handle.read(buffer, done, length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    if (this.#direction === 'forward') this.#start = done === length ? position + length : this.#end
    else this.#end = position
    return buffer.subarray(0, done)
  }

  #splitForward(chunk: Buffer): string[] {
    const bytes = Buffer.concat([this.#carry, chunk])
    const last = bytes.lastIndexOf(NEWLINE)
    this.#carry = bytes.subarray(last + 1).subarray(0, MAX_LOG_LINE_BYTES)
    return toLines(bytes.subarray(0, last + 1))
  }

  #splitBackward(chunk: Buffer): string[] {
    const bytes = Buffer.concat([chunk, this.#carry])
    const first = bytes.indexOf(NEWLINE)
    if (first === -1) {
      this.#carry = bytes.subarray(Math.max(0, bytes.length - MAX_LOG_LINE_BYTES))
      return []
    }
    this.#carry = bytes.subarray(0, first).subarray(-MAX_LOG_LINE_BYTES)
    return toLines(bytes.subarray(first + 1)).reverse()
  }
}

export function toLines(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '')
}
