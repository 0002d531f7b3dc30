/**
 * Lines of a connection, one at a time and only when asked for: after `attach` the rest of the bytes belongs to
 * somebody else. Bounded memory, linear time.
 */
const NEWLINE = 10

export class FrameSplitter {
  #limit: number
  #chunks: Buffer[] = []
  #length = 0
  /** So many chunks at the front hold no newline: each byte is looked at once. */
  #searched = 0
  #searchedBytes = 0

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
    this.#searchedBytes = 0
    return all
  }

  #findNewline(): number | undefined {
    for (; this.#searched < this.#chunks.length; this.#searched++) {
      const chunk = this.#chunks[this.#searched]
      if (chunk === undefined) return undefined
      const found = chunk.indexOf(NEWLINE)
      if (found !== -1) return this.#searchedBytes + found
      this.#searchedBytes += chunk.length
    }
    return undefined
  }
}
