/**
 * One run over one folder: what a source thread finds goes into the store, batch by batch. The thread is held up by the disk of
 * the store, never the other way round. What was stored stays, however the run ends.
 */
import { posix } from 'node:path'
import type { Clock } from '@switchboard/base'
import {
  type KnownFile,
  type ScanBatch,
  type ScannedFile,
  type ScanOutcome,
  SourceError,
  SourceThread,
} from '@switchboard/source'
import type { Space } from '@switchboard/store'
import { ToolError } from '@switchboard/toolkit'
import {
  chunkIds,
  FILE_KIND,
  fileId,
  type IndexRecord,
  toChunkItems,
  toFileItem,
  toIndexItem,
  toKnownFile,
} from './code-items.ts'
import type { Location } from './locate.ts'

export interface IndexRequest extends Location {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxFileSize: number
}

export interface IndexProgress {
  readonly total: number
  readonly seen: number
  /** Of those, how many were stored anew. */
  readonly stored: number
}

export interface IndexOutcome extends IndexProgress {
  /** In the index now. */
  readonly files: number
  readonly unchanged: number
  readonly removed: number
  readonly chunks: number
  readonly isComplete: boolean
  /** Undefined: it was stopped. */
  readonly scan: ScanOutcome | undefined
}

/** Milliseconds for the syntax of one file. */
const PARSE_TIMEOUT = 1_000
/** Of what is known of the files, so many at a time. */
const PAGE = 2_000
/** In one call of the store. */
const MAX_REMOVED = 2_000

export class IndexRun {
  readonly #request: IndexRequest
  readonly #code: Space
  readonly #files: Space
  readonly #clock: Clock
  #stored = 0
  #chunks = 0
  #removed = 0
  #last = { total: 0, seen: 0, unchanged: 0 }

  constructor(request: IndexRequest, spaces: { readonly code: Space; readonly files: Space }, clock: Clock) {
    this.#request = request
    this.#code = spaces.code
    this.#files = spaces.files
    this.#clock = clock
  }

  async run(signal: AbortSignal, onProgress: (progress: IndexProgress) => void): Promise<IndexOutcome> {
    const { root, include, exclude, maxFileSize } = this.#request
    await this.#record('building', 0)
    const thread = new SourceThread()
    try {
      const task = { root, include, exclude, maxFileSize, parseTimeout: PARSE_TIMEOUT }
      const scan = await thread.scan(task, {
        known: () => this.#known(),
        signal,
        onBatch: async (batch) => {
          await this.#store(batch)
          onProgress({ total: batch.counts.total, seen: batch.counts.seen, stored: this.#stored })
        },
      })
      const isComplete = scan !== undefined && !scan.isStopped && !signal.aborted
      if (scan !== undefined) this.#last = scan.counts
      if (isComplete) await this.#removeGone(scan.gone)
      const { total, seen, unchanged } = this.#last
      const files = this.#stored + unchanged
      await this.#record(isComplete ? 'complete' : 'stopped', files)
      const counts = {
        total,
        seen,
        unchanged,
        files,
        stored: this.#stored,
        removed: this.#removed,
        chunks: this.#chunks,
      }
      return { ...counts, isComplete, scan }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw new ToolError('E_INDEX_FAILED', `${error.message}, after ${this.#last.seen} of ${this.#last.total} files`, {
        cause: error,
      })
    } finally {
      await thread.end()
    }
  }

  /** From the folder that is walked, as the thread has it. */
  async *#known(): AsyncGenerator<KnownFile[]> {
    const { project, folder } = this.#request
    const prefix = folder === '' ? '' : `${folder}/`
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await this.#files.list({ scopes: [project.scope], kinds: [FILE_KIND], limit: PAGE, offset })
      const known = items.map(toKnownFile).filter(({ path }) => path.startsWith(prefix))
      yield known.map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
      if (items.length < PAGE) return
    }
  }

  async #store({ files, counts }: ScanBatch): Promise<void> {
    this.#last = counts
    if (files.length === 0) return
    const { scope } = this.#request.project
    const now = this.#clock.wallTime()
    // First what is too much: were it left behind, nobody would ever know of it again.
    const surplus = files.flatMap((file) => this.#surplusOf(file))
    if (surplus.length > 0) await this.#removeFrom(this.#code, surplus)
    const items = files.flatMap((file) => toChunkItems(scope, this.#path(file.path), file, now))
    if (items.length > 0) await this.#code.put(items)
    await this.#files.put(files.map((file) => toFileItem(scope, this.#path(file.path), file, now)))
    this.#chunks += items.length
    this.#stored += files.filter(({ chunks }) => chunks !== undefined).length
  }

  #surplusOf({ path, chunks, chunksBefore }: ScannedFile): string[] {
    if (chunks === undefined || chunksBefore <= chunks.length) return []
    const count = chunksBefore - chunks.length
    return this.#chunkIds(path, count, chunks.length)
  }

  async #removeGone(gone: ScanOutcome['gone']): Promise<void> {
    const { scope } = this.#request.project
    await this.#removeFrom(
      this.#code,
      gone.flatMap(({ path, chunks }) => this.#chunkIds(path, chunks)),
    )
    await this.#removeFrom(
      this.#files,
      gone.map(({ path }) => fileId(scope, this.#path(path))),
    )
    this.#removed += gone.length
  }

  #chunkIds(path: string, count: number, from = 0): string[] {
    return chunkIds(this.#request.project.scope, this.#path(path), count, from)
  }

  async #removeFrom(space: Space, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += MAX_REMOVED) await space.remove(ids.slice(at, at + MAX_REMOVED))
  }

  async #record(state: IndexRecord['state'], files: number): Promise<void> {
    const now = this.#clock.wallTime()
    const { project, folder } = this.#request
    const finishedAt = state === 'building' ? undefined : now
    await this.#files.put([toIndexItem(project.scope, { folder, state, files, finishedAt }, now)])
  }

  #path(path: string): string {
    return posix.join(this.#request.folder, path)
  }
}
