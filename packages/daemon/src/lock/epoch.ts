/**
 * The number of a daemon: one more than that of the one before, taken while the lock is held. A daemon that lost its
 * lock without noticing (its folder was deleted and a new daemon made another) finds a number here that is not its own,
 * and keeps its hands off what belongs to its successor.
 */
import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { type DatabaseSync, isBroken, openDatabase } from './sqlite.ts'

const BUSY_TIMEOUT_MS = 2_000
const SCHEMA = 'CREATE TABLE IF NOT EXISTS daemon (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER, owner TEXT)'

export class Epoch {
  readonly number: number
  readonly #file: string
  /** Tells two daemons apart that have the same number, each in a folder of its own. */
  readonly #owner: string

  private constructor(file: string, number: number, owner: string) {
    this.#file = file
    this.number = number
    this.#owner = owner
  }

  /** Only for the holder of the lock. */
  static bump(file: string): Epoch {
    const owner = randomUUID()
    try {
      return new Epoch(file, bump(file, 0, owner), owner)
    } catch (error) {
      if (!isBroken(error)) throw error
      // What it counted is lost. The time in seconds is above any count.
      renameSync(file, `${file}.broken`)
      return new Epoch(file, bump(file, Math.floor(Date.now() / 1000), owner), owner)
    }
  }

  /** Whether no other daemon came after this one. Read anew by its path, which may be another file by now. */
  isCurrent(): boolean {
    try {
      return withDatabase(this.#file, { readOnly: true }, (database) => {
        const row = database.prepare('SELECT epoch, owner FROM daemon').get()
        return row?.epoch === this.number && row.owner === this.#owner
      })
    } catch {
      // Nobody can say; a stranger's things are not to be touched then.
      return false
    }
  }
}

function bump(file: string, least: number, owner: string): number {
  return withDatabase(file, {}, (database) => {
    database.exec('BEGIN IMMEDIATE')
    database.exec(SCHEMA)
    const before = database.prepare('SELECT epoch FROM daemon').get()?.epoch
    const number = Math.max(least, typeof before === 'number' ? before + 1 : 1)
    database.prepare('INSERT OR REPLACE INTO daemon VALUES (1, ?, ?)').run(number, owner)
    database.exec('COMMIT')
    return number
  })
}

function withDatabase<T>(file: string, options: { readOnly?: boolean }, use: (database: DatabaseSync) => T): T {
  const database = openDatabase(file, { ...options, timeout: BUSY_TIMEOUT_MS })
  try {
    return use(database)
  } finally {
    database.close()
  }
}
