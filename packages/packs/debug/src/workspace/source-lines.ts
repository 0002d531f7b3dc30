/** Single lines of source files: each file is read once. */
import { readSourceText } from './source-text.ts'

/** A longer one is cut. */
const MAX_LINE = 200
const MAX_FILES = 50

export class SourceLines {
  readonly #files = new Map<string, readonly string[]>()

  /** Counted from 1; empty where it is not there. */
  read(path: string, line: number): string {
    const known = this.#files.get(path) ?? this.#open(path)
    return (known[line - 1] ?? '').slice(0, MAX_LINE)
  }

  #open(path: string): readonly string[] {
    const lines = this.#files.size >= MAX_FILES ? [] : (readSourceText(path)?.split('\n') ?? [])
    this.#files.set(path, lines)
    return lines
  }
}
