/** What is measured: the embedded store and, beside it, the same on PostgreSQL. */
import { openPostgresStore, openSqliteStore, type Store } from '@switchboard/store'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { findPostgres, POSTGRES_MISSING, PostgresCluster } from '@switchboard/testkit/postgres'

export interface OpenedStore {
  readonly store: Store
  /** Each run has one of its own. */
  readonly space: string
  remove(): Promise<void>
}

export interface Engine {
  readonly name: string
  /** Rows that are worth waiting for. */
  readonly mostRows: number
  open(): Promise<OpenedStore>
}

const embedded: Engine = {
  name: 'embedded',
  mostRows: 1_000_000,
  async open() {
    const folder = await createTemporaryDirectory()
    const store = await openSqliteStore({ file: folder.file('store.db') })
    return {
      store,
      space: 'bench',
      async remove() {
        await store.close()
        await folder.remove()
      },
    }
  },
}

const postgres = (url: string): Engine => ({
  name: 'PostgreSQL',
  mostRows: 100_000,
  async open() {
    const store = await openPostgresStore({ url })
    const space = `bench_${Date.now().toString(36)}`
    return {
      store,
      space,
      async remove() {
        const own = await store.space(space)
        for (let page = await own.walk(undefined, 1_000); page.length > 0; page = await own.walk(undefined, 1_000)) {
          await own.remove(page.map(({ id }) => id))
        }
        await store.close()
      },
    }
  },
})

export interface Engines extends AsyncDisposable {
  readonly all: readonly Engine[]
  /** What could not be measured, and why. */
  readonly leftOut: readonly string[]
}

/** PostgreSQL is the one that BENCH_POSTGRES_URL names; else one that is started for this run, where the machine has it. */
export async function openEngines(environment: NodeJS.ProcessEnv = process.env): Promise<Engines> {
  const { BENCH_POSTGRES_URL: url = '' } = environment
  const nothing = { leftOut: [], [Symbol.asyncDispose]: () => Promise.resolve() }
  if (url !== '') return { ...nothing, all: [embedded, postgres(url)] }
  if (findPostgres()?.pgvector === undefined) {
    return { ...nothing, all: [embedded], leftOut: [`PostgreSQL: ${POSTGRES_MISSING}`] }
  }
  const cluster = await PostgresCluster.start()
  return { all: [embedded, postgres(cluster.url())], leftOut: [], [Symbol.asyncDispose]: () => cluster.remove() }
}
