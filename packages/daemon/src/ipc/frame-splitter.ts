/**
 * Lines of a connection, one at a time and only when asked for: after `attach` the rest of the bytes belongs to
 * somebody else. Bounded memory, linear time.
 */
const NEWLINE = 10

export class FrameSplitter {
  #limit: number
  #chunks: Buffer[] = []
  #length = 0
  /** So many bytes at the front hold no newline. */
  #searched = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  set limit(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Without its newline. Undefined: there is no whole one yet. */
  next(): Buffer | 'oversized' | undefined {
    const end = this.#findNewline()
    if ((end ?? this.#length) > this.#limit) return 'oversized'
    if (end === undefined) return undefined
    const all = this.rest()
    this.push(all.subarray(end + 1))
    const isReturn = all[end - 1] === 13
    return all.subarray(0, isReturn ? end - 1 : end)
  }

  /** All that was not given out; nothing is left then. */
  rest(): Buffer {
    const [only] = this.#chunks
    const all = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length)
    this.#chunks = []
    this.#length = 0
    this.#searched = 0
    return all
  }

  #findNewline(): number | undefined {
    let offset = 0
    for (const chunk of this.#chunks) {
      if (offset + chunk.length > this.#searched) {
        const found = chunk.indexOf(NEWLINE, Math.max(0, this.#searched - offset))
        if (found !== -1) return offset + found
      }
      offset += chunk.length
    }
    this.#searched = offset
    return undefined
  }
}
