/**
 * Who may write a file of tables: one process, until it ends, however it ends. A transaction on a file beside it that nobody
 * commits: the kernel gives it back.
 */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { kindOf } from '../sqlite/thread/failure.ts'

export class TablesLock {
  readonly #handle: DatabaseSync

  private constructor(handle: DatabaseSync) {
    this.#handle = handle
  }

  /** Undefined: another process has it. */
  static take(file: string): TablesLock | undefined {
    closeSync(openSync(file, 'a', 0o600))
    const handle = new DatabaseSync(file, { timeout: 0 })
    try {
      handle.exec('BEGIN EXCLUSIVE')
      return new TablesLock(handle)
    } catch (error) {
      handle.close()
      if (kindOf(error) === 'busy') return undefined
      throw error
    }
  }

  release(): void {
    this.#handle.close()
  }
}
