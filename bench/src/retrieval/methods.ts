/** What is compared: what an agent has without us, what a database does by itself, and our store. */
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@switchboard/store'
import { createTemporaryDirectory } from '@switchboard/testkit'
import type { Document } from './collections.ts'

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
    const store = await openSqliteStore({ file: folder.file('store.db') })
    const space = await store.space('bench')
    const common = { kind: 'document', scope: 'all', tags: [], data: {}, createdAt: 0, updatedAt: 0 }
    await space.put(documents.map(({ id, text }) => ({ ...common, id, text })))
    return {
      async search(question) {
        const { hits } = await space.search({ text: question, scopes: ['all'], limit: DEPTH })
        return hits.map(({ item }) => item.id)
      },
      async close() {
        await store.close()
        await folder.remove()
      },
    }
  },
}

export const METHODS: readonly Method[] = [grep, plain, ours]
