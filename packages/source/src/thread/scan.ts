/**
 * One look at a folder: what is new, what has changed, what is gone. Runs in a thread, and may wait for its disk.
 *
 * 1. A file that is as it was is not opened; one whose content is as it was is not read again into chunks.
 * 2. What was found is handed over in batches, and no more than a few of them wait to be taken.
 * 3. Whatever a file is, the scan goes on.
 */
import { CHUNKER_VERSION, chunkSource } from '../chunk/chunk-source.ts'
import { readSource } from '../read/read-source.ts'
import { Syntax } from '../syntax/syntax.ts'
import { type FoundFile, type SkipReason, walkFolder } from '../walk/walk-folder.ts'
import type { KnownFile, ScanBatch, ScanCounts, ScannedFile, ScanOutcome, ScanTask, SkippedFile } from './messages.ts'

/** Of what was skipped or not read by its syntax, so many are named. */
const MAX_NAMED = 200
/** A batch is full with so many characters, files or milliseconds, whichever comes first. */
const BATCH_TEXT = 200_000
const BATCH_FILES = 100
const BATCH_MS = 150
/** Milliseconds: a file that was changed so shortly before it was read may have been changed again with the same time. */
const RACY_MS = 2_000

export interface ScanHost {
  isStopped(): boolean
  /** Resolves when another may come. */
  hand(batch: ScanBatch): Promise<void>
  /** Lets messages in. */
  pause(): Promise<void>
}

export class Scan {
  readonly #task: ScanTask
  readonly #known: Map<string, KnownFile>
  readonly #host: ScanHost
  readonly #syntax = new Syntax()
  readonly #skipped: SkippedFile[] = []
  readonly #skippedByReason: Partial<Record<SkipReason, number>> = {}
  readonly #withoutSyntax: { path: string; failure: NonNullable<ScannedFile['failure']> }[] = []
  readonly #unreadableFolders: string[] = []
  readonly #counts = { total: 0, seen: 0, unchanged: 0, bytes: 0 }
  #files: ScannedFile[] = []
  #batchText = 0
  #batchBegan = performance.now()

  constructor(task: ScanTask, known: Map<string, KnownFile>, host: ScanHost) {
    this.#task = task
    this.#known = known
    this.#host = host
  }

  async run(): Promise<ScanOutcome> {
    const { root, include, exclude, maxFileSize } = this.#task
    const { isStopped } = this.#host
    const options = { include, exclude, maxFileSize, isStopped }
    for (const entry of walkFolder(root, options)) if (entry.kind === 'file') this.#counts.total++
    for (const entry of walkFolder(root, options)) {
      if (isStopped()) break
      if (entry.kind === 'file') await this.#look(entry)
      else {
        if (entry.path === '') this.#unreadableFolders.push('')
        else if (entry.isFolder && entry.reason === 'unreadable') this.#unreadableFolders.push(`${entry.path}/`)
        this.#skip(entry.path, entry.reason)
      }
      await this.#handFullBatch()
    }
    if (this.#files.length > 0 && !isStopped()) await this.#handBatch()
    return {
      counts: this.#snapshot(),
      gone: isStopped() ? [] : this.#gone(),
      skipped: this.#skipped,
      skippedByReason: this.#skippedByReason,
      withoutSyntax: this.#withoutSyntax,
      isStopped: isStopped(),
    }
  }

  async #look(found: FoundFile): Promise<void> {
    const { path, stamp, size, changedAt } = found
    this.#counts.seen++
    const known = this.#known.get(path)
    const isCurrent = known?.version === CHUNKER_VERSION
    if (isCurrent && known.stamp === stamp && changedAt < known.readAt - RACY_MS) {
      this.#known.delete(path)
      this.#counts.unchanged++
      return
    }
    const readAt = Date.now()
    const source = readSource(this.#task.root, path, this.#task.maxFileSize)
    if (typeof source === 'string') {
      this.#skip(path, source)
      return
    }
    const { text, hash } = source
    this.#counts.bytes += size
    const file = { path, size, stamp, hash, readAt, chunksBefore: known?.chunks ?? 0 }
    if (isCurrent && known.hash === hash) {
      this.#counts.unchanged++
      this.#known.delete(path)
      this.#files.push({ ...file, language: '', chunks: undefined })
      return
    }
    const limits = { timeout: this.#task.parseTimeout, isStopped: this.#host.isStopped }
    const { language, chunks, failure } = await chunkSource(path, text, this.#syntax, limits)
    // What was stopped in the middle is not what the file holds.
    if (this.#host.isStopped()) return
    this.#known.delete(path)
    this.#batchText += text.length
    this.#files.push({ ...file, language, chunks, ...(failure === undefined ? {} : { failure }) })
    if (failure !== undefined && this.#withoutSyntax.length < MAX_NAMED) this.#withoutSyntax.push({ path, failure })
  }

  #skip(path: string, reason: SkipReason): void {
    this.#skippedByReason[reason] = (this.#skippedByReason[reason] ?? 0) + 1
    if (this.#skipped.length < MAX_NAMED) this.#skipped.push({ path, reason })
  }

  async #handFullBatch(): Promise<void> {
    const isOld = performance.now() - this.#batchBegan > BATCH_MS
    if (isOld || this.#batchText > BATCH_TEXT || this.#files.length >= BATCH_FILES) await this.#handBatch()
  }

  async #handBatch(): Promise<void> {
    const files = this.#files
    this.#files = []
    this.#batchText = 0
    await this.#host.hand({ files, counts: this.#snapshot() })
    await this.#host.pause()
    this.#batchBegan = performance.now()
  }

  /** Nobody knows what is in a folder that cannot be read now, or in one that is gone as a whole. */
  #gone(): ScanOutcome['gone'] {
    return [...this.#known.values()]
      .filter(({ path }) => !this.#unreadableFolders.some((folder) => path.startsWith(folder)))
      .map(({ path, chunks }) => ({ path, chunks }))
  }

  #snapshot(): ScanCounts {
    return { ...this.#counts }
  }
}
