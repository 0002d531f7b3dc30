/** Reads only: the engine itself refuses everything else on this handle. */
import type { MessagePort } from 'node:worker_threads'
import { Database } from './database.ts'
import { failureOf } from './failure.ts'
import type { ReadOperations, ThreadAnswer, ThreadRequest } from './messages.ts'
import { getItem, listItems } from './read-items.ts'
import { ItemSearch } from './search-items.ts'

export class Reader {
  readonly #port: MessagePort
  readonly #reads: ReadOperations

  constructor(file: string, port: MessagePort) {
    const database = new Database(file, 'reader')
    const search = new ItemSearch(database)
    this.#port = port
    this.#reads = {
      ready: () => undefined,
      get: (space, id) => getItem(database, space, id),
      list: (space, query) => listItems(database, space, query),
      search: (space, query) => search.search(space, query),
      end: () => void database.close(),
    }
  }

  receive(request: ThreadRequest): void {
    this.#port.postMessage(this.#read(request))
    if (request.name === 'end') this.#port.close()
  }

  #read({ id, name, input }: ThreadRequest): ThreadAnswer {
    try {
      // Name and input were checked where the request was made.
      const operation = this.#reads[name as keyof ReadOperations] as (...input: unknown[]) => unknown
      return { id, result: operation(...input) }
    } catch (error) {
      return failureOf(id, error)
    }
  }
}
