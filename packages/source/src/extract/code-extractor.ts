/** What a thread asks for the symbols of files of code: its parsers and their grammars are its own, and loaded when they are needed. */
import { languageOf } from '../languages.ts'
import { Syntax, type SyntaxLimits } from '../syntax/syntax.ts'
import { extractCode } from './extract-code.ts'
import type { Extraction } from './extraction.ts'

/** Milliseconds. The largest file that is read takes about one second. */
const TIMEOUT = 5_000

export class CodeExtractor {
  /** Changes with what is made of the same bytes: what was made by another version is made anew. */
  static readonly version = 4
  readonly #syntax = new Syntax()
  readonly #limits: SyntaxLimits

  constructor(limits: Partial<SyntaxLimits> = {}) {
    this.#limits = { timeout: TIMEOUT, isStopped: () => false, ...limits }
  }

  /** Undefined: there is no grammar for such a file. Of two files with one profile and the same bytes the extraction is the same. */
  static profileOf(path: string): string | undefined {
    const { name, grammar } = languageOf(path)
    return grammar === undefined ? undefined : name === grammar ? name : `${name} ${grammar}`
  }

  /**
   * Undefined: no such file, or no text. Never rejects for what the file holds: one that is too large, too slow or made by a program
   * has no symbols, and a problem that says so.
   */
  extract(path: string, content: Uint8Array | string): Promise<Extraction | undefined> {
    return extractCode(path, content, this.#syntax, this.#limits)
  }
}
