import { toDay } from '../days.ts'

export interface QueuedLine {
  /** With its newline. */
  readonly text: string
  readonly bytes: number
  readonly day: number
  /** Which `append` it came from; 0 for a notice of ours. */
  readonly sequence: number
}

/**
 * Lines that wait for the disk, bounded in bytes. What does not fit is counted, and the count becomes a line of its own
 * at the very place where lines are missing.
 */
export class LineQueue {
  readonly #maxBytes: number
  readonly #describeDropped: (count: number) => string
  #lines: QueuedLine[] = []
  #head = 0
  /** Waiting and being written. */
  #bytes = 0
  #dropped = 0

  constructor(maxBytes: number, describeDropped: (count: number) => string) {
    this.#maxBytes = maxBytes
    this.#describeDropped = describeDropped
  }

  /** Of what waits and what is being written. */
  get bytes(): number {
    return this.#bytes
  }

  push(text: string, time: number, sequence: number): void {
    const line = toLine(text, toDay(time), sequence)
    if (this.#bytes + line.bytes > this.#maxBytes && this.#bytes > 0) {
      this.#dropped++
      return
    }
    this.#pushDropped(line.day)
    this.#add(line)
  }

  /** The next line to write; when all were taken, the note about dropped ones. */
  peek(today: number): QueuedLine | undefined {
    if (this.#head === this.#lines.length) this.#pushDropped(today)
    return this.#lines[this.#head]
  }

  /** Takes lines of one day up to `maxBytes`, at least one. They count as pending until `settle`. */
  take(maxBytes: number): QueuedLine[] {
    const first = this.#lines[this.#head]
    if (!first) return []
    let end = this.#head
    let bytes = 0
    for (let line = this.#lines[end]; line?.day === first.day; line = this.#lines[end]) {
      if (bytes > 0 && bytes + line.bytes > maxBytes) break
      bytes += line.bytes
      end++
    }
    const taken = this.#lines.slice(this.#head, end)
    this.#head = end
    if (this.#head === this.#lines.length || this.#head > 4_096) {
      this.#lines = this.#lines.slice(this.#head)
      this.#head = 0
    }
    return taken
  }

  takeAll(today: number): QueuedLine[] {
    this.#pushDropped(today)
    const taken = this.#lines.slice(this.#head)
    this.#lines = []
    this.#head = 0
    return taken
  }

  settle(lines: readonly QueuedLine[]): void {
    for (const line of lines) this.#bytes -= line.bytes
  }

  #pushDropped(day: number): void {
    if (this.#dropped === 0) return
    const count = this.#dropped
    this.#dropped = 0
    this.#add(toLine(this.#describeDropped(count), day))
  }

  #add(line: QueuedLine): void {
    this.#bytes += line.bytes
    this.#lines.push(line)
  }
}

export function toLine(text: string, day: number, sequence = 0): QueuedLine {
  const whole = `${text}\n`
  return { text: whole, bytes: Buffer.byteLength(whole), day, sequence }
}
