/** Everything that can be asked of the server, by the names that every engine knows. */
import type { Item } from '../../store.ts'
import { ThreadFailure } from '../../thread/failure.ts'
import type { Operations } from '../../thread/messages.ts'
import type { PostgresAddress } from '../address.ts'
import type { PostgresLimits } from '../limits.ts'
import { Connections } from './connections.ts'
import { getItem, listItems, walkItems } from './read-items.ts'
import { toStorable } from './rows.ts'
import { migrate, spacesOf } from './schema.ts'
import { searchItems } from './search-items.ts'
import type { ServerConnection } from './server-connection.ts'
import { SpaceWriter } from './space-writer.ts'
import { listWithoutVector, vectorsOf } from './vectors.ts'
import { isIndexWhole, rebuildIndex } from './word-index.ts'
import { type PreparedItem, prepareItem } from './write-items.ts'

/** What the store tells the thread as it starts it. */
export interface PostgresThreadStart {
  readonly address: PostgresAddress
  readonly limits: PostgresLimits
  readonly connections: number
}

/** As `Operations`, but the server takes its time. */
type Answering = {
  [N in keyof Operations]: (...input: Parameters<Operations[N]>) => Promise<Awaited<ReturnType<Operations[N]>>>
}

const OWN = 'switchboard'

export class Server {
  readonly #connections: Connections
  readonly #writers = new Map<string, SpaceWriter>()
  readonly operations: Answering

  constructor({ address, limits, connections }: PostgresThreadStart) {
    this.#connections = new Connections(address, limits, connections)
    this.operations = { ...this.#writes(), ...this.#reads(), ...this.#maintenance() }
  }

  /** What is under way is done, unless the server is away. */
  beginClosing(): void {
    this.#connections.beginClosing()
  }

  #writes(): Pick<Answering, 'open' | 'put' | 'replace' | 'remove' | 'putVectors' | 'keepVectorsOf'> {
    return {
      open: async (space) => {
        await this.#connections.use(space, (connection) => migrate(connection, space))
        return undefined
      },
      put: async (space, items) => {
        if (items.length > 0) await this.#writer(space).write({ name: 'put', items: items.map(prepare) })
        return undefined
      },
      replace: async (space, item, revision) =>
        Boolean(await this.#writer(space).write({ name: 'replace', item: prepare(item), revision })),
      remove: async (space, ids) =>
        Number(await this.#writer(space).write({ name: 'remove', ids: ids.map(toStorable) })),
      putVectors: async (space, model, vectors) =>
        Number(await this.#writer(space).write({ name: 'putVectors', model, vectors })),
      keepVectorsOf: async (space, models) => {
        await this.#writer(space).write({ name: 'keepVectorsOf', models })
        return undefined
      },
    }
  }

  #reads(): Pick<Answering, 'get' | 'list' | 'walk' | 'search' | 'listWithoutVector' | 'vectorsOf'> {
    const read = <T>(space: string, work: (connection: ServerConnection) => Promise<T>): Promise<T> =>
      this.#connections.use(space, work)
    return {
      get: (space, id) => read(space, (connection) => getItem(connection, space, id)),
      list: (space, query) => read(space, (connection) => listItems(connection, space, query)),
      walk: (space, after, limit) => read(space, (connection) => walkItems(connection, space, after, limit)),
      search: (space, query) => read(space, (connection) => searchItems(connection, space, query)),
      listWithoutVector: (space, model, limit) =>
        read(space, (connection) => listWithoutVector(connection, space, model, limit)),
      vectorsOf: (space, ids) => read(space, (connection) => vectorsOf(connection, space, ids)),
    }
  }

  #maintenance(): Pick<Answering, 'check' | 'backup' | 'spaces' | 'facts' | 'end'> {
    return {
      spaces: async () => Object.fromEntries(await this.#connections.use(OWN, spacesOf)),
      facts: () => this.#connections.use(OWN, readFacts),
      check: () => this.#check(),
      backup: async () => {
        throw new ThreadFailure('other', 'a server is copied by its own tools')
      },
      end: async () => {
        this.#connections.close()
        return undefined
      },
    }
  }

  #writer(space: string): SpaceWriter {
    const known = this.#writers.get(space) ?? new SpaceWriter(this.#connections, space)
    this.#writers.set(space, known)
    return known
  }

  async #check(): Promise<{ problems: string[]; rebuilt: string[] }> {
    const rebuilt: string[] = []
    for (const space of (await this.#connections.use(OWN, spacesOf)).keys()) {
      const wasRebuilt = await this.#connections.use(OWN, async (connection) => {
        if (await isIndexWhole(connection, space)) return false
        await connection.query('BEGIN')
        await connection.query('SELECT FROM spaces WHERE name = $1 FOR UPDATE', [space])
        await rebuildIndex(connection, space)
        await connection.query('COMMIT')
        return true
      })
      if (wasRebuilt) rebuilt.push(space)
    }
    // The pages themselves are the server's to look after (`pg_amcheck`).
    return { problems: [], rebuilt }
  }
}

function prepare(item: Item): PreparedItem {
  try {
    return prepareItem(item)
  } catch (error) {
    throw new ThreadFailure(
      'wrong',
      `"${item.id}" cannot be written: ${error instanceof Error ? error.message : error}`,
    )
  }
}

async function readFacts(connection: ServerConnection): Promise<{ version: string; bytes: number }> {
  const sql = `SELECT current_setting('server_version') AS version, coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'switchboard' AND c.relkind = 'r'`
  const [row] = await connection.query(sql)
  return { version: String(row?.version), bytes: Number(row?.bytes) }
}
