/**
 * What a pack that indexes workspaces tells other packs. It knows names, not meanings: a reference is one to everything that is
 * called so. Paths are absolute; lines and columns are counted from 1.
 */
import type { Caller } from '@switchboard/protocol'

export interface IndexedSymbol {
  readonly name: string
  /** In the words of its language: `function`, `class`, `trait`. */
  readonly kind: string
  readonly path: string
  readonly line: number
  readonly endLine: number
  /** Names of what it stands in, with dots between them. */
  readonly container?: string
}

export interface IndexedReference {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly isCall: boolean
  /** What it stands in. */
  readonly within?: Pick<IndexedSymbol, 'name' | 'kind' | 'line' | 'container'>
}

export interface IndexAnswer<T> {
  readonly items: readonly T[]
  /** All that there are; `items` may be the first of them. */
  readonly total: number
  /** False: the index is being made, or leaves files out. There may be more. */
  readonly isComplete: boolean
}

export interface IndexAsker {
  readonly caller: Caller
  readonly workspace: string
  readonly signal: AbortSignal
}

/** Every question is answered with undefined where the index knows nothing of that workspace, or of that file. */
export interface CodeIndex {
  /** Symbols whose names have these words, the best first. */
  search(
    query: { readonly text: string; readonly limit: number },
    asker: IndexAsker,
  ): Promise<IndexAnswer<IndexedSymbol> | undefined>
  /** All symbols of a file, in its order. */
  outline(path: string, asker: IndexAsker): Promise<IndexAnswer<IndexedSymbol> | undefined>
  /** All that are called exactly so. */
  definitions(
    query: { readonly name: string; readonly limit: number },
    asker: IndexAsker,
  ): Promise<IndexAnswer<IndexedSymbol> | undefined>
  references(
    query: { readonly name: string; readonly limit: number },
    asker: IndexAsker,
  ): Promise<IndexAnswer<IndexedReference> | undefined>
  /** What these lines of a file call. */
  callsFrom(
    query: { readonly path: string; readonly line: number; readonly endLine: number },
    asker: IndexAsker,
  ): Promise<IndexAnswer<IndexedReference> | undefined>
}
