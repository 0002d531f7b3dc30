/** One name: where it is defined, where it is used, and by whom. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { type Scope, scopeCondition, shownPath } from '../../scope.ts'
import { type About, isStale, readAbout } from './about.ts'

export interface SymbolQuery {
  readonly name: string
  readonly scope: Scope
  readonly kind?: string | undefined
  /** A part of the path of the definition. */
  readonly path?: string | undefined
  readonly limit: number
}

export interface DefinitionPlace {
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly detail?: string
  /** What it stands in. */
  readonly within?: string
  readonly stale: boolean
}

export interface ReferencePlace {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly within?: string
  readonly isCall: boolean
}

export interface SymbolResult {
  readonly about: About
  readonly definitions: readonly DefinitionPlace[]
  readonly definitionCount: number
  readonly references: readonly ReferencePlace[]
  readonly referenceCount: number
  readonly callerCount: number
  /** Names that differ in their letters' size only: no hits, and said as such. */
  readonly otherCase: readonly string[]
}

const MAX_COUNT = 10_000

export function findSymbol(database: TablesDatabase, query: SymbolQuery): SymbolResult {
  const { name, scope, kind, path, limit } = query
  const about = readAbout(database, scope)
  const { sql, values } = scopeCondition(scope)
  const id = database.statement('SELECT id FROM kept_names WHERE text = ?').get(name)?.id
  const narrowed = `${kind === undefined ? '' : ' AND k.text = ?'}${path === undefined ? '' : ' AND instr(f.path, ?) > 0'}`
  const given = [
    Number(id ?? -1),
    ...values,
    ...(kind === undefined ? [] : [kind]),
    ...(path === undefined ? [] : [path]),
  ]
  const fromSymbols = `FROM kept_symbols s CROSS JOIN kept_names k ON k.id = s.kind CROSS JOIN kept_files f ON f.content = s.content
    WHERE s.name = ? AND ${sql}${narrowed}`
  const definitions = database.handle
    .prepare(
      `SELECT k.text AS kind, s.line, s."column", s.end_line, s.detail, f.path, f.root, f.stamp, pn.text AS parent ${fromSymbols.replace(
        ' WHERE',
        ' LEFT JOIN kept_symbols p ON p.content = s.content AND p.ordinal = s.parent LEFT JOIN kept_names pn ON pn.id = p.name WHERE',
      )} ORDER BY f.path, s.line LIMIT ?`,
    )
    .all(...given, limit)
  const fromRefs = `FROM kept_refs r CROSS JOIN kept_files f ON f.content = r.content WHERE r.name = ? AND ${sql}`
  const refs = database.handle
    .prepare(
      `SELECT r.line, r."column", r.is_call, f.path, f.root, wn.text AS within ${fromRefs.replace(
        ' WHERE',
        ' LEFT JOIN kept_symbols w ON w.content = r.content AND w.ordinal = r.within LEFT JOIN kept_names wn ON wn.id = w.name WHERE',
      )} ORDER BY f.path, r.line LIMIT ?`,
    )
    .all(Number(id ?? -1), ...values, limit)
  return {
    about,
    definitions: definitions.map((row) => ({
      name,
      kind: String(row.kind),
      path: shownPath(scope, Number(row.root), String(row.path)),
      line: Number(row.line),
      column: Number(row.column),
      endLine: Number(row.end_line),
      ...(row.detail === null ? {} : { detail: String(row.detail) }),
      ...(row.parent === null ? {} : { within: String(row.parent) }),
      stale: isStale(rootPathOf(scope, Number(row.root)), String(row.path), String(row.stamp)),
    })),
    definitionCount: count(database, fromSymbols, given),
    references: refs.map((row) => ({
      path: shownPath(scope, Number(row.root), String(row.path)),
      line: Number(row.line),
      column: Number(row.column),
      ...(row.within === null ? {} : { within: String(row.within) }),
      isCall: row.is_call === 1,
    })),
    referenceCount: count(database, fromRefs, [Number(id ?? -1), ...values]),
    callerCount: count(database, `${fromRefs} AND r.is_call = 1`, [Number(id ?? -1), ...values]),
    otherCase: definitions.length > 0 ? [] : findOtherCase(database, name, sql, values),
  }
}

function findOtherCase(
  database: TablesDatabase,
  name: string,
  sql: string,
  values: readonly (string | number)[],
): string[] {
  const word = name.toLowerCase()
  if (!/^[\p{L}\p{N}_]+$/u.test(word)) return []
  const rows = database.handle
    .prepare(
      `SELECT DISTINCT n.text FROM kept_name_words w CROSS JOIN kept_names n ON n.id = w.rowid CROSS JOIN kept_symbols s ON s.name = n.id
       CROSS JOIN kept_files f ON f.content = s.content WHERE kept_name_words MATCH ? AND lower(n.text) = ? AND ${sql} LIMIT 5`,
    )
    .all(`"${word}"`, word, ...values)
  return rows.map(({ text }) => String(text)).filter((text) => text !== name)
}

const rootPathOf = (scope: Scope, root: number): string => scope.find((part) => part.root === root)?.rootPath ?? ''

function count(database: TablesDatabase, from: string, values: readonly (string | number)[]): number {
  const row = database.handle
    .prepare(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ${MAX_COUNT})`)
    .get(...values)
  return Number(row?.count ?? 0)
}
