/**
 * What is still to be done, in a table, so that it outlives the process.
 *
 * 1. A path waits at most once for each task; one that is told again waits with the higher priority of the two.
 * 2. What is given out is leased, to one at a time, by this process. After its death the next one gives it out again (`reclaim`).
 * 3. What failed is tried three times, each time alone, then it stays as `failed` with the reason until the file changes.
 * 4. What was given out whenever the process died is given out alone, so that it takes no other with it, and in the end not at all.
 */
import type { TablesDatabase } from '@switchboard/store/tables'
import type { FoundChange } from '../messages.ts'

export type Task = 'scan' | 'look' | 'file'

export interface QueueItem {
  readonly id: number
  readonly root: number
  readonly path: string
  readonly task: Task
  readonly priority: number
  readonly size: number
  readonly tries: number
  readonly reclaims: number
}

export interface Counts {
  readonly pending: number
  readonly running: number
  readonly failed: number
}

export const NORMAL = 0
export const HIGH = 1
const MAX_TRIES = 3
const ALONE_AFTER = 2
const MAX_RECLAIMS = 10
/** A batch for one parser. What it gives is one transaction, and the fewer there are, the fewer pieces the search index has to merge. */
const BATCH_FILES = 256
const BATCH_BYTES = 2_000_000

/** It has failed, or was being read so often when the process died, that it is given out with nothing else. */
export const isAlone = ({ tries, reclaims }: QueueItem): boolean => tries > 0 || reclaims > ALONE_AFTER

export class Queue {
  readonly #database: TablesDatabase
  #counts = { pending: 0, running: 0, failed: 0 }

  constructor(database: TablesDatabase) {
    this.#database = database
    this.recount()
  }

  get counts(): Counts {
    return this.#counts
  }

  get isEmpty(): boolean {
    return this.#counts.pending + this.#counts.running === 0
  }

