/**
 * The one hand that writes the index, and the one that gives out work: looks to the scout, files to the parsers.
 *
 * 1. All that one event changes is one transaction, with the places in the queue that it frees: after a `kill -9` the queue says
 *    exactly what is still to be done.
 * 2. Every transaction that changes what can be found raises the generation.
 * 3. A build begins with the first item and ends when nothing is left.
 */
import { posix } from 'node:path'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { FileOrder, IndexThreadStart, ParsedBatch, ScoutNews, ScoutOrder } from '../messages.ts'
import { Builds } from './builds.ts'
import { Crew, type CrewNeed } from './crew.ts'
import { Helper } from './helpers.ts'
import { Judgements } from './judgements.ts'
import type { EnqueuedItem, IndexState, WriterOperations } from './operations.ts'
import { HIGH, isAlone, NORMAL, Queue, type QueueItem } from './queue.ts'
import { Roots } from './roots.ts'
import { BatchStore } from './store-batch.ts'
import { Watches } from './watches.ts'

const MAX_SCANS = 3
const MAX_LOOKS = 200
/** Folders at once, from which on a look at everything is less work. */
const MAX_STIRRED = 500
const NEWS_MS = 100
/** Batches that are stored at once: an edit waits for no more than that. */
const MAX_STORED = 2

interface Job {
  readonly items: readonly QueueItem[]
  readonly root: number
  readonly isScan: boolean
  /** From the root. */
  readonly folder: string
  readonly begunAt: number
}

export class IndexWriter {
  readonly operations: WriterOperations
  readonly #database: TablesDatabase
  readonly #queue: Queue
  readonly #builds: Builds
  readonly #roots: Roots
  readonly #batches: BatchStore
  readonly #crew: Crew
  readonly #judgements: Judgements
  readonly #watches: Watches
  readonly #start: IndexThreadStart
  readonly #program: URL
  readonly #tell: (state: IndexState) => void
  readonly #jobs = new Map<number, Job>()
  #scout: Helper<ScoutOrder, ScoutNews> | undefined
  #lastJob = 0
  #generation: number
  /** Read, and not stored yet: the urgent first. */
  readonly #parsed: ParsedBatch[] = []
  #isScheduled = false
  #isCancelled = false
  #newsTimer: NodeJS.Timeout | undefined

