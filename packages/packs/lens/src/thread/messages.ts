/** What the threads of the index say to each other. The writer has the others made, and talks to each. */
import type { SkipReason } from '@switchboard/source/walk'
import type { PackedContent } from '../extract/packed.ts'

export interface RootPlace {
  readonly id: number
  /** A real path. */
  readonly path: string
  readonly exclude: readonly string[]
  /** A layer of a playset, and nobody's workspace. */
  readonly isLayer?: boolean
}

/** A file that the parser shall read. */
export interface FileOrder {
  /** In the queue. */
  readonly item: number
  readonly root: RootPlace
  readonly path: string
}

export interface ParseOrder {
  readonly type: 'parse'
  readonly batch: number
  /** It is read before all that waits. */
  readonly isUrgent: boolean
  readonly files: readonly FileOrder[]
  /** Bytes. */
  readonly maxFileSize: number
}

export interface ReadFile {
  readonly kind: 'read'
  readonly order: FileOrder
  readonly size: number
  readonly stamp: string
  readonly changedAt: number
  readonly readAt: number
  readonly hash: string
  readonly profile: string
  readonly version: number
  readonly bytes: number
  /** Undefined: it is there already, of another file. */
  readonly content: PackedContent | undefined
}

export type ParsedFile =
  | ReadFile
  /** It is there and no text that we read. */
  | {
      readonly kind: 'skipped'
      readonly order: FileOrder
      readonly size: number
      readonly stamp: string
      readonly changedAt: number
      readonly readAt: number
      readonly reason: SkipReason
    }
  | { readonly kind: 'gone'; readonly order: FileOrder }
  | { readonly kind: 'failed'; readonly order: FileOrder; readonly reason: string }

export interface ParsedBatch {
  readonly type: 'parsed'
  /** Those of the order. */
  readonly batch: number
  readonly isUrgent: boolean
  readonly files: readonly ParsedFile[]
  readonly names: readonly string[]
  readonly details: readonly string[]
}

/** Milliseconds: a file that was changed so shortly before it was read may have been changed again with the same time. */
export const RACY_MS = 2_000

/** Of one folder: what has changed in it since it was last looked at. */
export interface LookOrder {
  readonly type: 'look'
  readonly job: number
  readonly root: RootPlace
  /** From the root; empty: all of it. */
  readonly folder: string
  /** files: those in the folder itself. */
  readonly depth: 'files' | 'tree'
  /** Of the files in the folder, only these. */
  readonly names?: readonly string[]
  readonly maxFileSize: number
  readonly maxFiles: number
}

export interface FoundChange {
  readonly path: string
  readonly size: number
  readonly stamp: string
}

export type ScoutNews =
  | { readonly type: 'changed'; readonly job: number; readonly files: readonly FoundChange[]; readonly seen: number }
  | {
      readonly type: 'looked'
      readonly job: number
      /** Known, and not there any more, or no longer wanted. */
      readonly gone: readonly string[]
      readonly skipped: Readonly<Partial<Record<SkipReason, number>>>
      readonly seen: number
      /** There are more files than are allowed. */
      readonly isCut: boolean
    }
  | { readonly type: 'look_failed'; readonly job: number; readonly reason: string }
  /** The watcher has seen something in these folders of a root. `trees`: what may have come with something in it. */
  | {
      readonly type: 'stirred'
      readonly root: number
      readonly folders: readonly string[]
      readonly trees: readonly string[]
    }
  /** Events may have been lost, or nobody can watch: only a look at everything helps. */
  | { readonly type: 'watch'; readonly root: number; readonly state: 'watching' | 'polling'; readonly why?: string }

export type ScoutOrder =
  | LookOrder
  | { readonly type: 'watch'; readonly root: RootPlace }
  | { readonly type: 'unwatch'; readonly root: number }

/** Of each thread, for what was just made: left alone, the engine takes twice what the whole index needs. */
export const YOUNG_MB = 16

export type ThreadRole = 'writer' | 'reader' | 'parser' | 'scout' | 'judge'

export interface IndexThreadStart {
  readonly role: ThreadRole
  readonly file: string
  readonly limits: IndexLimits
}

export interface IndexLimits {
  /** Threads that parse. */
  readonly parsers: number
  /** Bytes: what is larger is not read. */
  readonly maxFileSize: number
  /** Of one root. */
  readonly maxFiles: number
}
