/** What is compared: what an agent has without us, what a database does by itself, and our store. */
import { DatabaseSync } from 'node:sqlite'
import { openPostgresStore, openSqliteStore, type Store } from '@switchboard/store'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { findPostgres, PostgresCluster } from '@switchboard/testkit/postgres'
import type { Document } from './collections.ts'
import { type BenchEncoder, findEncoder } from './encoder.ts'

export interface Searching {
  /** The ids of the best ten, the best first. */
  search(question: string): Promise<string[]>
  close(): Promise<void>
}

export interface Method {
  readonly name: string
  load(documents: readonly Document[]): Promise<Searching>
}

const DEPTH = 10
const WORDS = /[\p{L}\p{N}_]+/gu

const wordsOf = (text: string): string[] => [...new Set([...text.toLowerCase().matchAll(WORDS)].map(([word]) => word))]

/** Each word of the question looked for in every text, as `grep -ic` would; the text with most of them first. */
const grep: Method = {
  name: 'grep',
  async load(documents) {
    const texts = documents.map(({ id, text }) => ({ id, text: text.toLowerCase() }))
    return {
      async search(question) {
        const words = wordsOf(question)
        const counted = texts.map(({ id, text }) => ({
          id,
          text,
          count: words.filter((word) => text.includes(word)).length,
        }))
        return counted
          .filter(({ count }) => count > 0)
          .sort((a, b) => b.count - a.count || a.text.length - b.text.length)
          .slice(0, DEPTH)
          .map(({ id }) => id)
      },
      close: async () => undefined,
    }
  },
}

/** SQLite's own full-text search with its defaults, any of the words. */
const plain: Method = {
  name: 'plain FTS5',
  async load(documents) {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE VIRTUAL TABLE texts USING fts5 (id UNINDEXED, text)')
    const insert = database.prepare('INSERT INTO texts VALUES (?, ?)')
    database.exec('BEGIN')
    for (const { id, text } of documents) insert.run(id, text)
    database.exec('COMMIT')
    const select = database.prepare('SELECT id FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?')
    return {
      async search(question) {
        const words = wordsOf(question)
        const match = words.map((word) => `"${word}"`).join(' OR ')
        return words.length === 0 ? [] : select.all(match, DEPTH).map(({ id }) => String(id))
      },
      close: async () => database.close(),
    }
  },
}

const ours: Method = {
  name: 'Switchboard',
  async load(documents) {
    const folder = await createTemporaryDirectory()
    return await fill(await openSqliteStore({ file: folder.file('store.db') }), documents, () => folder.remove())
  },
}

const onPostgres: Method = {
  name: 'Switchboard, PostgreSQL',
  async load(documents) {
    const cluster = await PostgresCluster.start({ hasVectors: false })
    return await fill(await openPostgresStore({ url: cluster.url() }), documents, () => cluster.remove())
  },
}

/** Words and meaning together. */
const hybrid = (encoder: BenchEncoder): Method => ({
  name: 'Switchboard, hybrid',
  async load(documents) {
    const folder = await createTemporaryDirectory()
    const store = await openSqliteStore({ file: folder.file('store.db') })
    return await fill(store, documents, () => folder.remove(), encoder)
  },
})

async function fill(
  store: Store,
  documents: readonly Document[],
  remove: () => Promise<void>,
  encoder?: BenchEncoder,
): Promise<Searching> {
  const space = await store.space('bench')
  const common = { kind: 'document', scope: 'all', tags: [], data: {}, createdAt: 0, updatedAt: 0 }
  await space.put(documents.map(({ id, text }) => ({ ...common, id, text })))
  if (encoder !== undefined) {
    const vectors = await encoder.encode(documents.map(({ text }) => text))
    await space.putVectors(
      encoder.model,
      vectors.map((values, place) => ({ id: documents[place]?.id ?? '', revision: 1, values })),
    )
  }
  const encode = async (question: string) => {
    const [values] = (await encoder?.encode([question])) ?? []
    return encoder === undefined || values === undefined ? {} : { vector: { model: encoder.model, values } }
  }
  return {
    async search(question) {
      const query = { text: question, scopes: ['all'], limit: DEPTH, ...(await encode(question)) }
      const { hits } = await space.search(query)
      return hits.map(({ item }) => item.id)
    },
    async close() {
      await store.close()
      await remove()
    },
  }
}

/** With PostgreSQL where the machine has one, and hybrid where the environment names an encoder. */
export function listMethods(): Method[] {
  const encoder = findEncoder()
  return [
    grep,
    plain,
    ours,
    ...(findPostgres() === undefined ? [] : [onPostgres]),
    ...(encoder === undefined ? [] : [hybrid(encoder)]),
  ]
}
