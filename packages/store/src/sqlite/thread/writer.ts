/**
 * The only hand that writes. Writes that wait while one is committed are committed together: each in a savepoint of its own, so
 * that one that fails takes no other with it, and acknowledged once all of them are on the disk.
 */
import { statSync } from 'node:fs'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import type { MaintenanceOperations, ThreadAnswer, ThreadRequest, WriteOperations } from '../../thread/messages.ts'
import { Database } from './database.ts'
import { failureOf, kindOf } from './failure.ts'
import { isTextWhole, rebuildText } from './index-text.ts'
import { inspectFile, quickCheck } from './open-file.ts'
import { Reader } from './reader.ts'
import { migrate, spacesOf } from './schema.ts'
import { keepVectorsOf, putVectors } from './vectors/write-vectors.ts'
import { putItems, removeItems, replaceItem } from './write-items.ts'

/** So many at most wait for each other's disk. */
const MAX_GROUP = 500
/** Milliseconds, as those below. */
const PAUSE = 2
const LONGEST_WITHOUT_PAUSE = 100
const LOOK_EVERY = 1_000
/** Bytes of the log. */
const MAX_LOG = 64 * 1024 * 1024
/** Milliseconds that another process may hold the file. */
const MAX_WAIT = 30_000

/** A copy is made by one who reads. */
type WriterMaintenance = Omit<MaintenanceOperations, 'backup'>

export class Writer {
  readonly #database: Database
  readonly #port: MessagePort
  readonly #writes: WriteOperations
  readonly #maintenance: WriterMaintenance
  readonly #file: string
  readonly #nothing = new Int32Array(new SharedArrayBuffer(4))
  #reader: Reader | undefined
  #lastPause = 0
  #lastLook = 0

  constructor(file: string, port: MessagePort) {
    this.#file = file
    const broken = inspectFile(file)
    const database = new Database(file, 'writer')
    this.#database = database
    this.#port = port
    this.#writes = {
      open: (space) => void migrate(database, space),
      put: (space, items) => void putItems(database, space, items),
      replace: (space, item, revision) => replaceItem(database, space, item, revision),
      remove: (space, ids) => removeItems(database, space, ids),
      putVectors: (space, model, vectors) => putVectors(database, space, model, vectors),
      keepVectorsOf: (space, models) => void keepVectorsOf(database, space, models),
    }
    this.#maintenance = {
      check: () => this.#check(),
      spaces: () => Object.fromEntries(spacesOf(database)),
      end: () => void this.#close(),
    }
    for (const space of broken) this.#inTransaction(() => rebuildText(database, space))
  }

  async receive(first: ThreadRequest): Promise<void> {
    let next: ThreadRequest | undefined = first
    // Nothing was to be done until now.
    this.#lastPause = performance.now()
    while (next !== undefined) {
      const group: ThreadRequest[] = []
      while (next !== undefined && next.name in this.#writes && group.length < MAX_GROUP) {
        group.push(next)
        next = this.#takeNext()
      }
      if (group.length > 0) this.#commit(group)
      if (next === undefined || next.name in this.#writes) continue
      await this.#maintain(next)
      next = this.#takeNext()
    }
  }

  #close(): void {
    this.#reader?.close()
    try {
      // The file then holds everything by itself.
      this.#database.handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // A full disk: the log keeps what the file lacks.
    }
    this.#database.close()
  }

  #takeNext(): ThreadRequest | undefined {
    // Only the store writes to this port.
    return receiveMessageOnPort(this.#port)?.message as ThreadRequest | undefined
  }

  #commit(group: readonly ThreadRequest[]): void {
    const { handle } = this.#database
    try {
      this.#begin()
      const answers = group.map((request) => this.#write(request))
      handle.exec('COMMIT')
      for (const answer of answers) this.#port.postMessage(answer)
      this.#keepLogShort()
    } catch (error) {
      if (handle.isTransaction) handle.exec('ROLLBACK')
      for (const { id } of group) this.#port.postMessage(failureOf(id, error))
    }
  }

  #write({ id, name, input }: ThreadRequest): ThreadAnswer {
    const { handle } = this.#database
    handle.exec('SAVEPOINT one')
    try {
      // Name and input were checked where the request was made.
      const operation = this.#writes[name as keyof WriteOperations] as (...input: unknown[]) => unknown
      const result = operation(...input)
      handle.exec('RELEASE one')
      return { id, result }
    } catch (error) {
      // A full disk may have rolled everything back already: then nothing of this group is there.
      if (!handle.isTransaction) throw error
      handle.exec('ROLLBACK TO one; RELEASE one')
      return failureOf(id, error)
    }
  }

  /** While no reader runs, it reads too, by a handle that can do nothing else: a thread costs some megabytes. */
  async #readHere(request: ThreadRequest): Promise<boolean> {
    if (request.name in this.#maintenance) return false
    this.#reader ??= new Reader(this.#file, this.#port)
    if (!this.#reader.canRead(request)) return false
    this.#port.postMessage(await this.#reader.read(request))
    return true
  }

  async #maintain(request: ThreadRequest): Promise<void> {
    const { id, name, input } = request
    try {
      if (await this.#readHere(request)) return
      const operation = this.#maintenance[name as keyof WriterMaintenance] as (...input: unknown[]) => unknown
      this.#port.postMessage({ id, result: await operation(...input) } satisfies ThreadAnswer)
      if (name === 'end') this.#port.close()
    } catch (error) {
      this.#port.postMessage(failureOf(id, error))
    }
  }

  #check(): { problems: string[]; rebuilt: string[] } {
    const problems: string[] = []
    const rebuilt: string[] = []
    for (const space of spacesOf(this.#database).keys()) {
      if (isTextWhole(this.#database, space)) continue
      try {
        this.#inTransaction(() => rebuildText(this.#database, space))
        rebuilt.push(space)
      } catch (error) {
        problems.push(`The search index of "${space}" cannot be made anew: ${errorMessage(error)}`)
      }
    }
    // Once the search indexes are mended: it looks at them too.
    return { problems: [...problems, ...quickCheck(this.#database).map(({ text }) => text)], rebuilt }
  }

  #inTransaction(work: () => void): void {
    const { handle } = this.#database
    this.#begin()
    try {
      work()
      handle.exec('COMMIT')
    } catch (error) {
      if (handle.isTransaction) handle.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Another process may write too, such as a command without the daemon. Who waits looks often, and who writes without a pause
   * makes one now and then, so that the other finds its moment.
   */
  #begin(): void {
    if (performance.now() - this.#lastPause > LONGEST_WITHOUT_PAUSE) this.#pause()
    const giveUp = performance.now() + MAX_WAIT
    for (;;) {
      try {
        this.#database.handle.exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (kindOf(error) !== 'busy' || performance.now() > giveUp) throw error
        this.#pause()
      }
    }
  }

  /** It begins anew only while nobody reads from it: where somebody always does, they are waited for. */
  #keepLogShort(): void {
    const now = performance.now()
    if (now - this.#lastLook < LOOK_EVERY) return
    this.#lastLook = now
    if ((statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) < MAX_LOG) return
    const { handle } = this.#database
    handle.exec(`PRAGMA busy_timeout = ${LOOK_EVERY}; PRAGMA wal_checkpoint(RESTART); PRAGMA busy_timeout = 0`)
  }

  #pause(): void {
    Atomics.wait(this.#nothing, 0, 0, PAUSE)
    this.#lastPause = performance.now()
  }
}
