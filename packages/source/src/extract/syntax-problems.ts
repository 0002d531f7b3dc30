/** What a parser could not read, said with its place. */
import type { TreeCursor } from 'web-tree-sitter'
import type { DecodedSource } from '../read/decoded-source.ts'
import type { CompiledTable } from './compiled-table.ts'
import type { ExtractedProblem } from './extraction.ts'

/** The number of the type of a node that was not understood, in every grammar. */
const ERROR_TYPE = 65_535
/** After so many nobody reads on. */
const MAX_PROBLEMS = 100
const MAX_SHOWN = 40
const NAMELESS = /(?:export\s+)?default\s+(?:async\s+)?function\s*[(<]/y

export class SyntaxProblems {
  readonly list: ExtractedProblem[] = []
  readonly #source: DecodedSource
  readonly #isPreprocessed: boolean
  readonly #isAmbient: boolean
  /** Inside of what was not understood nothing more is said. */
  #until = -1

  constructor(
    source: DecodedSource,
    { isPreprocessed, isAmbient }: { readonly isPreprocessed: boolean; readonly isAmbient: boolean },
  ) {
    this.#source = source
    this.#isPreprocessed = isPreprocessed
    this.#isAmbient = isAmbient
  }

  look(cursor: TreeCursor, type: number, { typeNames }: CompiledTable): void {
    if (this.list.length >= MAX_PROBLEMS) return
    if (type === ERROR_TYPE) this.#addUnexpected(cursor.startIndex, cursor.endIndex)
    else if (cursor.nodeIsMissing) this.#addMissing(cursor.startIndex, typeNames[type] ?? '')
  }

  #addUnexpected(from: number, to: number): void {
    if (from < this.#until) return
    this.#until = to
    if (this.#isNamelessSignature(from)) return
    const { text } = this.#source
    const shown =
      text
        .slice(from, Math.min(to, from + MAX_SHOWN))
        .split('\n', 1)[0]
        ?.trim() ?? ''
    const message = shown === '' ? 'This cannot be read' : `This cannot be read: ${shown}`
    this.#add('syntax.unexpected', from, to, message)
  }

  #addMissing(at: number, type: string): void {
    if (at < this.#until || this.#isTagOfTemplate(at, type)) return
    const expected = /^\w{2,}$/.test(type) ? type.replaceAll('_', ' ') : type
    this.#add('syntax.missing', at, at, `Missing here: ${expected}`, expected)
  }

  /** `export default function (): void` of a file of declarations: the grammar wants a name. */
  #isNamelessSignature(at: number): boolean {
    NAMELESS.lastIndex = at
    return this.#isAmbient && NAMELESS.test(this.#source.text)
  }

  /** tag<Type>`…`: the grammar of TypeScript knows it no other way than as tag<Type>! */
  #isTagOfTemplate(at: number, type: string): boolean {
    const { text } = this.#source
    return type === '!' && text[at] === '`' && text[at - 1] === '>'
  }

  #add(code: string, from: number, to: number, message: string, expected?: string): void {
    const source = this.#source
    const line = source.lineAt(from)
    this.list.push({
      code,
      severity: this.#isPreprocessed ? 'information' : 'error',
      start: source.byteAt(from),
      end: source.byteAt(to),
      line: line + 1,
      column: source.columnAt(from, line) + 1,
      message,
      ...(expected === undefined ? {} : { expected }),
      ...(this.#isPreprocessed ? { hint: 'A macro may stand here: the preprocessor was not run.' } : {}),
    })
  }
}
