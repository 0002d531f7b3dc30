/** Finds candidates by the index of the engine, and lets the one ranking put them in order. */
import type { Hit, SearchAnswer, SearchQuery } from '../../store.ts'
import { type Collection, MAX_CANDIDATES, MAX_QUERY_TERMS, type QueryTerm, rank } from '../../text/rank.ts'
import { tokenize, tokenizeQuery } from '../../text/tokenize.ts'
import type { Database } from './database.ts'
import { countItems } from './read-items.ts'
import { ITEM_COLUMNS, kindWord, scopeWord, tagWord, toItem } from './rows.ts'

export class ItemSearch {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  search(space: string, query: SearchQuery): SearchAnswer {
    const hits = query.scopes.length === 0 ? [] : this.#find(space, query)
    if (hits.length > 0) return { hits }
    return { hits, searched: query.scopes.length === 0 ? 0 : countItems(this.#database, space, query) }
  }

  #find(space: string, query: SearchQuery): Hit[] {
    const collection = this.#collection(space)
    const terms = this.#termsOf(query.text, collection)
    if (terms.length === 0) return []
    const numbers = this.#candidates(space, query, terms)
    if (numbers.length === 0) return []
    const candidates = this.#select(`SELECT rowid, terms FROM ${space}_text WHERE rowid`, numbers).map((row) => ({
      key: Number(row.rowid),
      terms: String(row.terms).split(' '),
    }))
    const ranked = rank(terms, tokenize(query.text), candidates, collection).slice(0, query.limit)
    const rows = this.#select(
      `SELECT ${ITEM_COLUMNS} FROM ${space}_items WHERE number`,
      ranked.map(({ key }) => key),
    )
    const items = new Map(rows.map((row) => [Number(row.number), toItem(row)]))
    return ranked.flatMap(({ key, score }) => {
      const item = items.get(key)
      return item === undefined ? [] : [{ item, score }]
    })
  }

  /** The rarest ones that stand anywhere at all. */
  #termsOf(text: string, collection: Collection): QueryTerm[] {
    const terms = tokenizeQuery(text)
    const frequencies = collection.frequenciesOf([...terms.keys()])
    return [...terms]
      .map(([term, { isName, count }]) => ({ text: term, isName, count, frequency: frequencies.get(term) ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => a.frequency - b.frequency)
      .slice(0, MAX_QUERY_TERMS)
  }

  #candidates(space: string, { scopes, kinds, tags = [] }: SearchQuery, terms: readonly QueryTerm[]): number[] {
    const words = (column: string, of: readonly string[], operator: 'AND' | 'OR'): string =>
      `${column} : (${of.map((word) => `"${word}"`).join(` ${operator} `)})`
    const match = [
      words('scope', scopes.map(scopeWord), 'OR'),
      ...(kinds === undefined ? [] : [words('kind', kinds.map(kindWord), 'OR')]),
      ...(tags.length === 0 ? [] : [words('tags', tags.map(tagWord), 'AND')]),
      words(
        'terms',
        terms.map(({ text }) => text),
        'OR',
      ),
    ].join(' AND ')
    return this.#database
      .statement(`SELECT rowid FROM ${space}_text WHERE ${space}_text MATCH ? ORDER BY rank LIMIT ?`)
      .all(match, MAX_CANDIDATES)
      .map((row) => Number(row.rowid))
  }

  #select(start: string, numbers: readonly number[]): Record<string, unknown>[] {
    return this.#database.statement(`${start} IN (SELECT value FROM json_each(?))`).all(JSON.stringify(numbers))
  }

  #collection(space: string): Collection {
    const row = this.#database.statement('SELECT items, terms FROM switchboard_spaces WHERE name = ?').get(space)
    const size = Number(row?.items ?? 0)
    return {
      size,
      meanLength: Number(row?.terms ?? 0) / Math.max(1, size),
      frequenciesOf: (terms) => {
        const statement = this.#database.statement(`SELECT doc FROM ${space}_terms WHERE term = ?`)
        return new Map(terms.map((term) => [term, Number(statement.get(term)?.doc ?? 0)]))
      },
    }
  }
}
