/** A text as it was read from bytes: where its letters stand in those, and in which line. */

/** Characters between two marks of where the bytes are. */
const STEP = 256

type Encoding = 'utf-8' | 'utf-16' | 'single-byte'

export class DecodedSource {
  readonly text: string
  readonly #encoding: Encoding
  /** Bytes before the first letter. */
  readonly #mark: number
  /** Made when they are first asked for, as the next ones are. */
  #knownLines: number[] | undefined
  #line = 0
  /** Bytes before every STEP-th letter; 'none': every letter is one byte. */
  #knownSteps: Uint32Array | 'none' | undefined

  constructor(text: string, { encoding = 'utf-8', mark = 0 }: { encoding?: Encoding; mark?: number } = {}) {
    this.text = text
    this.#encoding = encoding
    this.#mark = mark
  }

  /** Where a letter stands in the bytes. */
  byteAt(index: number): number {
    if (this.#encoding === 'utf-16') return this.#mark + index * 2
    if (this.#encoding === 'single-byte') return index
    this.#knownSteps ??= markSteps(this.text)
    const steps = this.#knownSteps
    if (steps === 'none') return this.#mark + index
    const step = Math.floor(index / STEP)
    return this.#mark + (steps[step] ?? 0) + bytesBetween(this.text, step * STEP, index)
  }

  /** From 0. Quick where the next one asked for is near. */
  lineAt(index: number): number {
    const lines = this.#lines
    let line = this.#line
    let tries = 0
    while (line + 1 < lines.length && (lines[line + 1] ?? 0) <= index) {
      if (++tries > 16) return this.#search(index)
      line++
    }
    while (line > 0 && (lines[line] ?? 0) > index) {
      if (++tries > 16) return this.#search(index)
      line--
    }
    this.#line = line
    return line
  }

  /** In UTF-16 units, from 0. */
  columnAt(index: number, line: number): number {
    return index - (this.#lines[line] ?? 0)
  }

  get #lines(): number[] {
    this.#knownLines ??= findLines(this.text)
    return this.#knownLines
  }

  #search(index: number): number {
    const lines = this.#lines
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    this.#line = low
    return low
  }
}

function findLines(text: string): number[] {
  const lines = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1)
  return lines
}

function markSteps(text: string): Uint32Array | 'none' {
  if (Buffer.byteLength(text) === text.length) return 'none'
  const steps = new Uint32Array(Math.floor(text.length / STEP) + 1)
  for (let step = 1, bytes = 0; step < steps.length; step++) {
    bytes += bytesBetween(text, (step - 1) * STEP, step * STEP)
    steps[step] = bytes
  }
  return steps
}

/** A pair of units is four bytes: half of them are counted for each, so that every cut between two letters is right. */
function bytesBetween(text: string, from: number, to: number): number {
  let bytes = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}
