import { existsSync } from 'node:fs'
import { errorMessage } from '@switchboard/base'
import { type DatabaseSync, isBusy, openDatabase } from './sqlite.ts'

export type LockState =
  | { readonly state: 'held' }
  /** Or there is no file yet. */
  | { readonly state: 'free' }
  | { readonly state: 'unusable'; readonly reason: string }

/** Without taking it, for whoever only wants to know. Never from within the process that holds it. */
export function readLockState(file: string): LockState {
  if (!existsSync(file)) return { state: 'free' }
  let database: DatabaseSync | undefined
  try {
    database = openDatabase(file, { readOnly: true, timeout: 0 })
    // Any read asks for a share, which nobody gets while the lock is held.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return { state: 'free' }
  } catch (error) {
    if (isBusy(error)) return { state: 'held' }
    return { state: 'unusable', reason: errorMessage(error) }
  } finally {
    database?.close()
  }
}
