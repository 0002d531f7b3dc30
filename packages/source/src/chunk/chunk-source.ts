/** A file's text in pieces: by its syntax where there is a grammar for it, else by its structure. */
import { languageOf } from '../languages.ts'
import { GRAMMARS } from '../syntax/grammars.ts'
import type { Syntax, SyntaxFailure, SyntaxLimits } from '../syntax/syntax.ts'
import type { Chunk } from './chunk.ts'
import { chunkByBlankLines, chunkMarkdown } from './chunk-text.ts'
import { chunkTree } from './chunk-tree.ts'

/** Changes with what this folder makes of a text: what was made by another is made anew. */
export const CHUNKER_VERSION = 1

export interface ChunkedSource {
  readonly language: string
  readonly chunks: readonly Chunk[]
  /** Why it was read by its blank lines though there is a grammar; undefined: it was not. */
  readonly failure?: SyntaxFailure
}

export async function chunkSource(
  path: string,
  text: string,
  syntax: Syntax,
  limits: SyntaxLimits,
): Promise<ChunkedSource> {
  const { name: language, grammar } = languageOf(path)
  if (grammar === undefined) {
    return { language, chunks: language === 'markdown' ? chunkMarkdown(text) : chunkByBlankLines(text) }
  }
  const chunks = await syntax.read(grammar, text, limits, (root) => chunkTree(text, root, GRAMMARS[grammar]))
  if (typeof chunks !== 'string') return { language, chunks }
  return { language, chunks: chunkByBlankLines(text), failure: chunks }
}
