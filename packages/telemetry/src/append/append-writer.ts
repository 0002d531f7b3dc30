/**
 * Appends lines to one file from memory: the one writer below logs and audit trail.
 *
 * Invariants
 * 1. `append` and `appendLater` never throw, never wait, never touch the disk.
 * 2. Lines are written in the order in which they came, each whole, each once: to the file, or else to stderr.
 * 3. No more than `maxPendingBytes` wait in memory; what is dropped is counted, and the count is written in its place.
 * 4. A file holds lines of one UTC day and at most `maxBytes` (a single longer line excepted, and what an exit flushes).
 *    Files that were moved aside take at most `keepBytes` together, whatever comes.
 * 5. A failure is never final: opening is tried again `retryMs` of the clock later, at the next line.
 * 6. What was appended before the process's `exit` event is written before the process is gone.
 */
import { type Clock, errorMessage, systemClock } from '@switchboard/base'
import { toDay } from '../days.ts'
import { AppendFile, WriteFailure } from './append-file.ts'
import { registerForExit, unregisterForExit } from './exit-flush.ts'
import { type TextSink, writeToFallback } from './fallback-stream.ts'
import { LineQueue, type QueuedLine, toLine } from './line-queue.ts'
import { type FileNameParts, purgeOldFiles } from './rotated-file.ts'

const MAX_FILE_BYTES = 20 * 1024 * 1024
const KEEP_BYTES = 60 * 1024 * 1024
const MAX_PENDING_BYTES = 8 * 1024 * 1024
/** One write. Large, because a busy event loop grants few of them. */
const CHUNK_BYTES = 1024 * 1024
const RETRY_MS = 5_000
/**
 * The least between two writes. The first line after a pause is written at once; of many a second, those of a moment
 * share one write, which costs a busy process more than all the rest of a line does.
 */
const GATHER_MS = 50
/** So much is not gathered any longer. */
const GATHER_BYTES = 256 * 1024

/** What a line is described from may be large, and is held until then. */
const MAX_UNDESCRIBED = 128

export type AppendNotice =
  /** `count` lines did not fit into memory. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** `files` with older lines were deleted, though they are young: together they took too much. */
  | { readonly kind: 'purged'; readonly files: number; readonly bytes: number; readonly keepBytes: number }
  /** The file cannot be written; this notice goes to stderr. */
  | { readonly kind: 'failed'; readonly path: string; readonly reason: string }
  /** It can again; `count` lines went to stderr meanwhile, `lost` of them in vain. */
  | { readonly kind: 'recovered'; readonly count: number; readonly lost: number; readonly reason: string }

export interface AppendWriterOptions {
  /** Made (0700) when missing. */
  readonly directory: string
  /** A plain name with an extension: `daemon.log`. */
  readonly file: string
  /** Default: the machine's. */
  readonly clock?: Clock
  /** A file is moved aside before it would grow over this. Default 20 MB. */
  readonly maxBytes?: number
  /** Full days kept besides today. Default 7. */
  readonly keepDays?: number
  /** The most that files which were moved aside take together; then the oldest goes. Default 60 MB. */
  readonly keepBytes?: number
  /** The most that waits in memory. Default 8 MB. */
  readonly maxPendingBytes?: number
  /** Pause of the clock between attempts to open. Default 5 s. */
  readonly retryMs?: number
  /** Where lines go that the file does not take. Default `process.stderr`. */
  readonly stderr?: TextSink
}

export interface AppendWriterHooks {
  /** Turns a notice into a line of the owner's schema. */
  readonly describe: (notice: AppendNotice) => string
  /** Which other files in the folder are of the same family and may be deleted when they are too old. */
  readonly isSibling: (parts: FileNameParts) => boolean
}

interface Outage {
  readonly reason: string
  failedAt: number
  count: number
  lost: number
}

export class AppendWriter {
  readonly #file: AppendFile
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #keepDays: number
  readonly #keepBytes: number
  readonly #retryMs: number
  readonly #stderr: TextSink | undefined
  readonly #hooks: AppendWriterHooks
  readonly #queue: LineQueue
  #undescribed: { readonly describe: () => string; readonly time: number }[] = []
  #draining: Promise<void> | undefined
  #drainedAt = Number.NEGATIVE_INFINITY
  /** Ends the gathering of lines early. */
  #hurry: (() => void) | undefined
  #waiters: { readonly target: number; readonly resolve: () => void }[] = []
  #inFlight: readonly QueuedLine[] = []
  #appended = 0
  #settled = 0
  #outage: Outage | undefined
  #rotationFailedAt: number | undefined
  #isPurgeDue = true
  #closing: Promise<void> | undefined

