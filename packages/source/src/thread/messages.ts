/** What a source thread and its owner say to each other. */
import type { Chunk } from '../chunk/chunk.ts'
import type { SyntaxFailure } from '../syntax/syntax.ts'
import type { SkipReason } from '../walk/walk-folder.ts'

/** How a file was when it was last read. */
export interface KnownFile {
  readonly path: string
  readonly stamp: string
  readonly hash: string
  readonly chunks: number
  /** Milliseconds since 1970: one that was changed shortly before may have been changed again unseen. */
  readonly readAt: number
  /** Of what made its chunks. */
  readonly version: number
}

export interface ScanTask {
  /** A real path. */
  readonly root: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Bytes. */
  readonly maxFileSize: number
  /** Milliseconds that the syntax of one file may take. */
  readonly parseTimeout: number
}

/** A file that is new or has changed. */
export interface ScannedFile {
  readonly path: string
  readonly size: number
  readonly stamp: string
  readonly hash: string
  readonly readAt: number
  readonly language: string
  /** Undefined: its content is what was known, and only its stamp is new. */
  readonly chunks: readonly Chunk[] | undefined
  /** How many it had. */
  readonly chunksBefore: number
  readonly failure?: SyntaxFailure
}

export interface SkippedFile {
  readonly path: string
  readonly reason: SkipReason
}

export interface ScanCounts {
  /** Files to look at; those that turn out to be no text are among them. */
  readonly total: number
  readonly seen: number
  readonly unchanged: number
  readonly bytes: number
}

export interface ScanBatch {
  readonly files: readonly ScannedFile[]
  readonly counts: ScanCounts
}

export interface ScanOutcome {
  readonly counts: ScanCounts
  /** Known, and not there any more, or no longer wanted. Nothing where the scan was stopped: nobody knows then. */
  readonly gone: readonly Pick<KnownFile, 'path' | 'chunks'>[]
  /** The first of them. */
  readonly skipped: readonly SkippedFile[]
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  /** Read by their blank lines, though there is a grammar: the first of them. */
  readonly withoutSyntax: readonly { readonly path: string; readonly failure: SyntaxFailure }[]
  readonly isStopped: boolean
}

export type SourceOrder =
  | { readonly type: 'scan'; readonly task: ScanTask }
  | { readonly type: 'known'; readonly files: readonly KnownFile[] }
  /** All that is known was told. */
  | { readonly type: 'go' }
  /** A batch was taken: another may come. */
  | { readonly type: 'taken' }

export type SourceNews =
  | { readonly type: 'batch'; readonly batch: ScanBatch }
  | { readonly type: 'done'; readonly outcome: ScanOutcome }
  | { readonly type: 'failed'; readonly message: string }

export interface SourceStart {
  /** One number that is not 0 once the owner wants it to stop: seen in the middle of a parse as well. */
  readonly stop: SharedArrayBuffer
}
