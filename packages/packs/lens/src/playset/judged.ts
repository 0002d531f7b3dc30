/** A playset as it is judged, and what came of it. */
import type { Layer } from '@switchboard/paradox'
import type { PlaysetDiagnostic } from '@switchboard/paradox/conflicts'
import type { Scope } from '../scope.ts'

export interface JudgedPlayset {
  /** Of its layers and of the log: another one is another playset. */
  readonly key: string
  /** Lowest first. */
  readonly layers: readonly Layer[]
  /** Where the files of each layer are in the index, in the same order. */
  readonly parts: Scope
  /** Absolute; undefined: there is none. */
  readonly engineLog?: string | undefined
}

export interface JudgeReport {
  readonly conflicts: number
  readonly problems: number
  /** By class: how many, and how many of them are not intended. */
  readonly classes: readonly { readonly class: string; readonly count: number; readonly open: number }[]
  readonly lostKeys: number
  readonly completeness: 'complete' | 'unknown'
  readonly notJudged: readonly string[]
  /** With the engine's log. */
  readonly agreement?: { readonly agree: number; readonly differs: number; readonly unknown: number }
}

export interface Judgement {
  /** In the tables. */
  readonly id: number
  readonly generation: number
  readonly report: JudgeReport
}

/** One conflict as it is kept. */
export interface ConflictRow {
  readonly class: string
  readonly kind: string
  readonly name: string
  readonly folder: string
  /** Their names, a line each. */
  readonly mods: string
  readonly harm: number
  readonly intended: boolean
  readonly confidence: string
  /** All of it, as JSON. */
  readonly data: string
}

export type JudgeNews =
  | { readonly type: 'conflicts'; readonly conflicts: readonly ConflictRow[] }
  | { readonly type: 'problems'; readonly problems: readonly PlaysetDiagnostic[] }
  | { readonly type: 'judged'; readonly report: JudgeReport }
  | { readonly type: 'judge_failed'; readonly reason: string }
