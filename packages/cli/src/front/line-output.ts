/** Lines onto a stream, byte for byte: those of one turn in one write, large ones without copying them. */
import type { Writable } from 'node:stream'

const NEWLINE = Buffer.from('\n')
/** Copying less than this is cheaper than handing it to the system in pieces. */
const COPIED_BYTES = 64 * 1024

export class LineOutput {
  readonly #stream: Writable
  #parts: Buffer[] = []
  #bytes = 0
  #scheduled = false

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** The other side does not keep up: bring no more until `drain`. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain
  }

  write(line: Buffer | string): void {
    const part = typeof line === 'string' ? Buffer.from(line) : line
    this.#parts.push(part, NEWLINE)
    this.#bytes += part.length + 1
    if (this.#bytes > COPIED_BYTES) this.flush()
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    this.flush()
  }

  flush(): void {
    const parts = this.#parts
    const bytes = this.#bytes
    if (bytes === 0) return
    this.#parts = []
    this.#bytes = 0
    if (!this.#stream.writable) return
    if (bytes <= COPIED_BYTES) {
      this.#stream.write(Buffer.concat(parts, bytes))
      return
    }
    this.#stream.cork()
    for (const part of parts) this.#stream.write(part)
    this.#stream.uncork()
  }
}
