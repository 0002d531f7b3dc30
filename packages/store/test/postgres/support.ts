/** One PostgreSQL for the tests of a file, and a database of its own for each of them. */
import {
  findPostgres,
  POSTGRES_MISSING,
  PostgresCluster,
  type PostgresClusterOptions,
} from '@switchboard/testkit/postgres'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openPostgresStore, type PostgresStoreOptions, type Store } from '../../src/index.ts'

export const isPostgresMissing = findPostgres()?.pgvector === undefined
/** For the title of what is skipped without. */
export const whyMissing = isPostgresMissing ? ` (${POSTGRES_MISSING})` : ''

export interface PostgresBench {
  readonly cluster: PostgresCluster
  /** Of the test that runs; made when it is first asked for. */
  database(): Promise<string>
  /** Closed after the test. */
  open(options?: Partial<PostgresStoreOptions>): Promise<Store>
  /** In the database of the test, as the administrator. */
  run(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>
}

export function usePostgres(options: PostgresClusterOptions = {}): PostgresBench {
  let cluster: PostgresCluster | undefined
  let count = 0
  let database: Promise<string> | undefined
  const stores: Store[] = []
  const started = (): PostgresCluster => {
    if (cluster === undefined) throw new Error('PostgreSQL runs in tests only')
    return cluster
  }
  beforeAll(async () => {
    if (!isPostgresMissing) cluster = await PostgresCluster.start(options)
  }, 120_000)
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    database = undefined
  })
  afterAll(() => cluster?.remove())
  const bench: PostgresBench = {
    get cluster() {
      return started()
    },
    database: () => {
      const name = `test_${count + 1}`
      database ??= bench.run(`CREATE DATABASE ${name}`, 'postgres').then(() => {
        count++
        return name
      })
      return database
    },
    async open(more = {}) {
      const url = more.url ?? started().url({ database: await bench.database() })
      const store = await openPostgresStore({ ...more, url })
      stores.push(store)
      return store
    },
    async run(sql, name) {
      const client = postgres(started().url({ database: name ?? (await bench.database()) }), {
        max: 1,
        onnotice: () => {},
      })
      try {
        return await client.unsafe(sql)
      } finally {
        await client.end({ timeout: 5 })
      }
    },
  }
  return bench
}
