/** What the lens answers with; see `packs/lens/src/people/`. */

export interface LensState {
  readonly generation: number
  readonly queue: { readonly pending: number; readonly running: number; readonly failed?: number }
  readonly build?: LensBuild
  readonly watches: Readonly<Record<string, { readonly state: 'watching' | 'polling'; readonly why?: string }>>
}

export interface LensBuild {
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  readonly startedAt: number
  readonly endedAt: number | null
  readonly files: number
  readonly bytes: number
  readonly errors: number
}

export interface LensRoot {
  readonly root: number
  readonly path: string
  readonly kind: string
  readonly isMod: boolean
  readonly scannedAt: number | null
  readonly files: number
  readonly bytes: number
  readonly symbols: number
  readonly refs: number
  readonly problems: number
  readonly skipped: Readonly<Record<string, number>>
  readonly about: { readonly completeness: string; readonly waiting: number; readonly failed: number }
  readonly languages: readonly { readonly language: string; readonly files: number }[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
  readonly stale: number
  readonly lookedAt: number
}

export interface LensOverview {
  readonly isBuilt: boolean
  readonly roots: readonly LensRoot[]
  readonly playsets: readonly { readonly name: string; readonly isActive: boolean }[]
  readonly state: LensState | null
}

export interface LensConflict {
  readonly id: number
  readonly class: string
  readonly kind: string
  readonly name: string
  readonly why: string
  readonly rule: string
  readonly confidence: string
  readonly intended: boolean
  readonly losers: readonly string[]
  readonly effective?: string
  readonly difference?: 'identical' | 'differs'
  readonly lostKeys?: readonly string[]
  readonly references?: readonly string[]
  readonly fields?: readonly {
    readonly field: string
    readonly change: 'added' | 'removed' | 'changed'
    readonly loser?: string
    readonly effective?: string
  }[]
}

export interface ConflictPage {
  readonly playset: string
  readonly report: {
    readonly classes: readonly { readonly class: string; readonly count: number; readonly open: number }[]
    readonly lostKeys: number
    readonly notJudged: readonly string[]
    readonly agreement?: { readonly agree: number; readonly differs: number; readonly unknown: number }
  }
  readonly layers: readonly string[]
  readonly total: number
  readonly folders: readonly { readonly folder: string; readonly count: number }[]
  readonly items: readonly LensConflict[]
}

export interface WholeConflict {
  readonly playset: string
  readonly conflict: LensConflict
  readonly moreLosers: number
  readonly definitions: readonly {
    readonly layer: string
    readonly path: string
    readonly line?: number
    readonly isEffective: boolean
    /** Absent: the file cannot be read any more. */
    readonly text?: string
    readonly left?: number
  }[]
}

/** What is in the address, as the lens is asked for it: a playset by its name, or a mod by its folder. */
export function toSource(of: string): Readonly<Record<string, string>> {
  return of.startsWith('mod:') ? { modFolder: of.slice(4) } : { playset: of.replace(/^playset:/, '') }
}

/** As people say it. */
export const CLASS_TEXTS: Readonly<Record<string, string>> = {
  file_shadow: 'file replaced',
  key_override: 'defined twice',
  slot: 'same place',
  duplicate_forbidden: 'must not be twice',
  loc_key: 'text replaced',
  replace_path: 'folder emptied',
  gui_first_wins: 'window: first wins',
  dangling: 'named, not there',
  order_uncertain: 'order not certain',
  engine_differs: 'the game says otherwise',
}
