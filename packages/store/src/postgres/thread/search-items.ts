/**
 * Finds candidates by the index of words, and lets the one ranking put them in order. What the ranking asks for while it works is
 * not at hand: it is run again once that was read, which costs little and keeps it the same for every engine.
 */
import type { Hit, SearchAnswer, SearchQuery } from '../../store.ts'
import { byWords, fuse } from '../../text/fuse.ts'
import { type Candidate, MAX_CANDIDATES, type Ranked, rank } from '../../text/rank.ts'
import { type QueryTerm, readQuery, type TextQuery } from '../../text/text-query.ts'
import { countItems } from './read-items.ts'
import { conditionsOf, ITEM_COLUMNS, itemsOf, toItem } from './rows.ts'
import { list, type ServerConnection } from './server-connection.ts'
import { findNearest } from './vectors.ts'

/** The usual ones of BM25, as the ranking has them. */
const K1 = 1.2
const B = 0.75

export async function searchItems(
  connection: ServerConnection,
  space: string,
  query: SearchQuery,
): Promise<SearchAnswer> {
  if (query.scopes.length === 0) return { hits: [], searched: 0 }
  // All of it sees the same moment, whatever is written meanwhile.
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const hits = await new ItemSearch(connection, space, query).find()
  const answer = hits.length > 0 ? { hits } : { hits, searched: await countItems(connection, space, query) }
  await connection.query('COMMIT')
  return answer
}

class ItemSearch {
  readonly #connection: ServerConnection
  readonly #space: string
  readonly #query: SearchQuery
  readonly #frequencies = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  #size = 0
  #meanLength = 0

  constructor(connection: ServerConnection, space: string, query: SearchQuery) {
    this.#connection = connection
    this.#space = space
    this.#query = query
  }

  async find(): Promise<Hit[]> {
    const ranked = await this.#rankTexts()
    const { vector, limit } = this.#query
    const depth = Math.max(limit, MAX_CANDIDATES)
    const nearest =
      vector === undefined ? undefined : await findNearest(this.#connection, this.#space, this.#query, vector, depth)
    const fused = (nearest === undefined ? byWords(ranked) : fuse(ranked, nearest.near)).slice(0, limit)
    const keys = fused.map(({ key }) => key)
    const similarities = await nearest?.similaritiesOf(keys)
    const sql = `SELECT ${ITEM_COLUMNS} FROM ${itemsOf(this.#space)} WHERE i.number = ANY($1::int[])`
    const rows = keys.length === 0 ? [] : await this.#connection.query(sql, [list(keys)])
    const items = new Map(rows.map((row) => [Number(row.number), toItem(row)]))
    return fused.flatMap(({ key, ...found }) => {
      const item = items.get(key)
      const similarity = similarities?.get(key)
      return item === undefined ? [] : [{ item, ...found, ...(similarity === undefined ? {} : { similarity }) }]
    })
  }

  async #rankTexts(): Promise<Ranked[]> {
    const count = 'SELECT items, terms FROM spaces WHERE name = $1'
    const [row] = await this.#connection.query(count, [this.#space])
    this.#size = Number(row?.items ?? 0)
    this.#meanLength = Number(row?.terms ?? 0) / Math.max(1, this.#size)
    const asked = await this.#learn((frequenciesOf) => readQuery(this.#query.text, frequenciesOf))
    const candidates = asked.rarest.length === 0 ? [] : await this.#candidates(asked)
    if (candidates.length === 0) return []
    const collection = { size: this.#size, meanLength: this.#meanLength }
    return await this.#learn((frequenciesOf) => rank(asked, candidates, { ...collection, frequenciesOf }))
  }

  /** Does the work again, until it asked for nothing that was not known. */
  async #learn<T>(work: (frequenciesOf: (terms: readonly string[]) => ReadonlyMap<string, number>) => T): Promise<T> {
    for (;;) {
      const unknown = new Set<string>()
      const result = work((terms) => {
        for (const term of terms) if (!this.#frequencies.has(term)) unknown.add(term)
        return this.#frequencies
      })
      if (unknown.size === 0) return result
      const sql = `SELECT number, term, items FROM ${this.#space}_terms WHERE term = ANY($1::text[])`
      const rows = await this.#connection.query(sql, [list([...unknown])])
      for (const term of unknown) this.#frequencies.set(term, 0)
      for (const row of rows) {
        this.#frequencies.set(String(row.term), Number(row.items))
        this.#numbers.set(String(row.term), Number(row.number))
      }
    }
  }

  /** The best by BM25, computed by the server from its index of words. */
  async #candidates({ rarest }: TextQuery): Promise<Candidate[]> {
    const known = rarest.flatMap(({ text, frequency }) => {
      const number = this.#numbers.get(text)
      return number === undefined ? [] : [{ number, weight: this.#rarity(frequency) }]
    })
    const { tags = [] } = this.#query
    const first = [
      list(known.map(({ number }) => number)),
      list(known.map(({ weight }) => weight)),
      K1 * (1 - B),
      (K1 * B) / Math.max(1, this.#meanLength),
    ]
    const { where, values } = conditionsOf(this.#space, this.#query, first)
    // Only tags are not in the index of words itself.
    const from = tags.length === 0 ? '' : `JOIN ${this.#space}_items AS i ON i.number = p.item`
    const sql = `WITH best AS (
        SELECT p.item FROM unnest($1::int[], $2::float8[]) AS asked (term, weight)
        JOIN ${this.#space}_postings AS p ON p.term = asked.term ${from}
        WHERE ${tags.length === 0 ? where.replace('i.shelf', 'p.shelf') : where}
        GROUP BY p.item
        ORDER BY sum(asked.weight * p.count / (p.count + $3::float8 + $4::float8 * p.length)) DESC, p.item
        LIMIT ${MAX_CANDIDATES})
      SELECT i.number, i.terms FROM best JOIN ${this.#space}_items AS i ON i.number = best.item`
    const rows = await this.#connection.query(sql, values)
    return rows.map((row) => ({ key: Number(row.number), terms: String(row.terms).split(' ') }))
  }

  #rarity(frequency: QueryTerm['frequency']): number {
    return Math.log(1 + (Math.max(0, this.#size - frequency) + 0.5) / (frequency + 0.5))
  }
}
