/**
 * Writes lines to a stream, joining all that are written in one turn of the event loop into one system call.
 * A tick scheduled from a promise continuation runs once that queue is empty, so a burst of calls costs one write
 * and a single call waits for nothing.
 */
import type { Writable } from 'node:stream'

export class LineWriter {
  readonly #stream: Writable
  #pending = ''
  #scheduled = false

  constructor(stream: Writable) {
    this.#stream = stream
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
    if (text !== '' && this.#stream.writable) this.#stream.write(text)
  }
}
