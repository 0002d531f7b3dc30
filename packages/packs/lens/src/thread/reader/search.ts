/** Symbols, text and files in one question. Nothing but what was asked for is ever found: a near name is no hit. */
import { readSource } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import { queryWords } from '../../extract/words.ts'
import { type Scope, scopeCondition, shownPath } from '../../scope.ts'
import { type About, isStale, readAbout } from './about.ts'

export interface IndexSearch {
  readonly query: string
  readonly scope: Scope
  readonly groups: readonly ('symbols' | 'text' | 'files')[]
  readonly limit: number
  readonly offset: number
  readonly kind?: string | undefined
  /** A part of the path. */
  readonly path?: string | undefined
  readonly language?: string | undefined
}

export interface Place {
  readonly path: string
  readonly line: number
  readonly stale: boolean
}

export interface SymbolHit extends Place {
  readonly name: string
  readonly kind: string
  readonly detail?: string
}

export interface LineHit extends Place {
  readonly text: string
}

export interface Group<T> {
  readonly items: readonly T[]
  readonly total: number
  /** There are at least so many. */
  readonly isLowerBound: boolean
}

export interface SearchResult {
  readonly about: About
  readonly symbols?: Group<SymbolHit>
  readonly text?: Group<LineHit>
  readonly files?: Group<{ readonly path: string }>
}

/** So far it is counted. */
const MAX_COUNT = 10_000
const MAX_FILE = 20_000_000

interface Row {
  readonly [column: string]: unknown
}

export function search(database: TablesDatabase, query: IndexSearch): SearchResult {
  const about = readAbout(database, query.scope)
  const wants = (group: IndexSearch['groups'][number]): boolean => query.groups.includes(group)
  return {
    about,
    ...(wants('symbols') ? { symbols: searchSymbols(database, query) } : {}),
    ...(wants('text') ? { text: searchText(database, query) } : {}),
    ...(wants('files') ? { files: searchFiles(database, query) } : {}),
  }
}

/** Every word; one with a `*` at its end is a beginning. */
export function matchOf(query: string): string | undefined {
  const words = queryWords(query)
  if (words.length === 0) return undefined
  const isOpen = (word: string): boolean => query.toLowerCase().includes(`${word}*`)
  return words.map((word) => `"${word}"${isOpen(word) ? '*' : ''}`).join(' AND ')
}

function narrow({ scope, path, language }: IndexSearch): { sql: string; values: (string | number)[] } {
  const { sql, values } = scopeCondition(scope)
  const conditions = [sql]
  const all = [...values]
  if (path !== undefined) {
    conditions.push('instr(f.path, ?) > 0')
    all.push(path)
  }
  if (language !== undefined) {
    conditions.push('c.language = ?')
    all.push(language)
  }
  return { sql: conditions.join(' AND '), values: all }
}

function searchSymbols(database: TablesDatabase, query: IndexSearch): Group<SymbolHit> {
  const match = matchOf(query.query)
  if (match === undefined) return { items: [], total: 0, isLowerBound: false }
  const { sql, values } = narrow(query)
  const kind = query.kind === undefined ? '' : ' AND k.text = ?'
  const given = [...values, ...(query.kind === undefined ? [] : [query.kind])]
  const wanted = query.query.trim()
  const select = (from: string): string =>
    `SELECT n.text AS name, k.text AS kind, s.line, s.detail, s.parent, f.path, f.root, f.stamp ${from}
     CROSS JOIN kept_symbols s ON s.name = n.id CROSS JOIN kept_names k ON k.id = s.kind CROSS JOIN kept_files f ON f.content = s.content
     CROSS JOIN kept_contents c ON c.id = s.content WHERE ${sql}${kind}`
  // What is called exactly so is there however many others have that word; of those no more are looked at than are counted.
  const rows = database.handle
    .prepare(
      `SELECT *, count(*) OVER () AS total FROM (
         SELECT * FROM (${select('FROM kept_names n')} AND n.text = ? LIMIT ${MAX_COUNT})
         UNION ALL SELECT * FROM (${select('FROM kept_name_words w CROSS JOIN kept_names n ON n.id = w.rowid')}
           AND kept_name_words MATCH ? AND n.text <> ? LIMIT ${MAX_COUNT}))
       ORDER BY name <> ?, lower(name) <> lower(?), parent IS NOT NULL, length(name), name, path, line LIMIT ? OFFSET ?`,
    )
    .all(...given, wanted, ...given, match, wanted, wanted, wanted, query.limit, query.offset)
  // Behind the last of them there is no row that tells how many there are.
  if (rows.length === 0 && query.offset > 0) {
    return { ...searchSymbols(database, { ...query, limit: 1, offset: 0 }), items: [] }
  }
  const total = Number(rows[0]?.total ?? 0)
  const items = rows.map((row) => ({
    name: String(row.name),
    kind: String(row.kind),
    ...(row.detail === null ? {} : { detail: String(row.detail) }),
    ...placeOf(query.scope, row, Number(row.line)),
  }))
  return { items, total: Math.min(total, MAX_COUNT), isLowerBound: total >= MAX_COUNT }
}

