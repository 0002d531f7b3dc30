/**
 * Files to be looked at while others are served: what a pack that keeps an index does for whoever tells it of files, such as an
 * editor on the daemon's socket. Nothing of it runs inside of a handler; whoever wants to know when it is done waits for it.
 */
export type WorkPriority = 'normal' | 'high'

export interface WorkItem {
  /** scan: everything below the path. */
  readonly kind: 'file' | 'scan'
  /** Absolute. */
  readonly path: string
  readonly priority: WorkPriority
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

export interface FileWork {
  readonly isIdle: boolean
  /** As far as is known without waiting. */
  counts(): QueueCounts
  recentActivity(): RecentActivity
  /** A path waits at most once; `deduped` did so already. Resolves when they are noted, not when they are done. */
  enqueue(items: readonly WorkItem[]): Promise<{ readonly enqueued: number; readonly deduped: number }>
  /** Answers as soon as nothing is left to do, or the time is over. Rejects only when the signal is aborted. */
  awaitIdle(ms: number, signal?: AbortSignal): Promise<IdleAnswer>
}

export const NEVER_RAN: RecentActivity = Object.freeze({
  state: 'never_ran',
  run_id: null,
  started_at: null,
  items: 0,
  errors: 0,
  first_item_at: null,
  last_item_at: null,
  idle_since: null,
})