  constructor(options: AppendWriterOptions, hooks: AppendWriterHooks) {
    this.#file = new AppendFile(options.directory, options.file)
    this.#clock = options.clock ?? systemClock
    this.#maxBytes = options.maxBytes ?? MAX_FILE_BYTES
    this.#keepDays = options.keepDays ?? 7
    this.#keepBytes = options.keepBytes ?? KEEP_BYTES
    this.#retryMs = options.retryMs ?? RETRY_MS
    this.#stderr = options.stderr
    this.#hooks = hooks
    this.#queue = new LineQueue(options.maxPendingBytes ?? MAX_PENDING_BYTES, (count) =>
      hooks.describe({ kind: 'dropped', count }),
    )
    registerForExit(this)
  }

  /** One line without its newline, and the time it is of. After `close` it is ignored. */
  append(text: string, time: number): void {
    if (this.#closing) return
    if (this.#undescribed.length > 0) this.#describeAll()
    this.#add(text, time)
  }

  /**
   * A line whose text takes some work, which is done for many at once when they are written: not while somebody waits
   * for an answer. A line that cannot be described (`describe` throws) is left out.
   */
  appendLater(describe: () => string, time: number): void {
    if (this.#closing) return
    if (this.#undescribed.push({ describe, time }) >= MAX_UNDESCRIBED) this.#describeAll()
    else this.#startDraining()
  }

  /** Resolves when everything appended before this call has been written, or given to stderr. Never rejects. */
  flush(): Promise<void> {
    this.#describeAll()
    if (!this.#draining) return Promise.resolve()
    const target = this.#appended
    const flushed = new Promise<void>((resolve) => this.#waiters.push({ target, resolve }))
    this.#hurry?.()
    return flushed
  }

  close(): Promise<void> {
    this.#closing ??= this.flush()
      .then(() => this.#draining)
      .then(() => this.#file.close())
      .finally(() => unregisterForExit(this))
    return this.#closing
  }

  flushSync(): void {
    this.#describeAll()
    const lines = this.#queue.takeAll(toDay(this.#clock.wallTime()))
    try {
      this.#file.writeSync(Buffer.from(joinLines(lines)))
    } catch (error) {
      if (!this.#outage) this.#fail(error, this.#clock.wallTime())
      this.#giveToFallback([...this.#inFlight, ...lines])
    }
  }

  #add(text: string, time: number): void {
    this.#queue.push(text, time, ++this.#appended)
    this.#startDraining()
    if (this.#queue.bytes > GATHER_BYTES) this.#hurry?.()
  }

  #describeAll(): void {
    const all = this.#undescribed
    if (all.length === 0) return
    this.#undescribed = []
    for (const { describe, time } of all) {
      let text: string
      try {
        text = describe()
      } catch {
        continue
      }
      this.#add(text, time)
    }
  }

  #startDraining(): void {
    if (this.#draining) return
    this.#draining = this.#gather()
      .then(() => this.#drain())
      .catch((error: unknown) => this.#abandon(error))
      .finally(() => {
        this.#draining = undefined
        this.#drainedAt = performance.now()
        // A line may have come between the last look at the queue and here.
        if (this.#undescribed.length > 0 || this.#queue.peek(toDay(this.#clock.wallTime()))) this.#startDraining()
        else this.#settle(this.#appended)
      })
  }

  #gather(): Promise<void> {
    const wait = this.#drainedAt + GATHER_MS - performance.now()
    return new Promise((resolve) => {
      if (wait <= 0 || this.#waiters.length > 0 || this.#queue.bytes > GATHER_BYTES) {
        setImmediate(resolve)
        return
      }
      // Not worth keeping a process alive for: at its exit what waits is written all the same.
      const timer = setTimeout(resolve, wait).unref()
      this.#hurry = () => {
        this.#hurry = undefined
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #drain(): Promise<void> {
    this.#hurry = undefined
    for (;;) {
      this.#describeAll()
      const now = this.#clock.wallTime()
      const next = this.#queue.peek(toDay(now))
      if (!next) return
      if (await this.#prepare(now)) await this.#writeChunk(next, now)
      else this.#giveToFallback(this.#queue.takeAll(toDay(now)))
      if (this.#isPurgeDue && !this.#outage) await this.#purge(toDay(now))
    }
  }

  async #prepare(now: number): Promise<boolean> {
    const outage = this.#outage
    // A clock that was set back must not stretch the pause.
    if (outage && now >= outage.failedAt && now < outage.failedAt + this.#retryMs) return false
    try {
      await this.#file.prepare()
      return true
    } catch (error) {
      this.#fail(error, now)
      return false
    }
  }

  async #writeChunk(next: QueuedLine, now: number): Promise<void> {
    await this.#rotateIfDue(next, now)
    const room = Math.max(this.#maxBytes - this.#file.size, 0)
    const lines = this.#queue.take(Math.min(room, CHUNK_BYTES))
    const outage = this.#outage
    const { reason = '', count = 0, lost = 0 } = outage ?? {}
    const notices = outage ? [toLine(this.#hooks.describe({ kind: 'recovered', count, lost, reason }), next.day)] : []
    const written = [...notices, ...lines]
    this.#inFlight = lines
    try {
      await this.#file.write(Buffer.from(joinLines(written)), next.day)
      this.#outage = undefined
      this.#queue.settle(lines)
    } catch (error) {
      this.#fail(error, now)
      const kept = error instanceof WriteFailure ? error.keptBytes : 0
      const rest = linesAfter(written, kept)
      this.#queue.settle(lines.slice(0, lines.length - Math.min(rest.length, lines.length)))
      this.#giveToFallback(rest.slice(-lines.length))
    } finally {
      this.#inFlight = []
    }
    this.#settle(lines.at(-1)?.sequence ?? 0)
  }

  async #rotateIfDue(next: QueuedLine, now: number): Promise<void> {
    const { day, size } = this.#file
    if (day === undefined) return
    const isNewDay = day !== next.day
    if (!isNewDay && size + next.bytes <= this.#maxBytes) return
    const failedAt = this.#rotationFailedAt
    if (failedAt !== undefined && now >= failedAt && now < failedAt + this.#retryMs) return
    try {
      await this.#file.rotate()
      this.#rotationFailedAt = undefined
      this.#isPurgeDue = true
    } catch {
      // A file that cannot be moved (held by a reader on Windows) is written on: too long beats lost.
      this.#rotationFailedAt = now
    }
  }

  async #purge(today: number): Promise<void> {
    this.#isPurgeDue = false
    const { directory, name: current } = this.#file
    const { isSibling, describe } = this.#hooks
    const keepBytes = this.#keepBytes
    const purged = await purgeOldFiles({
      directory,
      current,
      today,
      keepDays: this.#keepDays,
      keepBytes,
      isSibling,
    }).catch(() => undefined)
    if (purged === undefined || purged.files === 0) return
    this.#add(describe({ kind: 'purged', ...purged, keepBytes }), this.#clock.wallTime())
  }

  #fail(error: unknown, now: number): void {
    const reason = errorMessage(error)
    if (this.#outage) {
      this.#outage.failedAt = now
      return
    }
    this.#outage = { reason, failedAt: now, count: 0, lost: 0 }
    writeToFallback(this.#stderr, `${this.#hooks.describe({ kind: 'failed', path: this.#file.path, reason })}\n`)
  }

  #giveToFallback(lines: readonly QueuedLine[]): void {
    this.#queue.settle(lines)
    if (lines.length === 0) return
    const isTaken = writeToFallback(this.#stderr, joinLines(lines))
    if (!this.#outage) return
    this.#outage.count += lines.length
    if (!isTaken) this.#outage.lost += lines.length
  }

  /** Something of ours is broken. The lines still get out, and the next one tries again. */
  #abandon(error: unknown): void {
    const now = this.#clock.wallTime()
    this.#fail(error, now)
    this.#giveToFallback(this.#queue.takeAll(toDay(now)))
  }

  #settle(count: number): void {
    this.#settled = Math.max(this.#settled, count)
    const due = this.#waiters.filter((waiter) => waiter.target <= this.#settled)
    if (due.length === 0) return
    this.#waiters = this.#waiters.filter((waiter) => waiter.target > this.#settled)
    for (const waiter of due) waiter.resolve()
  }
}

function joinLines(lines: readonly QueuedLine[]): string {
  let text = ''
  for (const line of lines) text += line.text
  return text
}

/** The lines that are not wholly within the first `bytes`. */
function linesAfter(lines: readonly QueuedLine[], bytes: number): readonly QueuedLine[] {
  let end = 0
  const index = lines.findIndex((line) => {
    end += line.bytes
    return end > bytes
  })
  return index === -1 ? [] : lines.slice(index)
}