  /** At the start. */
  reclaim(): void {
    this.#database.handle.exec(
      `UPDATE kept_queue SET state = 'pending', again = 0, reclaims = reclaims + 1 WHERE state = 'leased';
       UPDATE kept_queue SET state = 'failed', reason = 'Switchboard ended ${MAX_RECLAIMS} times while it was read'
         WHERE state = 'pending' AND reclaims >= ${MAX_RECLAIMS} AND task = 'file'`,
    )
    this.recount()
  }

  /** False: it waits already. In a transaction. */
  add(root: number, path: string, task: Task, priority: number, size = 0): boolean {
    const row = this.#database
      .statement('SELECT id, state, priority FROM kept_queue WHERE root = ? AND path = ? AND task = ?')
      .get(root, path, task)
    if (row === undefined) {
      this.#database.execute(
        `INSERT INTO kept_queue (root, path, task, priority, state, size, tries, reclaims, added_at)
         VALUES (?, ?, ?, ?, 'pending', ?, 0, 0, ?)`,
        ...[root, path, task, priority, size, Date.now()],
      )
      this.#counts.pending++
      return true
    }
    if (row.state === 'pending') {
      if (Number(row.priority) < priority) {
        this.#database.execute('UPDATE kept_queue SET priority = ? WHERE id = ?', priority, Number(row.id))
      }
      return false
    }
    if (row.state === 'leased') {
      // It is being read as it was: then it is read again after that, by whoever has it now.
      this.#database.execute(
        'UPDATE kept_queue SET again = 1, priority = max(priority, ?) WHERE id = ?',
        priority,
        Number(row.id),
      )
      return true
    }
    this.#database.execute(
      "UPDATE kept_queue SET state = 'pending', tries = 0, reclaims = 0, reason = NULL, priority = ?, size = ? WHERE id = ?",
      ...[priority, size, Number(row.id)],
    )
    this.#counts.failed--
    this.#counts.pending++
    return true
  }

  addFiles(root: number, files: readonly Omit<FoundChange, 'stamp'>[], priority: number): void {
    for (const { path, size } of files) this.add(root, path, 'file', priority, size)
  }

  /** The first of what would be leased next. */
  nextFile(): QueueItem | undefined {
    return this.#next('file', 1)[0]
  }

  /** The next files for one parser, all as urgent as the first. In a transaction. */
  leaseFiles(): QueueItem[] {
    const batch: QueueItem[] = []
    let bytes = 0
    for (const item of this.#next('file', BATCH_FILES)) {
      const [first = item] = batch
      const isOther = isAlone(item) || item.priority !== first.priority || bytes + item.size > BATCH_BYTES
      if (batch.length > 0 && isOther) break
      batch.push(item)
      bytes += item.size
      if (isAlone(item)) break
    }
    this.#lease(batch)
    return batch
  }

  leaseLooks(limit: number): QueueItem[] {
    const items = this.#next('look', limit)
    this.#lease(items)
    return items
  }

  leaseScan(): QueueItem | undefined {
    const items = this.#next('scan', 1)
    this.#lease(items)
    return items[0]
  }

  /** One that was told of again meanwhile waits again. */
  finish(id: number): void {
    const gone = this.#database.statement('DELETE FROM kept_queue WHERE id = ? AND again = 0 RETURNING id').get(id)
    if (gone === undefined) this.#waitAgain(id)
    else this.#counts.running--
  }

  /** Tells whether that was its last try. */
  fail(id: number, reason: string): boolean {
    if (this.#waitAgain(id)) return false
    const row = this.#database
      .statement(
        `UPDATE kept_queue SET tries = tries + 1, reason = ?, state = CASE WHEN tries + 1 >= ${MAX_TRIES} THEN 'failed' ELSE 'pending' END
         WHERE id = ? AND state = 'leased' RETURNING state`,
      )
      .get(reason.slice(0, 500), id)
    if (row === undefined) return false
    this.#counts.running--
    this.#counts[row.state === 'failed' ? 'failed' : 'pending']++
    return row.state === 'failed'
  }

  #waitAgain(id: number): boolean {
    const row = this.#database
      .statement(
        "UPDATE kept_queue SET state = 'pending', again = 0, tries = 0 WHERE id = ? AND state = 'leased' AND again = 1 RETURNING id",
      )
      .get(id)
    if (row === undefined) return false
    this.#counts.running--
    this.#counts.pending++
    return true
  }

  removeFile(root: number, path: string): void {
    const row = this.#database
      .statement("DELETE FROM kept_queue WHERE root = ? AND path = ? AND task = 'file' RETURNING state")
      .get(root, path)
    if (row === undefined) return
    this.#counts[row.state === 'leased' ? 'running' : row.state === 'failed' ? 'failed' : 'pending']--
  }

  /** Whatever waits is forgotten; what is being read is stored. */
  clear(root: number | undefined): number {
    const gone = this.#database
      .statement("DELETE FROM kept_queue WHERE state = 'pending' AND (?1 IS NULL OR root = ?1) RETURNING id")
      .all(root ?? null)
    this.recount()
    return gone.length
  }

  #next(task: Task, limit: number): QueueItem[] {
    // The columns are those that were asked for.
    return this.#database
      .statement(
        `SELECT id, root, path, task, priority, size, tries, reclaims FROM kept_queue
         WHERE task = ? AND state = 'pending' ORDER BY priority DESC, id LIMIT ?`,
      )
      .all(task, limit) as unknown as QueueItem[]
  }

  #lease(items: readonly QueueItem[]): void {
    this.#database.execute(
      "UPDATE kept_queue SET state = 'leased' WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(items.map(({ id }) => id)),
    )
    this.#counts.pending -= items.length
    this.#counts.running += items.length
  }

  /** What a transaction has counted that failed is not so. */
  recount(): void {
    this.#counts = { pending: 0, running: 0, failed: 0 }
    for (const { state, count } of this.#database.handle
      .prepare('SELECT state, count(*) AS count FROM kept_queue GROUP BY state')
      .all()) {
      this.#counts[state === 'leased' ? 'running' : state === 'failed' ? 'failed' : 'pending'] = Number(count)
    }
  }
}
