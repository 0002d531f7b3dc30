/**
 * The index as the pack sees it. Nothing of it runs on the event loop: one thread writes, with a scout and parsers of its own, a few
 * read, and a process runs the queries of agents.
 *
 * 1. Nothing is started before somebody asks, or before a build that was cut off is there to go on.
 * 2. Where another process keeps the index, this one reads it all the same.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Disposable, ensurePrivateFolder, findProgram, Listeners } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { ReaderPool, StoreThread } from '@switchboard/store/tables'
import type { Logger } from '@switchboard/telemetry'
import { QueryRunner } from './query/query-runner.ts'
import { type IndexLimits, type IndexThreadStart, YOUNG_MB } from './thread/messages.ts'
import type { IndexReads } from './thread/reader/reads.ts'
import type { IndexState, WriterOperations } from './thread/writer/operations.ts'

const PROGRAM = findProgram(import.meta.url, { bundled: 'lens-thread', source: './thread/main' })
const READERS = 2
const REST_MS = 30_000
/** Milliseconds after which a writer ends that has nothing to do and watches nothing. */
const WRITER_REST_MS = 60_000
const WRITES: ReadonlySet<string> = new Set<keyof WriterOperations>(['addRoots', 'enqueue', 'rescan', 'cancel'])

export interface LensIndexOptions {
  /** Of the pack. */
  readonly folder: string
  readonly limits: IndexLimits
  readonly log: Logger
}

export class LensIndex {
  readonly file: string
  readonly queries = new QueryRunner()
  readonly #options: LensIndexOptions
  #readers: ReaderPool<IndexReads>
  readonly #changed = new Listeners<[IndexState]>()
  /** Grows when the file was made anew: what was known of it is known no more. */
  life = 0
  #writer: StoreThread<WriterOperations> | undefined
  #state: IndexState | undefined
  #isClosed = false
  #restTimer: NodeJS.Timeout | undefined
  #ending: Promise<void> = Promise.resolve()

  constructor(options: LensIndexOptions) {
    this.#options = options
    this.file = join(options.folder, 'index.db')
    this.#readers = this.#createReaders()
  }

  /** Whether anything was ever indexed. */
  get exists(): boolean {
    return existsSync(this.file)
  }

  /** As the writer told it last; undefined: it was not started, or another process writes. */
  get state(): IndexState | undefined {
    return this.#state
  }

  get isIdle(): boolean {
    return this.#state === undefined || isIdle(this.#state)
  }

  onDidChange(listener: (state: IndexState) => void): Disposable {
    return this.#changed.add(listener)
  }

  /** Rejects with `store_busy` where another process keeps the index. */
  async write<N extends Exclude<keyof WriterOperations, 'end'>>(
    name: N,
    input: Parameters<WriterOperations[N]>,
  ): Promise<Awaited<ReturnType<WriterOperations[N]>>> {
    const writer = await this.#liveWriter()
    // What `WriterOperations` says of it; the general type of the thread says the same in other words.
    const result = (await writer.request(name, input as never)) as Awaited<ReturnType<WriterOperations[N]>>
    // What was asked for may have changed what there is to do: whoever waits for idle must not find the state of before.
    if (name !== 'state') this.#note((await writer.request('state', [])) as IndexState)
    return result
  }

  /** As it is now. Undefined: nothing was ever built, or another process writes. */
  async refresh(): Promise<IndexState | undefined> {
    if (!this.exists) return undefined
    const state = await this.write('state', []).catch(() => undefined)
    if (state !== undefined) this.#note(state)
    return state
  }

  async read<N extends keyof IndexReads>(
    name: N,
    input: Parameters<IndexReads[N]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<IndexReads[N]>> {
    // Who only reads cannot make the file.
    if (!this.exists) await this.write('state', [])
    const read = async () =>
      (await this.#readers.read('lens', name, input as never, { signal })) as ReturnType<IndexReads[N]>
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof SwitchboardError && error.code === 'store_damaged')) throw error
      await this.#mend()
      return await read()
    }
  }

  /** Whoever writes makes a damaged file anew as it opens it, and nobody may go on to read from the old one. */
  async #mend(): Promise<void> {
    this.#options.log.warn('lens.damaged', `${this.file} is damaged; it is made anew`)
    await Promise.all([this.#readers.end(), this.#writer?.end()])
    this.#writer = undefined
    this.life++
    this.#readers = this.#createReaders()
    await this.write('state', [])
  }

  #createReaders(): ReaderPool<IndexReads> {
    return new ReaderPool({ size: READERS, rest: REST_MS, start: () => this.#startThread('reader') })
  }

  /** Whether nothing is left to do; false: the time is over. */
  async waitForIdle(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (this.isIdle) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    const onAbort = (): void => resolve(false)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    const subscription = this.onDidChange((state) => {
      if (isIdle(state)) resolve(true)
    })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      subscription.dispose()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restTimer)
    await Promise.all([this.queries.close(), this.#readers.end(), this.#writer?.end(), this.#ending])
  }

  async #liveWriter(): Promise<StoreThread<WriterOperations>> {
    if (this.#isClosed) throw new SwitchboardError('shutting_down', 'The index is closed')
    const isAlive = (): boolean => this.#writer?.isAlive === true
    if (!isAlive()) {
      // Its lock is free once it is gone.
      await this.#ending
      await ensurePrivateFolder(this.#options.folder)
    }
    // Another may have come first, while the folder was made.
    if (this.#writer !== undefined && isAlive()) return this.#writer
    const writer: StoreThread<WriterOperations> = this.#startThread('writer')
    this.#writer = writer
    // One that another process keeps is asked for again the next time.
    writer.request('state', []).then(
      (state) => this.#note(state),
      () => {
        if (this.#writer === writer) this.#writer = undefined
        void writer.end()
      },
    )
    return writer
  }

  #startThread<O extends object>(role: 'writer' | 'reader'): StoreThread<O> {
    const start: IndexThreadStart = { role, file: this.file, limits: this.#options.limits }
    return new StoreThread<O>({
      ...{ program: PROGRAM, name: `lens ${role}`, place: this.file, start, writes: WRITES, youngMB: YOUNG_MB },
      // Only a writer tells of itself, and only this.
      onNews: (news) => this.#note(news as IndexState),
    })
  }

  #note(state: IndexState): void {
    this.#state = state
    clearTimeout(this.#restTimer)
    if (!this.#isClosed && isIdle(state) && Object.keys(state.watches).length === 0) {
      this.#restTimer = setTimeout(() => this.#restWriter(), WRITER_REST_MS).unref()
    }
    this.#changed.notify(state)
  }

  #restWriter(): void {
    const writer = this.#writer
    if (writer === undefined || writer.waiting > 0) return
    this.#writer = undefined
    this.#ending = writer.end()
  }
}

const isIdle = ({ queue, build }: IndexState): boolean =>
  queue.pending + queue.running === 0 && build?.state !== 'running'
