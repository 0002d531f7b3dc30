import type { PlaysetReference } from '../conflicts/conflict.ts'
import type { PlaysetIndex, PlaysetKey } from '../conflicts/playset-index.ts'

/** What only the whole playset shows, at a place in one of its files. */
export interface PlaysetDiagnostic {
  readonly code:
    | 'reference.unknown'
    | 'definition.duplicate'
    | 'localization.missing'
    | 'localization.unused'
    | 'file.shadow-loses-keys'
  readonly severity: 'error' | 'warning' | 'information'
  readonly layer: number
  readonly path: string
  readonly line: number
  readonly name: string
  readonly message: string
  readonly hint: string
}

export interface DiagnosticsReport {
  readonly diagnostics: readonly PlaysetDiagnostic[]
  /**
   * `unknown`: the game itself is not in the playset, so nothing is said about what nobody defines or uses; the game may.
   */
  readonly completeness: 'complete' | 'unknown'
  /** Why something was not judged, for people. */
  readonly notJudged: readonly string[]
}

/** What diagnostics ask for besides. */
export interface DiagnosticsIndex extends PlaysetIndex {
  keys(): Iterable<PlaysetKey>
  references(): Iterable<PlaysetReference>
  /** Whether any script or interface file has the word; absent: nothing is said about unused texts. */
  isMentioned?(word: string): boolean
}
