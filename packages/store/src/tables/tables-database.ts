/**
 * A file with tables of a pack's own, beside the store: for what is large, made from something else, and no part of a backup. The
 * same discipline holds: the thread that writes has the only handle that can, all others are opened to read only.
 *
 * 1. What was committed outlives `kill -9`; a power cut may take the last moments, since all of it can be made again.
 * 2. A file of a newer Switchboard is refused; one that is damaged is made anew by whoever may write.
 */
import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { PreparedDatabase } from '../prepared-database.ts'
import { kindOf } from '../sqlite/thread/failure.ts'
import { ThreadFailure } from '../thread/failure.ts'

export interface TablesOptions {
  readonly file: string
  readonly role: 'writer' | 'reader'
  /** SQL of each version of the tables, the oldest first. One that was released is never changed: what comes later is another. */
  readonly versions: readonly string[]
}

/** Milliseconds that a checkpoint or a recovery of somebody else may take. */
const BUSY_TIMEOUT = 5_000
/** KiB: a writer has the upper pages of all its indexes at hand. */
const CACHE = { writer: 64_000, reader: 16_000 } as const
/** Pages of the log after which it is brought into the file. */
const CHECKPOINT_PAGES = 16_000

export class TablesDatabase extends PreparedDatabase {
  /** Of a file that is damaged nothing is kept. `isNew`: there was none, or none that could be read. */
  static open(options: TablesOptions): { database: TablesDatabase; isNew: boolean } {
    if (options.role === 'reader') return { database: new TablesDatabase(openHandle(options)), isNew: false }
    try {
      return openWriter(options, (handle) => new TablesDatabase(handle))
    } catch (error) {
      if (kindOf(error) !== 'damaged') throw error
      for (const ending of ['', '-wal', '-shm']) rmSync(`${options.file}${ending}`, { force: true })
      return openWriter(options, (handle) => new TablesDatabase(handle))
    }
  }

  /** All of it, or nothing. */
  transaction<T>(work: () => T): T {
    this.handle.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.handle.exec('COMMIT')
      return result
    } catch (error) {
      if (this.handle.isTransaction) this.handle.exec('ROLLBACK')
      throw error
    }
  }
}

function openHandle({ file, role }: TablesOptions): DatabaseSync {
  const handle = new DatabaseSync(file, { readOnly: role === 'reader', timeout: BUSY_TIMEOUT })
  handle.exec(`PRAGMA cache_size = -${CACHE[role]}`)
  return handle
}

function openWriter(
  options: TablesOptions,
  create: (handle: DatabaseSync) => TablesDatabase,
): { database: TablesDatabase; isNew: boolean } {
  // Nobody else may read it, from its first byte on; the files beside it are made with the same rights.
  closeSync(openSync(options.file, 'a', 0o600))
  const handle = openHandle(options)
  try {
    handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    handle.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA temp_store = MEMORY`)
    const database = create(handle)
    return { database, isNew: migrate(database, options) === 0 }
  } catch (error) {
    handle.close()
    throw error
  }
}

/** Tells the version that it had. */
function migrate(database: TablesDatabase, { versions }: TablesOptions): number {
  const { handle } = database
  const version = Number(handle.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  if (version > versions.length) {
    throw new ThreadFailure('newer', `It is of version ${version}, and this Switchboard knows ${versions.length}`)
  }
  if (version === versions.length) return version
  database.transaction(() => {
    for (const sql of versions.slice(version)) handle.exec(sql)
    handle.exec(`PRAGMA user_version = ${versions.length}`)
  })
  return version
}
