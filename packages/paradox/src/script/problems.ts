/** The syntax errors of one file, in words for who has to mend it. */
import { CLASS, CLOSE, COMMENT, NEWLINE } from './bytes.ts'
import { MAX_PROBLEMS, type ScriptProblem } from './problem.ts'
import { endOfLine, holdsNewline, lineIndentation } from './scan.ts'
import { BRACE, KEY_END, KEY_START, START, STRIDE, textOf } from './tree.ts'

export class Problems {
  readonly list: ScriptProblem[] = []
  readonly #bytes: Uint8Array
  readonly #end: number
  /** LineTable are counted onwards from the last place asked for. */
  #line = 1
  #counted = 0

  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes
    this.#end = end
  }

  unclosedString(start: number, end: number): void {
    this.#add('syntax.unclosed-string', start, end, () => ({
      message: 'the text that begins here is not closed on its line',
      expected: '"',
      hint: 'close it before the end of the line, or delete the quotation mark',
    }))
  }

  unclosedCalculation(start: number, end: number): void {
    this.#add('syntax.unclosed-calculation', start, end, () => ({
      message: 'the calculation that begins here is not closed on its line',
      expected: ']',
      hint: 'write it as @[ … ] on one line',
    }))
  }

  strayClosing(at: number, depth: number): void {
    const mark = this.#bytes[at] === 0x5d ? ']' : '}'
    this.#add('syntax.stray-closing', at, at + 1, () => ({
      message: depth === 0 ? `"${mark}" closes nothing here` : `"${mark}" does not close what is open here`,
      expected: depth === 0 ? 'a name, or the end of the file' : 'the other closing mark',
      hint: `delete it, or look above for a block that was closed too early or never opened`,
    }))
  }

  strayOperator(start: number, end: number, previous: number): void {
    const operator = textOf(this.#bytes, start, end)
    const isSecond = previous > 0 && !holdsNewline(this.#bytes, previous, start)
    if (isSecond) {
      this.#add('syntax.second-operator', start, end, () => ({
        message: `"${operator}" follows a value that already has its key`,
        expected: 'the next key, or "}"',
        hint: 'one statement has one key and one value: "a = { b = c }" puts one into another',
      }))
      return
    }
    this.#add('syntax.operator-without-key', start, end, () => ({
      message: `"${operator}" has no key before it`,
      expected: 'a key, a value, or "}"',
      hint: `write the name before "${operator}", or delete it`,
    }))
  }

  missingValue(keyStart: number, keyEnd: number, start: number, end: number): void {
    this.#add('syntax.missing-value', start, end, () => ({
      message: `"${this.#short(keyStart, keyEnd)}" has no value`,
      expected: 'a value or a block after the operator',
      hint: 'write the value, or delete the line',
    }))
  }

  /** The blocks `open[from … depth)` end at `at` without a brace; `last` is the place after the last token before it. */
  unclosedBlocks(nodes: Int32Array, open: Int32Array, from: number, depth: number, at: number, last: number): void {
    const outermost = (open[from] ?? 0) * STRIDE
    // The one that holds the others is named, since every other one may have been closed by a brace that was meant for it.
    const start = nodes[outermost + START] ?? 0
    const brace = nodes[outermost + BRACE] ?? start
    this.#add('syntax.unclosed-block', start, brace + 1, () => {
      const name = this.#short(nodes[outermost + KEY_START] ?? 0, nodes[outermost + KEY_END] ?? 0)
      const block = name === '' ? 'the block' : `the block of "${name}"`
      const before = at < this.#end ? `before line ${this.#lineOf(at)}` : 'before the end of the file'
      const suspect = this.#firstOutdented(start, brace, last)
      return {
        message: `${block} is not closed ${before}: ${depth - from} "}" missing`,
        expected: '"}"',
        hint:
          suspect < 0
            ? 'count the braces of this block'
            : `by the indentation a "}" is missing before line ${this.#lineOf(suspect)}`,
      }
    })
  }

  #add(
    code: string,
    start: number,
    end: number,
    words: () => { message: string; expected: string; hint: string },
  ): void {
    if (this.list.length >= MAX_PROBLEMS) return
    this.list.push({ code, severity: 'error', start, end, ...words() })
  }

  #short(start: number, end: number): string {
    return textOf(this.#bytes, start, Math.min(end, start + 60))
  }

  #lineOf(place: number): number {
    if (place < this.#counted) {
      this.#line = 1
      this.#counted = 0
    }
    for (let at = this.#bytes.indexOf(NEWLINE, this.#counted); at >= 0 && at < place; ) {
      this.#line++
      this.#counted = at + 1
      at = this.#bytes.indexOf(NEWLINE, this.#counted)
    }
    return this.#line
  }

  /**
   * The first line inside the block at whose start more blocks are open than it is indented for: there the brace should have
   * been. -1: the indentation tells nothing.
   */
  #firstOutdented(start: number, brace: number, last: number): number {
    const bytes = this.#bytes
    /** Of the lines that opened what is open. */
    const indentations = [Math.max(0, lineIndentation(bytes, start))]
    let indentation = indentations[0] ?? 0
    let at = brace + 1
    let isLineStart = false
    let lineStart = brace
    while (at < last) {
      const byte = bytes[at] ?? 0
      if (byte === NEWLINE) {
        isLineStart = true
        lineStart = ++at
        continue
      }
      const kind = CLASS[byte] ?? 0
      if (kind === COMMENT) {
        at = endOfLine(bytes, at, last)
        continue
      }
      if (isLineStart && byte > 0x20) {
        isLineStart = false
        indentation = at - lineStart
        const opener = indentations.at(-1) ?? -1
        if (kind === CLOSE ? indentation < opener : indentation <= opener) return at
      }
      if (byte === 0x7b) indentations.push(indentation)
      else if (byte === 0x7d && indentations.length > 1) indentations.pop()
      at++
    }
    return -1
  }
}
