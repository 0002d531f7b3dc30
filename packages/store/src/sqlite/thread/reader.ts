/** Reads only: the engine itself refuses everything else on this handle. */
import { backup } from 'node:sqlite'
import type { MessagePort } from 'node:worker_threads'
import type { MaintenanceOperations, ReadOperations, ThreadAnswer, ThreadRequest } from '../../thread/messages.ts'
import { Database } from './database.ts'
import { failureOf } from './failure.ts'
import { getItem, listItems, walkItems } from './read-items.ts'
import { ItemSearch } from './search-items.ts'
import { listWithoutVector, vectorsOf } from './vectors/read-vectors.ts'

export class Reader {
  readonly #port: MessagePort
  readonly #reads: ReadOperations & Pick<MaintenanceOperations, 'backup'>

  constructor(file: string, port: MessagePort) {
    const database = new Database(file, 'reader')
    const search = new ItemSearch(database)
    this.#port = port
    this.#reads = {
      get: (space, id) => getItem(database, space, id),
      list: (space, query) => listItems(database, space, query),
      walk: (space, after, limit) => walkItems(database, space, after, limit),
      listWithoutVector: (space, model, limit) => listWithoutVector(database, space, model, limit),
      vectorsOf: (space, ids) => vectorsOf(database, space, ids),
      search: (space, query) => search.search(space, query),
      backup: async (target) => void (await copyDatabase(database, target)),
      end: () => void database.close(),
    }
  }

  async receive(request: ThreadRequest): Promise<void> {
    this.#port.postMessage(await this.read(request))
    if (request.name === 'end') this.#port.close()
  }

  canRead({ name }: ThreadRequest): boolean {
    return name !== 'end' && name in this.#reads
  }

  close(): void {
    this.#reads.end()
  }

  async read({ id, name, input }: ThreadRequest): Promise<ThreadAnswer> {
    try {
      // Name and input were checked where the request was made.
      const operation = this.#reads[name as keyof ReadOperations] as (...input: unknown[]) => unknown
      return { id, result: await operation(...input) }
    } catch (error) {
      return failureOf(id, error)
    }
  }
}

/** Of one moment: without a transaction of ours, every write of others would begin the copy anew. */
async function copyDatabase({ handle }: Database, target: string): Promise<void> {
  handle.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
  try {
    await backup(handle, target)
  } finally {
    handle.exec('COMMIT')
  }
}
