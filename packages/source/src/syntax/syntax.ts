/**
 * Parsers for threads: a text becomes a tree, in a bounded time, or nothing. What is read off a tree (pieces, symbols) is its
 * caller's; the tree is gone after that.
 *
 * A grammar is loaded when its first text comes. One that has broken (its memory is its own, and cannot be trusted after that)
 * is not asked again: a few such failures, and the thread reads by blank lines only.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Language, type Node, Parser } from 'web-tree-sitter'
import type { GrammarName } from '../languages.ts'

/** slow: it was given up. broken: the parser itself failed. */
export type SyntaxFailure = 'slow' | 'too_large' | 'broken'

export interface SyntaxLimits {
  /** Milliseconds. */
  readonly timeout: number
  isStopped(): boolean
}

/** Characters. A tree takes fifty times the memory of its text. */
const MAX_TEXT = 1_500_000
const MAX_BREAKS = 3

export class Syntax {
  #parser: Promise<Parser> | undefined
  readonly #languages = new Map<GrammarName, Promise<Language>>()
  #breaks = 0

  async read<T>(
    grammar: GrammarName,
    text: string,
    { timeout, isStopped }: SyntaxLimits,
    use: (root: Node) => T,
  ): Promise<T | SyntaxFailure> {
    if (text.length > MAX_TEXT) return 'too_large'
    if (this.#breaks >= MAX_BREAKS) return 'broken'
    try {
      this.#parser ??= openParser()
      const parser = await this.#parser
      parser.setLanguage(await this.#load(grammar))
      const end = performance.now() + timeout
      // The types say that it returns nothing; it ends the parse where it returns true.
      const progressCallback = (): boolean => performance.now() > end || isStopped()
      const tree = parser.parse(text, null, { progressCallback })
      if (tree === null) {
        parser.reset()
        return 'slow'
      }
      try {
        return use(tree.rootNode)
      } finally {
        tree.delete()
      }
    } catch {
      // Whatever it was: one file must not end the reading of all others.
      this.#breaks++
      this.#parser = undefined
      return 'broken'
    }
  }

  #load(grammar: GrammarName): Promise<Language> {
    const known = this.#languages.get(grammar) ?? Language.load(readWasm(`tree-sitter-${grammar}.wasm`))
    this.#languages.set(grammar, known)
    return known
  }
}

async function openParser(): Promise<Parser> {
  await Parser.init({ wasmBinary: readWasm('web-tree-sitter.wasm') })
  return new Parser()
}

/** Beside a bundle they lie in a folder; else they are where npm has put them. */
const IS_BUNDLED = import.meta.url.endsWith('.mjs')

function readWasm(name: string): Uint8Array {
  if (IS_BUNDLED) return readFileSync(fileURLToPath(new URL(`./grammars/${name}`, import.meta.url)))
  const folder = name === 'web-tree-sitter.wasm' ? 'web-tree-sitter' : '@repomix/tree-sitter-wasms/out'
  return readFileSync(createRequire(import.meta.url).resolve(`${folder}/${name}`))
}
