/** What the main thread asks of the writer, and what it is told without asking. */
import type { JudgedPlayset, Judgement } from '../../playset/judged.ts'
import type { RootPlace } from '../messages.ts'
import type { BuildRecord } from './builds.ts'
import type { Counts } from './queue.ts'

export interface WantedRoot {
  /** A real path. */
  readonly path: string
  readonly kind: 'workspace' | 'layer'
  readonly exclude: readonly string[]
}

export interface EnqueuedItem {
  readonly kind: 'file' | 'scan'
  /** Absolute. */
  readonly path: string
  readonly isUrgent: boolean
}

export interface WriterOperations {
  addRoots: (roots: readonly WantedRoot[]) => readonly { readonly root: RootPlace; readonly isNew: boolean }[]
  enqueue: (items: readonly EnqueuedItem[]) => {
    readonly enqueued: number
    readonly deduped: number
    /** In no root. */
    readonly outside: readonly string[]
  }
  /** Looks at everything again; `isFresh`: reads everything again. */
  rescan: (roots: readonly number[], isFresh: boolean) => undefined
  /** These, and no others. */
  watch: (roots: readonly number[]) => undefined
  /** What waits is forgotten. Answers with how much that was. */
  cancel: (root: number | undefined) => number
  /** Rejects with why it cannot be told. */
  judge: (playset: JudgedPlayset) => Promise<Judgement>
  state: () => IndexState
  end: () => undefined
}

export interface IndexState {
  readonly generation: number
  readonly queue: Counts
  /** Undefined: nothing was ever built. */
  readonly build: BuildRecord | undefined
  readonly watches: Readonly<Record<number, { readonly state: 'watching' | 'polling'; readonly why?: string }>>
}
