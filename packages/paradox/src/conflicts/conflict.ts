import type { RuleConfidence } from './policies.ts'

export type ConflictClass =
  | 'file_shadow'
  | 'key_override'
  | 'slot'
  | 'duplicate_forbidden'
  | 'loc_key'
  | 'replace_path'
  | 'gui_first_wins'
  | 'dangling'
  | 'order_uncertain'
  | 'engine_differs'

/** A file of a layer, by the index of the layer in the playset. */
export interface PlaysetFile {
  readonly layer: number
  readonly path: string
}

/** Something defined, wherever the index keeps it. */
export interface PlaysetDefinition extends PlaysetFile {
  readonly kind: string
  readonly name: string
  readonly start: number
  readonly end: number
  readonly line: number
  /** The name of the outermost definition that it stands in; absent: it is at the top. */
  readonly outermost?: string
  /** That of the symbol: rule P10 needs it. */
  readonly detail?: string
}

export interface PlaysetReference extends PlaysetFile {
  readonly name: string
  readonly kinds: readonly string[]
  readonly line: number
}

export interface FieldDifference {
  readonly field: string
  readonly change: 'added' | 'removed' | 'changed'
  /** What the loser has, without comments and blanks, cut at 200 characters. */
  readonly loser?: string
  readonly effective?: string
}

export interface Conflict {
  readonly class: ConflictClass
  /** What it would be, were the winner certain: of `order_uncertain` and `engine_differs`. */
  readonly base?: ConflictClass
  /** For files `file`, and their path as the name. */
  readonly kind: string
  readonly name: string
  /** Of a text. */
  readonly language?: string
  /** What is in effect; absent where nothing is, or all of them are. */
  readonly effective?: PlaysetFile & Partial<PlaysetDefinition>
  readonly losers: readonly (PlaysetFile & Partial<PlaysetDefinition>)[]
  /** By which rules: `O1 P1`. */
  readonly rule: string
  readonly why: string
  readonly confidence: RuleConfidence
  /** After taking comments and blanks away; absent: the files could not be read, or it does not apply. */
  readonly difference?: 'identical' | 'differs'
  /** Between the one in effect and the strongest loser. */
  readonly fields?: readonly FieldDifference[]
  /** Not to be mended: an override within one mod, of the game by a mod, of a mod by one that is made for it, or a `REPLACE:`. */
  readonly intended: boolean
  readonly intendedBy?: 'same_mod' | 'dependency' | 'game' | 'declared'
  /** Of a hidden file: what is defined nowhere else now. The harmful part. */
  readonly lostKeys?: readonly { readonly kind: string; readonly name: string }[]
  /** Of `dangling`: who still names it. */
  readonly references?: readonly PlaysetReference[]
}

/** What makes a conflict harmful comes first in every list. */
export function harmOf(conflict: Conflict): number {
  if ((conflict.lostKeys?.length ?? 0) > 0 && !conflict.intended) return 0
  if (conflict.class === 'dangling') return 1
  if (conflict.class === 'engine_differs' || conflict.class === 'duplicate_forbidden') return conflict.intended ? 5 : 2
  if (conflict.class === 'order_uncertain') return 3
  return conflict.intended || conflict.difference === 'identical' ? 6 : 4
}
