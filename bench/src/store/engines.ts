/** What is measured: the embedded store, and PostgreSQL where the environment names one by BENCH_POSTGRES_URL. */
import { openPostgresStore, openSqliteStore, type Store } from '@switchboard/store'
import { createTemporaryDirectory } from '@switchboard/testkit'

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

export function listEngines(environment: NodeJS.ProcessEnv = process.env): Engine[] {
  const { BENCH_POSTGRES_URL: url } = environment
  return url === undefined || url === '' ? [embedded] : [embedded, postgres(url)]
}