function searchText(database: TablesDatabase, query: IndexSearch): Group<LineHit> {
  const match = matchOf(query.query)
  if (match === undefined) return { items: [], total: 0, isLowerBound: false }
  const { sql, values } = narrow(query)
  const from = `FROM kept_words w CROSS JOIN kept_files f ON f.content = w.rowid CROSS JOIN kept_contents c ON c.id = f.content
    WHERE kept_words MATCH ? AND ${sql}`
  const total = countRows(database, from, [match, ...values])
  const rows = database.handle
    .prepare(`SELECT f.path, f.root, f.stamp, c.hash ${from} LIMIT ? OFFSET ?`)
    .all(match, ...values, query.limit, query.offset)
  return { items: rows.map((row) => findLine(query, row)), ...total }
}

/** The first line with all of it, else with most of its words; of a file that is gone the index still knows that it was there. */
function findLine({ query, scope }: IndexSearch, row: Row): LineHit {
  const rootPath = scope.find(({ root }) => root === row.root)?.rootPath ?? ''
  const source = readSource(rootPath, String(row.path), MAX_FILE, { anyLines: true })
  if (typeof source === 'string') return { ...placeOf(scope, row, 0), text: '', stale: true }
  const phrase = query.trim().replace(/^"|"$/g, '').toLowerCase()
  const words = queryWords(query)
  let best = { line: 0, score: 0, text: '' }
  let line = 0
  for (const text of source.text.split('\n')) {
    line++
    const small = text.toLowerCase()
    const score = small.includes(phrase) ? words.length + 1 : words.filter((word) => small.includes(word)).length
    if (score > best.score) best = { line, score, text: text.trim() }
    if (score > words.length) break
  }
  return { ...placeOf(scope, row, best.line), text: best.text, stale: source.hash !== row.hash }
}

function searchFiles(database: TablesDatabase, query: IndexSearch): Group<{ path: string }> {
  const wanted = query.query.trim().replaceAll('\\', '/').replace(/\*$/, '').toLowerCase()
  const { sql, values } = narrow(query)
  const rows = database.handle
    .prepare(
      `SELECT f.path, f.root FROM kept_files f LEFT JOIN kept_contents c ON c.id = f.content
       WHERE instr(lower(f.path), ?) > 0 AND ${sql} LIMIT ${MAX_COUNT}`,
    )
    .all(wanted, ...values)
    .map(({ path, root }) => ({ path: String(path), root: Number(root) }))
  // Looking at every path takes long enough to do it once.
  rows.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  return {
    items: rows
      .slice(query.offset, query.offset + query.limit)
      .map(({ path, root }) => ({ path: shownPath(query.scope, root, path) })),
    total: rows.length,
    isLowerBound: rows.length === MAX_COUNT,
  }
}

function countRows(
  database: TablesDatabase,
  from: string,
  values: readonly (string | number)[],
): { total: number; isLowerBound: boolean } {
  const row = database.handle
    .prepare(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ${MAX_COUNT})`)
    .get(...values)
  const total = Number(row?.count ?? 0)
  return { total, isLowerBound: total === MAX_COUNT }
}

function placeOf(scope: Scope, row: Row, line: number): Place {
  const part = scope.find(({ root }) => root === row.root)
  const stale = part === undefined ? true : isStale(part.rootPath, String(row.path), String(row.stamp))
  return { path: shownPath(scope, Number(row.root), String(row.path)), line, stale }
}
