/** Opens the one file, as its writer or to read only, and keeps the statements that were prepared. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { PreparedDatabase } from '../../prepared-database.ts'

/** Milliseconds. Nobody else writes; only a checkpoint or a recovery may hold the file for a moment. */
const BUSY_TIMEOUT = 5_000

export class Database extends PreparedDatabase {
  constructor(file: string, role: 'writer' | 'reader') {
    super(new DatabaseSync(file, { readOnly: role === 'reader', timeout: BUSY_TIMEOUT }))
    // Values of one page of a list, or of a search, are read again and again: keep them.
    this.handle.exec('PRAGMA cache_size = -16000')
    if (role === 'reader') return
    // FULL: what was acknowledged outlives a power cut too; a group of writes shares the one wait for the disk.
    this.handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    // Pages of 4 KB: the file is brought up to date every 16 MB of the log, since what is written often is then copied once.
    this.handle.exec('PRAGMA wal_autocheckpoint = 4000')
    // The writer waits by itself from here on.
    this.handle.exec('PRAGMA busy_timeout = 0')
  }

  /**
   * Answers the number of the new row, or nothing where there was one already. RETURNING would tell it too, but has the engine
   * open a table of its own for every row, which takes three times as long as the row itself.
   */
  insert(sql: string, ...values: readonly SQLInputValue[]): number | undefined {
    const statement = this.statement(sql)
    // Where nothing was inserted, the last row may be one that the search index made for itself: no safe number.
    statement.setReadBigInts(true)
    const { changes, lastInsertRowid } = statement.run(...values)
    return Number(changes) === 0 ? undefined : Number(lastInsertRowid)
  }
}
