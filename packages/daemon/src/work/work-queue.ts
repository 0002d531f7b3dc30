/**
 * Work that goes on while others are served: files to look at, in the order of their priority, by whichever worker is
 * registered. Nothing runs inside of a handler; whoever wants to know when it is done waits for it.
 *
 * Invariants
 * 1. A path waits at most once; what changes while it is being worked on is worked on again.
 * 2. An item that fails is counted and named; it never stops the queue.
 * 3. The queue is bounded: whoever enqueues too much is refused as a whole, and told so.
 * 4. `never_ran`, `idle` and `failed` are three different things.
 */
import { randomUUID } from 'node:crypto'
import { type Disposable, errorMessage, Listeners } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Logger, silentLogger } from '@switchboard/telemetry'

export type WorkPriority = 'normal' | 'high'

export interface WorkItem {
  /** scan: everything below the path; the worker enqueues what it finds. */
  readonly kind: 'file' | 'scan'
  readonly path: string
  readonly priority: WorkPriority
  readonly reason?: string
  readonly traceId?: string
}

export interface Worker {
  /** Must heed the signal; what it throws is the item's failure. */
  run(item: WorkItem, options: { readonly signal: AbortSignal }): Promise<void>
}

export interface QueueCounts {
  readonly pending: number
  readonly running: number
  /** Items whose last try failed. */
  readonly failed: number
}

/** Of the run that goes on, or of the last one. A run begins with the first item and ends when nothing is left. */
export interface RecentActivity {
  /** failed: the last run is over, and some of its items failed. */
  readonly state: 'never_ran' | 'running' | 'idle' | 'failed'
  readonly run_id: string | null
  readonly started_at: string | null
  readonly items: number
  readonly errors: number
  readonly first_item_at: string | null
  readonly last_item_at: string | null
  readonly idle_since: string | null
}

export interface IdleAnswer {
  readonly idle: boolean
  /** It was not idle when the time was over. */
  readonly timed_out: boolean
  readonly queue: QueueCounts
  readonly recent_activity: RecentActivity
}

export interface WorkQueueOptions {
  readonly log?: Logger
  /** Default: 200 000. */
  readonly maxPending?: number
  /** How many items at once. Default: 1. */
  readonly parallelism?: number
  readonly now?: () => number
}

const MAX_PENDING = 200_000
/** So many failed paths are remembered. */
const MAX_FAILED = 10_000

const NEVER_RAN: RecentActivity = Object.freeze({
  state: 'never_ran',
  run_id: null,
  started_at: null,
  items: 0,
  errors: 0,
  first_item_at: null,
  last_item_at: null,
  idle_since: null,
})

export class WorkQueue {
  readonly #log: Logger
  readonly #maxPending: number
  readonly #parallelism: number
  readonly #now: () => number
  readonly #pending: Readonly<Record<WorkPriority, Map<string, WorkItem>>> = { high: new Map(), normal: new Map() }
  readonly #failed = new Set<string>()
  readonly #becameIdle = new Listeners<[]>()
  readonly #abandon = new AbortController()
  #worker: Worker | undefined
  #running = 0
  #scheduled = false
  #activity: RecentActivity = NEVER_RAN

  constructor({
    log = silentLogger,
    maxPending = MAX_PENDING,
    parallelism = 1,
    now = Date.now,
  }: WorkQueueOptions = {}) {
    this.#log = log
    this.#maxPending = maxPending
    this.#parallelism = parallelism
    this.#now = now
  }

