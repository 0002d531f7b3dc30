import type { ExtractedProblem, ExtractedReference, ExtractedSymbol, Extraction } from '@switchboard/source'
import { LineTable } from '../script/lines.ts'
import type { ScriptProblem } from '../script/problem.ts'

interface NewSymbol {
  readonly name: string
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly nameStart: number
  readonly parent: number
  readonly detail?: string
}

/** Gathers what is known of one file, with lines and columns. */
export class ExtractionBuilder {
  readonly lines: LineTable
  readonly #symbols: ExtractedSymbol[] = []
  readonly #references: ExtractedReference[] = []
  readonly #problems: ExtractedProblem[] = []

  constructor(bytes: Uint8Array) {
    this.lines = new LineTable(bytes)
  }

  get symbols(): readonly ExtractedSymbol[] {
    return this.#symbols
  }

  /** Gives its index; `parent` -1: at the top. */
  addSymbol({ name, kind, start, end, nameStart, parent, detail }: NewSymbol): number {
    const { line, column } = this.lines.placeOf(nameStart)
    const endLine = end > start ? this.lines.lineOf(end - 1) : line
    this.#symbols.push({
      name,
      kind,
      start,
      end,
      line,
      column,
      endLine,
      ...(parent >= 0 && { parent }),
      ...(detail !== undefined && { detail }),
    })
    return this.#symbols.length - 1
  }

  addReference(name: string, kinds: readonly string[], start: number, within: number, isCall = false): void {
    const { line, column } = this.lines.placeOf(start)
    this.#references.push({
      name,
      kinds,
      start,
      line,
      column,
      ...(within >= 0 && { within }),
      ...(isCall && { isCall }),
    })
  }

  addProblem(problem: ScriptProblem): void {
    const { line, column } = this.lines.placeOf(problem.start)
    this.#problems.push({ ...problem, line, column })
  }

  build(language: string): Extraction {
    return { language, symbols: this.#symbols, references: this.#references, problems: this.#problems }
  }
}
