/**
 * What is known of one file by its content alone, whatever language it is in: the same bytes under another path give the same
 * extraction, where the kind of file is the same. Positions are bytes; lines and columns are counted from 1, columns in UTF-16
 * units as editors count them.
 */
export interface Extraction {
  readonly language: string
  readonly symbols: readonly ExtractedSymbol[]
  readonly references: readonly ExtractedReference[]
  readonly problems: readonly ExtractedProblem[]
}

export interface ExtractedSymbol {
  readonly name: string
  /** In the language's own words: `function`, `class`, `trait`, `decision`, `localization` … */
  readonly kind: string
  /** Of the whole definition. */
  readonly start: number
  readonly end: number
  /** Where the name stands. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  /** Index in `symbols` of the one that it stands in; absent: at the top. */
  readonly parent?: number
  /** What tells it from others of its name, in one short line: a signature, a value. */
  readonly detail?: string
}

export interface ExtractedReference {
  readonly name: string
  /** Kinds of symbols that it may mean; absent: the language cannot tell. */
  readonly kinds?: readonly string[]
  readonly start: number
  readonly line: number
  readonly column: number
  /** Index in `symbols` of the one that it stands in. */
  readonly within?: number
  /** A call, where the tree tells: callers are found by it. */
  readonly isCall?: boolean
}

export interface ExtractedProblem {
  /** Such as `syntax.unclosed-block`: stable, tools filter by it. */
  readonly code: string
  readonly severity: 'error' | 'warning' | 'information'
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly message: string
  /** What would have been right here. */
  readonly expected?: string
  readonly hint?: string
}
