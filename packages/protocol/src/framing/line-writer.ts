/**
 * Hands lines on, joining all that are written in one turn of the event loop into one write.
 * A tick scheduled from a promise continuation runs once that queue is empty, so a burst of calls costs one write
 * and a single call waits for nothing.
 */
export class LineWriter {
  readonly #put: (text: string) => void
  #pending = ''
  #scheduled = false

  constructor(put: (text: string) => void) {
    this.#put = put
  }

  write(line: string): void {
    // A flat string is written as it is; joining would copy a large one.
    this.#pending = this.#pending === '' ? `${line}\n` : `${this.#pending}${line}\n`
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    const text = this.#pending
    this.#pending = ''
    if (text !== '') this.#put(text)
  }
}