  /** One at a time; what waits goes on with the next one. */
  register(worker: Worker): Disposable {
    if (this.#worker !== undefined) throw new Error('A worker is registered already')
    this.#worker = worker
    this.#schedule()
    return {
      dispose: () => {
        if (this.#worker === worker) this.#worker = undefined
      },
    }
  }

  /** Throws `index_unavailable` without a worker, `rate_limited` when there is no room for all of them. */
  enqueue(items: readonly WorkItem[]): { enqueued: number; deduped: number } {
    this.#throwOnRefusal(items.length)
    let enqueued = 0
    for (const item of items) if (this.#add(item)) enqueued++
    this.#schedule()
    return { enqueued, deduped: items.length - enqueued }
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting() === 0
  }

  counts(): QueueCounts {
    return { pending: this.#waiting(), running: this.#running, failed: this.#failed.size }
  }

  recentActivity(): RecentActivity {
    return this.#activity
  }

  /** Answers as soon as nothing is left to do, or the time is over. Never rejects, unless the signal is aborted. */
  async awaitIdle(ms: number, signal?: AbortSignal): Promise<IdleAnswer> {
    if (!this.isIdle) await this.#waitForIdle(ms, signal)
    signal?.throwIfAborted()
    const { isIdle } = this
    return { idle: isIdle, timed_out: !isIdle, queue: this.counts(), recent_activity: this.#activity }
  }

  /** What waits is dropped; what runs is told to end, and waited for by nobody. */
  close(): void {
    this.#abandon.abort(new SwitchboardError('shutting_down', 'Switchboard is stopping'))
    this.#pending.high.clear()
    this.#pending.normal.clear()
    this.#announceIdle()
  }

  #throwOnRefusal(count: number): void {
    if (this.#abandon.signal.aborted) throw new SwitchboardError('shutting_down', 'Switchboard is stopping')
    if (this.#worker === undefined) {
      throw new SwitchboardError('index_unavailable', 'Nothing in this daemon looks at files')
    }
    const waiting = this.#waiting()
    if (waiting + count <= this.#maxPending) return
    const seen = `${waiting} items wait, ${count} more would be above the limit of ${this.#maxPending}`
    throw new SwitchboardError('rate_limited', `The queue is full: ${seen}`, {
      hint: 'Wait with await_idle, then enqueue again; enqueue_scan takes one place for a whole folder.',
    })
  }

  /** False: it waits already, maybe with a higher priority now. */
  #add(item: WorkItem): boolean {
    const { high, normal } = this.#pending
    const key = keyOf(item)
    if (high.has(key)) return false
    const isNew = !normal.has(key)
    if (item.priority === 'high') {
      normal.delete(key)
      high.set(key, item)
    } else if (isNew) normal.set(key, item)
    return isNew
  }

  #waiting(): number {
    return this.#pending.high.size + this.#pending.normal.size
  }

  /** Always in a turn of its own: the handler that enqueued has answered by then, and so have those that wait behind it. */
  #schedule(): void {
    if (this.#scheduled || this.#worker === undefined || this.#waiting() === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#startNext()
    })
  }

  #startNext(): void {
    if (this.#worker === undefined || this.#running >= this.#parallelism) return
    const item = this.#take()
    if (item === undefined) return
    if (this.#activity.state !== 'running') this.#beginRun()
    this.#running++
    void this.#work(this.#worker, item).finally(() => {
      this.#running--
      if (this.isIdle) this.#endRun()
      else this.#schedule()
    })
    this.#schedule()
  }

  async #work(worker: Worker, item: WorkItem): Promise<void> {
    let isFailed = false
    try {
      await worker.run(item, { signal: this.#abandon.signal })
    } catch (error) {
      isFailed = !this.#abandon.signal.aborted
      if (isFailed) this.#log.warn('work.failed', `${item.path}: ${errorMessage(error)}`, { ...item })
    }
    const key = keyOf(item)
    if (!isFailed) this.#failed.delete(key)
    else if (this.#failed.size < MAX_FAILED) this.#failed.add(key)
    const at = this.#timestamp()
    const { items, errors, first_item_at } = this.#activity
    this.#activity = {
      ...this.#activity,
      items: items + 1,
      errors: errors + (isFailed ? 1 : 0),
      first_item_at: first_item_at ?? at,
      last_item_at: at,
    }
  }

  #take(): WorkItem | undefined {
    for (const waiting of [this.#pending.high, this.#pending.normal]) {
      for (const [key, item] of waiting) {
        waiting.delete(key)
        return item
      }
    }
    return undefined
  }

  #beginRun(): void {
    this.#activity = { ...NEVER_RAN, state: 'running', run_id: randomUUID(), started_at: this.#timestamp() }
  }

  #endRun(): void {
    const state = this.#activity.errors > 0 ? 'failed' : 'idle'
    this.#activity = { ...this.#activity, state, idle_since: this.#timestamp() }
    this.#announceIdle()
  }

  #announceIdle(): void {
    this.#becameIdle.notify()
  }

  async #waitForIdle(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    const subscription = this.#becameIdle.add(resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (signal?.aborted) resolve()
    await promise
    clearTimeout(timer)
    subscription.dispose()
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString()
  }
}

function keyOf({ kind, path }: WorkItem): string {
  return `${kind} ${path}`
}
