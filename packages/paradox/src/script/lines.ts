import { hasMark } from './encoding.ts'

export interface ScriptPlace {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number
}

/** LineTable and columns of bytes; quickest where it is asked in the order of the text. */
export class LineTable {
  readonly #bytes: Uint8Array
  readonly #starts: number[]
  #near = 0
  /** Up to where columns are counted, and to which. */
  #countedTo = -1
  #column = 1

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    // Editors do not show the mark.
    this.#starts = [hasMark(bytes, 0) ? 3 : 0]
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) this.#starts.push(at + 1)
  }

  get count(): number {
    return this.#starts.length
  }

  lineOf(offset: number): number {
    const starts = this.#starts
    let low = this.#near
    if (offset < (starts[low] ?? 0)) low = 0
    // The next few lines first.
    let high = low + 8
    if (high >= starts.length || (starts[high] ?? 0) <= offset) high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    this.#near = low
    return low + 1
  }

  placeOf(offset: number): ScriptPlace {
    const line = this.lineOf(offset)
    const start = this.#starts[line - 1] ?? 0
    // A file of one line would else be counted from its start for every name in it.
    const isFurther = this.#countedTo >= start && this.#countedTo <= offset
    let column = isFurther ? this.#column : 1
    for (let at = isFurther ? this.#countedTo : start; at < offset; at++) {
      const byte = this.#bytes[at] ?? 0
      if (byte < 0x80 || byte >= 0xf0) column += byte < 0x80 ? 1 : 2
      else if (byte >= 0xc0) column++
    }
    this.#countedTo = Math.max(start, offset)
    this.#column = column
    return { line, column }
  }
}
