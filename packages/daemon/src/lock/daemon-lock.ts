/**
 * One daemon for one home: an exclusive transaction on a SQLite file that holds nothing, kept open for as long as the
 * daemon lives. The kernel gives the lock back when its holder ends, however it ends; a holder that is busy or stopped
 * keeps it. Measured against pid files, sockets and time stamps: those let two daemons in.
 *
 * The file must never be opened in any other way by the process that holds the lock: with POSIX locks, closing any
 * descriptor of a file gives up every lock that the process has on it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { readDaemonInfo } from './info-file.ts'
import { type DatabaseSync, isBusy, openDatabase } from './sqlite.ts'

export interface DaemonLockOptions {
  readonly file: string
  /** Where the holder says who it is. */
  readonly infoFile: string
  /** Default: 6. */
  readonly attempts?: number
}

/** Two that take a free lock at the same moment may both be refused; the one that asks again gets it. */
const ATTEMPTS = 6
const SHORTEST_WAIT_MS = 15
const JITTER_MS = 45

export class DaemonLock {
  #database: DatabaseSync | undefined

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Rejects with `lock_held`, naming the holder. */
  static async acquire({ file, infoFile, attempts = ATTEMPTS }: DaemonLockOptions): Promise<DaemonLock> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await wait(SHORTEST_WAIT_MS + Math.random() * JITTER_MS)
      const database = tryLock(file)
      if (database !== undefined) return new DaemonLock(database)
    }
    throw await createHeldError(infoFile)
  }

  get held(): boolean {
    return this.#database !== undefined
  }

  release(): void {
    this.#database?.close()
    this.#database = undefined
  }
}

/** Undefined: somebody else has it. */
function tryLock(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined
  try {
    database = openDatabase(file, { timeout: 0 })
    // Nothing is ever written, so there is nothing to keep for a crash.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if (isBusy(error)) return undefined
    const reason = errorMessage(error)
    throw new SwitchboardError('daemon_unavailable', `The lock file ${file} cannot be used: ${reason}.`, {
      hint: 'Check who owns it and its folder; when no daemon runs, the file may be deleted.',
      cause: error,
    })
  }
}

async function createHeldError(infoFile: string): Promise<SwitchboardError> {
  const holder = await readDaemonInfo(infoFile)
  if (holder === undefined) {
    return new SwitchboardError('lock_held', 'Another daemon runs for this home; it has not said yet who it is.')
  }
  const { pid, version, started_at: startedAt, endpoint, epoch } = holder
  return new SwitchboardError(
    'lock_held',
    `Another daemon runs for this home: pid ${pid}, version ${version}, since ${startedAt}.`,
    { details: { pid, version, startedAt, endpoint, epoch } },
  )
}
