/** Makes lines of the pieces that a program's output arrives in. What is too long of a line is counted, not kept. */
export interface JoinedLine {
  readonly text: string
  /** Characters of the line that were not kept. */
  readonly cut: number
}

export class LineJoiner {
  readonly #maxLength: number
  #pending = ''
  #cut = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** The lines that are complete now. */
  add(piece: string): JoinedLine[] {
    const lines: JoinedLine[] = []
    let start = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      this.#append(piece, start, end)
      const line = this.flush()
      lines.push(line ?? { text: '', cut: 0 })
      start = end + 1
    }
    this.#append(piece, start, piece.length)
    return lines
  }

  /** The line that was begun, as it is; undefined when there is none. */
  flush(): JoinedLine | undefined {
    if (this.#pending === '') return undefined
    const text = this.#pending.endsWith('\r') ? this.#pending.slice(0, -1) : this.#pending
    const line = { text, cut: this.#cut }
    this.#pending = ''
    this.#cut = 0
    return line
  }

  /** As `flush`, but it stays begun. */
  peek(): JoinedLine | undefined {
    return this.#pending === '' ? undefined : { text: this.#pending, cut: this.#cut }
  }

  #append(piece: string, start: number, end: number): void {
    const room = this.#maxLength - this.#pending.length
    const kept = Math.min(end, start + Math.max(0, room))
    if (kept > start) this.#pending += piece.slice(start, kept)
    this.#cut += end - kept
  }
}
