/** `node:sqlite` without the warning that Node 22 prints when it is first loaded; every other warning stays. */
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

export type { DatabaseSync }

export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync: Database } = loadQuietly()
  return new Database(file, options)
}

/** Loading warns synchronously, through this one function; a static import would warn before any line of ours runs. */
function loadQuietly(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** The primary result code; undefined: the error is none of SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY
}

/** The file is there, and it is no database of SQLite's (any more). */
export function isBroken(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE_NOTADB || code === SQLITE_CORRUPT
}
