/** Finds candidates by the index of the engine, and lets the one ranking put them in order. */
import type { Hit, QueryVector, SearchAnswer, SearchQuery } from '../../store.ts'
import { byWords, fuse } from '../../text/fuse.ts'
import { type Candidate, type Collection, MAX_CANDIDATES, type Ranked, rank } from '../../text/rank.ts'
import { type QueryTerm, readQuery } from '../../text/text-query.ts'
import { tokenize } from '../../text/tokenize.ts'
import type { Database } from './database.ts'
import { Frequencies } from './frequencies.ts'
import { conditionsOf, countItems } from './read-items.ts'
import { ITEM_COLUMNS, kindWord, scopeWord, tagWord, toItem } from './rows.ts'
import { type MayBeSeen, type Nearest, VectorIndex } from './vectors/vector-index.ts'

/** Characters of all candidates together, and of each at least. */
const MAX_READ = 16 * 1024 * 1024
const MIN_READ = 10_000

/** Texts that the engine weighs to find the candidates. */
const MAX_WEIGHED = 20_000

export class ItemSearch {
  readonly #database: Database
  /** By space and model. */
  readonly #vectors = new Map<string, VectorIndex>()
  readonly #frequencies = new Map<string, Frequencies>()

  constructor(database: Database) {
    this.#database = database
  }

  /** All of it sees the same moment, whatever is written meanwhile. */
  search(space: string, query: SearchQuery): SearchAnswer {
    if (query.scopes.length === 0) return { hits: [], searched: 0 }
    this.#database.handle.exec('BEGIN')
    try {
      const hits = this.#find(space, query)
      return hits.length > 0 ? { hits } : { hits, searched: this.#count(space, query) }
    } finally {
      this.#database.handle.exec('COMMIT')
    }
  }

  #find(space: string, query: SearchQuery): Hit[] {
    const ranked = this.#rankTexts(space, query)
    const nearest = query.vector === undefined ? undefined : this.#findNearest(space, query, query.vector)
    const fused = (nearest === undefined ? byWords(ranked) : fuse(ranked, nearest.near)).slice(0, query.limit)
    const rows = this.#select(
      `SELECT ${ITEM_COLUMNS} FROM ${space}_items WHERE number`,
      fused.map(({ key }) => key),
    )
    const items = new Map(rows.map((row) => [Number(row.number), toItem(row)]))
    return fused.flatMap(({ key, ...found }) => {
      const item = items.get(key)
      const similarity = nearest?.similarityOf(key)
      return item === undefined ? [] : [{ item, ...found, ...(similarity === undefined ? {} : { similarity }) }]
    })
  }

  #rankTexts(space: string, query: SearchQuery): Ranked[] {
    const collection = this.#collection(space)
    const asked = readQuery(query.text, collection.frequenciesOf)
    const numbers = asked.rarest.length === 0 ? [] : this.#candidates(space, query, asked.rarest)
    return numbers.length === 0 ? [] : rank(asked, this.#readCandidates(space, numbers), collection)
  }

  /** The best first, as far as the engine knows. Of very long texts their beginning must do. */
  #readCandidates(space: string, numbers: readonly number[]): Candidate[] {
    const read = this.#database.statement(`SELECT text FROM ${space}_items WHERE number = ?`)
    let left = MAX_READ
    return numbers.map((key) => {
      const text = String(read.get(key)?.text ?? '').slice(0, Math.max(left, MIN_READ))
      left -= text.length
      return { key, terms: tokenize(text) }
    })
  }

  #findNearest(space: string, query: SearchQuery, { model, values }: QueryVector): Nearest | undefined {
    const key = `${space} ${model}`
    const row = this.#database.statement(`SELECT number, dimension FROM ${space}_models WHERE name = ?`).get(model)
    if (row === undefined) {
      this.#vectors.delete(key)
      return undefined
    }
    const [number, dimension] = [Number(row.number), Number(row.dimension)]
    let known = this.#vectors.get(key)
    if (known?.model !== number) known = undefined
    const index = known ?? new VectorIndex(space, number, dimension)
    if (!index.refresh(this.#database)) {
      // Once more, from nothing: that misses nothing.
      this.#vectors.delete(key)
      return this.#findNearest(space, query, { model, values })
    }
    this.#vectors.set(key, index)
    const depth = Math.max(query.limit, MAX_CANDIDATES)
    return index.search(values, depth, this.#mayBeSeen(space, query))
  }

  #mayBeSeen(space: string, query: SearchQuery): MayBeSeen {
    const scopes = query.scopes === 'all' ? undefined : new Set(query.scopes)
    const kinds = query.kinds === undefined ? undefined : new Set(query.kinds)
    const tagged = query.tags === undefined || query.tags.length === 0 ? undefined : this.#numbersOf(space, query)
    return ({ item, scope, kind }) =>
      (scopes?.has(scope) ?? true) && (kinds?.has(kind) ?? true) && (tagged?.has(item) ?? true)
  }

  #numbersOf(space: string, query: SearchQuery): Set<number> {
    const { where, values } = conditionsOf(query)
    const rows = this.#database.statement(`SELECT number FROM ${space}_items WHERE ${where}`).all(...values)
    return new Set(rows.map((row) => Number(row.number)))
  }

  /** By tags the search index counts: the table would have to look into the tags of every row. */
  #count(space: string, query: SearchQuery): number {
    if ((query.tags ?? []).length === 0) return countItems(this.#database, space, query)
    const sql = `SELECT count(*) AS total FROM ${space}_text WHERE ${space}_text MATCH ?`
    return Number(this.#database.statement(sql).get(selectionOf(query).join(' AND '))?.total)
  }

  #candidates(space: string, query: SearchQuery, terms: readonly QueryTerm[]): number[] {
    const few = withinBudget(terms)
    const found = this.#findAny(space, query, few)
    // What is rare may be so in other scopes only.
    return found.length === MAX_CANDIDATES || few.length === terms.length ? found : this.#findAny(space, query, terms)
  }

  #findAny(space: string, query: SearchQuery, terms: readonly QueryTerm[]): number[] {
    const asked = matching(
      'terms',
      terms.map(({ text }) => text),
      'OR',
    )
    const match = [...selectionOf(query), asked].join(' AND ')
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
    const known = this.#frequencies.get(space) ?? new Frequencies(this.#database, space)
    this.#frequencies.set(space, known)
    return {
      size,
      meanLength: Number(row?.terms ?? 0) / Math.max(1, size),
      frequenciesOf: (terms) => known.of(terms, size),
    }
  }
}

function matching(column: string, words: readonly string[], operator: 'AND' | 'OR'): string {
  return `${column} : (${words.map((word) => `"${word}"`).join(` ${operator} `)})`
}

function selectionOf({ scopes, kinds, tags = [] }: SearchQuery): string[] {
  return [
    ...(scopes === 'all' ? [] : [matching('scope', scopes.map(scopeWord), 'OR')]),
    ...(kinds === undefined ? [] : [matching('kind', kinds.map(kindWord), 'OR')]),
    ...(tags.length === 0 ? [] : [matching('tags', tags.map(tagWord), 'AND')]),
  ]
}

/**
 * Terms by which candidates are found: the rarest, as long as all of them together stand in few enough texts. What stands nearly
 * everywhere hardly changes who is among the first, and would have the engine weigh every text.
 */
function withinBudget(rarest: readonly QueryTerm[]): QueryTerm[] {
  let left = MAX_WEIGHED
  return rarest.filter(({ frequency }, place) => {
    left -= frequency
    return place === 0 || left >= 0
  })
}