  constructor(database: TablesDatabase, start: IndexThreadStart, program: URL, tell: (state: IndexState) => void) {
    this.#database = database
    this.#start = start
    this.#program = program
    this.#tell = tell
    this.#queue = new Queue(database)
    this.#queue.reclaim()
    this.#builds = new Builds(database)
    this.#roots = new Roots(database)
    this.#batches = new BatchStore(database)
    this.#generation = Number(
      database.handle.prepare("SELECT value FROM kept_state WHERE key = 'generation'").get()?.value,
    )
    this.#watches = new Watches({
      tellScout: (order) => this.#toScout(order),
      rootOf: (id) => this.#roots.get(id),
      rescan: (ids) => this.#rescan(ids, false),
      onChange: () => this.#announce(),
    })
    this.#judgements = new Judgements(database, start, program)
    this.#crew = new Crew({
      start,
      program,
      onParsed: (batch) => this.#onParsed(batch),
      onLost: (files, why) => this.#onLost(files, why),
    })
    this.operations = {
      addRoots: (wanted) =>
        database.transaction(() => wanted.map(({ path, kind, exclude }) => this.#roots.add(path, kind, exclude))),
      enqueue: (items) => this.#enqueue(items),
      rescan: (ids, isFresh) => void this.#rescan(ids, isFresh),
      watch: (ids) => void this.#watches.set(ids),
      cancel: (root) => this.#cancel(root),
      judge: (playset) => this.#judgements.judge(playset),
      state: () => this.#state(),
      end: () => undefined,
    }
    // A build that was cut off goes on.
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#watches.close()
    clearTimeout(this.#newsTimer)
    await Promise.all([this.#crew.close(), this.#judgements.close(), this.#scout?.end()])
  }

  #state(): IndexState {
    const { counts } = this.#queue
    return {
      generation: this.#generation,
      queue: { ...counts },
      build: this.#builds.latest,
      watches: this.#watches.states,
    }
  }

  #enqueue(items: readonly EnqueuedItem[]): ReturnType<WriterOperations['enqueue']> {
    const outside: string[] = []
    let enqueued = 0
    this.#change(() => {
      for (const { kind, path, isUrgent } of items) {
        const root = this.#roots.around(path)
        if (root === undefined) outside.push(path)
        else {
          const within = path.slice(root.path.length + 1).replaceAll('\\', '/')
          const task = kind === 'scan' ? 'scan' : 'look'
          if (this.#queue.add(root.id, within, task, isUrgent ? HIGH : NORMAL)) enqueued++
        }
      }
    })
    return { enqueued, deduped: items.length - enqueued - outside.length, outside }
  }

  #rescan(ids: readonly number[], isFresh: boolean): void {
    this.#change(() => {
      for (const id of ids) {
        if (isFresh) this.#database.execute("UPDATE kept_files SET stamp = '' WHERE root = ?", id)
        this.#queue.add(id, '', 'scan', NORMAL)
      }
    })
  }

  #cancel(root: number | undefined): number {
    const cancelled = this.#database.transaction(() => this.#queue.clear(root))
    if (cancelled > 0) this.#isCancelled = true
    this.#schedule()
    return cancelled
  }

  /** Something new to do: a transaction, and then it is done. */
  #change(work: () => void): void {
    this.#database.transaction(() => {
      work()
      if (!this.#queue.isEmpty) this.#builds.begin()
    })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#storeParsed()
      this.#advance()
    })
  }

  #advance(): void {
    if (this.#queue.isEmpty) {
      this.#endBuild()
      return
    }
    const jobs: Job[] = []
    this.#database.transaction(() => {
      this.#builds.begin()
      jobs.push(...this.#leaseLooks(), ...this.#leaseScans())
    })
    for (const job of jobs) this.#startJob(job)
    while (this.#queue.counts.pending > 0) {
      const next = this.#queue.nextFile()
      if (next === undefined) break
      const need = { isUrgent: next.priority === HIGH, isAlone: isAlone(next) }
      if (!this.#crew.hasRoom(need)) break
      this.#giveFiles(need)
    }
    this.#announce()
  }

  #giveFiles(need: CrewNeed): void {
    const items = this.#database.transaction(() => this.#queue.leaseFiles())
    const files = items.flatMap(({ id, root, path }) => {
      const place = this.#roots.get(root)
      return place === undefined ? [] : [{ item: id, root: place, path }]
    })
    this.#crew.give(files, need)
  }

  #endBuild(): void {
    if (this.#builds.latest?.state === 'running') {
      this.#database.transaction(() => this.#builds.end(this.#generation, this.#isCancelled))
    }
    this.#isCancelled = false
    this.#announce()
  }

  #leaseLooks(): Job[] {
    const byFolder = new Map<string, QueueItem[]>()
    for (const item of this.#queue.leaseLooks(MAX_LOOKS)) {
      const key = `${item.root} ${posix.dirname(`/${item.path}`)}${item.path.endsWith('/') ? ` ${item.path}` : ''}`
      byFolder.set(key, [...(byFolder.get(key) ?? []), item])
    }
    return [...byFolder.values()].flatMap((items) => {
      const [first] = items
      if (first === undefined) return []
      const folder = first.path.endsWith('/') ? first.path.slice(0, -1) : posix.dirname(`/${first.path}`).slice(1)
      return [{ items, root: first.root, isScan: false, folder, begunAt: Date.now() }]
    })
  }

  #leaseScans(): Job[] {
    const jobs: Job[] = []
    const running = [...this.#jobs.values()].filter(({ isScan }) => isScan).length
    for (let place = running; place < MAX_SCANS; place++) {
      const item = this.#queue.leaseScan()
      if (item === undefined) break
      jobs.push({ items: [item], root: item.root, isScan: true, folder: item.path, begunAt: Date.now() })
    }
    return jobs
  }

  #startJob(job: Job): void {
    const root = this.#roots.get(job.root)
    if (root === undefined) return
    const id = ++this.#lastJob
    this.#jobs.set(id, job)
    const { maxFileSize, maxFiles } = this.#start.limits
    const named = job.items.map(({ path }) => path).filter((path) => !path.endsWith('/') && !job.isScan)
    this.#toScout({
      ...{
        type: 'look',
        job: id,
        root,
        folder: job.folder,
        depth: job.isScan ? 'tree' : 'files',
        maxFileSize,
        maxFiles,
      },
      ...(job.isScan || named.length === 0 ? {} : { names: named.map((path) => posix.basename(path)) }),
    })
  }

  #toScout(order: ScoutOrder): void {
    this.#scout ??= new Helper<ScoutOrder, ScoutNews>({ ...this.#start, role: 'scout' }, this.#program, {
      onNews: (news) => this.#onScoutNews(news),
      onGone: (why) => this.#onScoutGone(why),
    })
    this.#scout.tell(order)
  }

  #onScoutNews(news: ScoutNews): void {
    if (news.type === 'watch') this.#watches.note(news)
    else if (news.type === 'stirred') this.#onStirred(news)
    else {
      const job = this.#jobs.get(news.job)
      if (job === undefined) return
      const priority = Math.max(...job.items.map((item) => item.priority))
      if (news.type === 'changed') {
        this.#change(() => {
          const files = news.files.filter((file) => !this.#batches.hasRead(job.root, file, job.begunAt))
          this.#queue.addFiles(job.root, files, priority)
        })
      } else {
        this.#jobs.delete(news.job)
        if (news.type === 'look_failed') this.#failItems(job.items, news.reason)
        else this.#change(() => this.#finishLook(job, news))
      }
    }
  }

  #finishLook(job: Job, { gone, skipped, isCut }: Extract<ScoutNews, { type: 'looked' }>): void {
    for (const path of gone) {
      this.#batches.removeFile(job.root, path)
      this.#queue.removeFile(job.root, path)
    }
    for (const { id } of job.items) this.#queue.finish(id)
    if (job.isScan && job.folder === '') this.#roots.noteScan(job.root, isCut ? 'partial' : 'complete', skipped)
    if (gone.length > 0) this.#raise([job.root])
    this.#builds.note({ files: 0, bytes: 0, errors: 0 })
  }

  #onStirred({ root, folders, trees }: Extract<ScoutNews, { type: 'stirred' }>): void {
    this.#change(() => {
      if (folders.length + trees.length > MAX_STIRRED) this.#queue.add(root, '', 'scan', HIGH)
      else {
        for (const folder of folders) this.#queue.add(root, `${folder}/`, 'look', HIGH)
        for (const tree of trees) this.#queue.add(root, tree, 'scan', HIGH)
      }
    })
  }

  #onScoutGone(why: string): void {
    this.#scout = undefined
    const items = [...this.#jobs.values()].flatMap((job) => job.items)
    this.#jobs.clear()
    this.#failItems(items, why)
    this.#watches.restart()
  }

  /** What has come together is stored together: the fewer transactions, the fewer times a page of the index is written. */
  #onParsed(batch: ParsedBatch): void {
    if (batch.isUrgent) this.#parsed.unshift(batch)
    else this.#parsed.push(batch)
    this.#schedule()
  }

  #storeParsed(): void {
    if (this.#parsed.length === 0) return
    const batches = this.#parsed.splice(0, MAX_STORED)
    let errors = 0
    let bytes = 0
    try {
      this.#database.transaction(() => {
        for (const batch of batches) {
          const missing = new Set(this.#batches.store(batch).map(({ order }) => order.item))
          for (const file of batch.files) {
            if (file.kind === 'failed') errors += this.#queue.fail(file.order.item, file.reason) ? 1 : 0
            else if (missing.has(file.order.item)) this.#queue.fail(file.order.item, 'Its content went away meanwhile')
            else this.#queue.finish(file.order.item)
            if (file.kind === 'read') bytes += file.bytes
          }
        }
        const files = batches.flatMap((batch) => batch.files)
        this.#raise(files.map(({ order }) => order.root.id))
        this.#builds.note({ files: files.length, bytes, errors })
      })
    } catch (error) {
      // Such as a full disk: what could not be stored is tried again, and in the end told as failed.
      this.#batches.forget()
      this.#queue.recount()
      const items = batches.flatMap(({ files }) => files.map(({ order }) => ({ id: order.item })))
      this.#failItems(items, error instanceof Error ? error.message : String(error))
    }
    this.#schedule()
  }

  #onLost(files: readonly FileOrder[], why: string): void {
    this.#failItems(
      files.map(({ item }) => ({ id: item })),
      why,
    )
  }

  #failItems(items: readonly { readonly id: number }[], why: string): void {
    this.#database.transaction(() => {
      let errors = 0
      for (const { id } of items) errors += this.#queue.fail(id, why) ? 1 : 0
      this.#builds.note({ files: 0, bytes: 0, errors })
    })
    this.#schedule()
  }

  /** In a transaction. */
  #raise(roots: readonly number[]): void {
    this.#generation++
    for (const root of new Set(roots)) {
      this.#database.execute('UPDATE kept_roots SET generation = ? WHERE id = ?', this.#generation, root)
    }
    this.#database.execute("UPDATE kept_state SET value = ? WHERE key = 'generation'", this.#generation)
  }

  /** At once when it is idle, which somebody may be waiting for. */
  #announce(): void {
    if (this.#queue.isEmpty && this.#builds.latest?.state !== 'running') {
      clearTimeout(this.#newsTimer)
      this.#newsTimer = undefined
      this.#tell(this.#state())
      return
    }
    this.#newsTimer ??= setTimeout(() => {
      this.#newsTimer = undefined
      this.#tell(this.#state())
    }, NEWS_MS)
  }
}
