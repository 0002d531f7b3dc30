/** Runs of the queue: one begins when there is something to do and ends when nothing is left, also across restarts. */
import type { TablesDatabase } from '@switchboard/store/tables'

export interface BuildRecord {
  readonly id: number
  /** running: it goes on, or was cut off by the end of the process and goes on at the next start. */
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  readonly startedAt: number
  readonly endedAt: number | null
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly files: number
  readonly bytes: number
  readonly errors: number
  /** So often a restart came between. */
  readonly resumed: number
}

/** So many are remembered. */
const KEPT_BUILDS = 100

export class Builds {
  readonly #database: TablesDatabase
  #current: BuildRecord | undefined
  #last: BuildRecord | undefined

  constructor(database: TablesDatabase) {
    this.#database = database
    const row = database.handle
      .prepare(
        `SELECT id, state, started_at AS startedAt, ended_at AS endedAt, first_at AS firstAt, last_at AS lastAt, files, bytes, errors, resumed
         FROM kept_builds ORDER BY id DESC LIMIT 1`,
      )
      // The columns are those that were asked for.
      .get() as unknown as BuildRecord | undefined
    if (row?.state === 'running') this.#current = { ...row, resumed: row.resumed + 1 }
    this.#last = row
  }

  /** Of the run that goes on, or of the last one. */
  get latest(): BuildRecord | undefined {
    return this.#current ?? this.#last
  }

  /** In a transaction, as all of these. */
  begin(): void {
    if (this.#current !== undefined) return
    const startedAt = Date.now()
    const row = this.#database
      .statement(
        `INSERT INTO kept_builds (state, started_at, files, bytes, errors, resumed, generation)
         VALUES ('running', ?, 0, 0, 0, 0, 0) RETURNING id`,
      )
      .get(startedAt)
    this.#database.execute('DELETE FROM kept_builds WHERE id <= ?', Number(row?.id) - KEPT_BUILDS)
    this.#current = {
      ...{ id: Number(row?.id), state: 'running', startedAt, endedAt: null, firstAt: null, lastAt: null },
      ...{ files: 0, bytes: 0, errors: 0, resumed: 0 },
    }
  }

  note({ files, bytes, errors }: { files: number; bytes: number; errors: number }): void {
    if (this.#current === undefined) return
    const now = Date.now()
    this.#current = {
      ...this.#current,
      files: this.#current.files + files,
      bytes: this.#current.bytes + bytes,
      errors: this.#current.errors + errors,
      firstAt: this.#current.firstAt ?? now,
      lastAt: now,
    }
    this.#write(this.#current)
  }

  end(generation: number, isCancelled: boolean): void {
    if (this.#current === undefined) return
    const state = isCancelled ? 'cancelled' : this.#current.errors > 0 ? 'failed' : 'complete'
    this.#last = { ...this.#current, state, endedAt: Date.now() }
    this.#current = undefined
    this.#write(this.#last)
    this.#database.execute('UPDATE kept_builds SET generation = ? WHERE id = ?', generation, this.#last.id)
  }

  #write({ id, state, endedAt, firstAt, lastAt, files, bytes, errors, resumed }: BuildRecord): void {
    this.#database.execute(
      `UPDATE kept_builds SET state = ?, ended_at = ?, first_at = ?, last_at = ?, files = ?, bytes = ?, errors = ?, resumed = ?
       WHERE id = ?`,
      ...[state, endedAt, firstAt, lastAt, files, bytes, errors, resumed, id],
    )
  }
}
