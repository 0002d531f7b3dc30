/**
 * The only hand that writes. Writes that wait while one is committed are committed together: each in a savepoint of its own, so
 * that one that fails takes no other with it, and acknowledged once all of them are on the disk.
 */
import { backup } from 'node:sqlite'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { Database } from './database.ts'
import { failureOf } from './failure.ts'
import type { MaintenanceOperations, ThreadAnswer, ThreadRequest, WriteOperations } from './messages.ts'
import { migrate, spacesOf } from './schema.ts'
import { putItems, rebuildText, removeItems, replaceItem } from './write-items.ts'

/** So many at most wait for each other's disk. */
const MAX_GROUP = 500

export class Writer {
  readonly #database: Database
  readonly #port: MessagePort
  readonly #writes: WriteOperations
  readonly #maintenance: MaintenanceOperations

  constructor(file: string, port: MessagePort) {
    const database = new Database(file, 'writer')
    this.#database = database
    this.#port = port
    this.#writes = {
      open: (space) => void migrate(database, space),
      put: (space, items) => void putItems(database, space, items),
      replace: (space, item, revision) => replaceItem(database, space, item, revision),
      remove: (space, ids) => removeItems(database, space, ids),
    }
    this.#maintenance = {
      check: () => this.#check(),
      backup: async (target) => void (await backup(database.handle, target)),
      spaces: () => Object.fromEntries(spacesOf(database)),
      end: () => void this.#close(),
    }
  }

  async receive(first: ThreadRequest): Promise<void> {
    let next: ThreadRequest | undefined = first
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
    // The file then holds everything by itself.
    this.#database.handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#database.close()
  }

  #takeNext(): ThreadRequest | undefined {
    // Only the store writes to this port.
    return receiveMessageOnPort(this.#port)?.message as ThreadRequest | undefined
  }

  #commit(group: readonly ThreadRequest[]): void {
    const { handle } = this.#database
    try {
      handle.exec('BEGIN IMMEDIATE')
      const answers = group.map((request) => this.#write(request))
      handle.exec('COMMIT')
      for (const answer of answers) this.#port.postMessage(answer)
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

  async #maintain({ id, name, input }: ThreadRequest): Promise<void> {
    try {
      const operation = this.#maintenance[name as keyof MaintenanceOperations] as (...input: unknown[]) => unknown
      this.#port.postMessage({ id, result: await operation(...input) } satisfies ThreadAnswer)
      if (name === 'end') this.#port.close()
    } catch (error) {
      this.#port.postMessage(failureOf(id, error))
    }
  }

  #check(): { problems: string[]; rebuilt: string[] } {
    const { handle } = this.#database
    const problems: string[] = []
    const rebuilt: string[] = []
    for (const space of spacesOf(this.#database).keys()) {
      if (this.#isTextWhole(space)) continue
      handle.exec('BEGIN IMMEDIATE')
      try {
        rebuildText(this.#database, space)
        handle.exec('COMMIT')
        rebuilt.push(space)
      } catch (error) {
        if (handle.isTransaction) handle.exec('ROLLBACK')
        problems.push(`The search index of "${space}" cannot be made anew: ${errorMessage(error)}`)
      }
    }
    // Once the search indexes are mended: it looks at them too.
    const rows = handle.prepare('PRAGMA quick_check').all()
    const found = rows.map((row) => String(row.quick_check)).filter((text) => text !== 'ok')
    return { problems: [...problems, ...found], rebuilt }
  }

  #isTextWhole(space: string): boolean {
    const { handle } = this.#database
    try {
      handle.exec(`INSERT INTO ${space}_text (${space}_text) VALUES ('integrity-check')`)
      const missing = `SELECT count(*) AS missing FROM ${space}_items WHERE number NOT IN (SELECT rowid FROM ${space}_text)`
      return Number(handle.prepare(missing).get()?.missing) === 0
    } catch {
      return false
    }
  }
}
