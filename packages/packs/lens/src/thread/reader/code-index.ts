/** Symbols and references as other packs ask for them: with absolute paths, and what each stands in. */
import { join } from 'node:path'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { IndexAnswer, IndexedReference, IndexedSymbol } from '@switchboard/toolkit'
import { type Scope, scopeCondition } from '../../scope.ts'
import { readAbout } from './about.ts'
import { matchOf } from './search.ts'

interface Row {
  readonly [column: string]: unknown
}

export interface CodeIndexReads {
  codeSearch: (text: string, limit: number, scope: Scope) => IndexAnswer<IndexedSymbol>
  codeDefinitions: (name: string, limit: number, scope: Scope) => IndexAnswer<IndexedSymbol>
  /** Undefined: the file is not indexed. */
  codeOutline: (root: number, path: string, scope: Scope) => IndexAnswer<IndexedSymbol> | undefined
  codeReferences: (name: string, limit: number, scope: Scope) => IndexAnswer<IndexedReference>
  codeCallsFrom: (
    place: { readonly root: number; readonly path: string; readonly line: number; readonly endLine: number },
    scope: Scope,
  ) => IndexAnswer<IndexedReference> | undefined
}

const SYMBOL = 's.content, s.ordinal, s.line, s.end_line, s.parent, n.text AS name, k.text AS kind, f.root, f.path'
const MAX_COUNT = 10_000

export function createCodeReads(database: TablesDatabase): CodeIndexReads {
  const count = (from: string, values: readonly (string | number)[]): number =>
    Number(
      database.handle.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ${MAX_COUNT})`).get(...values)
        ?.count,
    )
  const isComplete = (scope: Scope): boolean => readAbout(database, scope).completeness === 'complete'
  const symbolsOf = (rows: readonly Row[], scope: Scope): IndexedSymbol[] =>
    rows.map((row) => toSymbol(database, row, scope))
  const contentOf = (root: number, path: string): number | undefined => {
    const row = database.statement('SELECT content FROM kept_files WHERE root = ? AND path = ?').get(root, path)
    return row?.content == null ? undefined : Number(row.content)
  }
  return {
    codeSearch(text, limit, scope) {
      const match = matchOf(text)
      if (match === undefined) return { items: [], total: 0, isComplete: isComplete(scope) }
      const { sql, values } = scopeCondition(scope)
      const from = `FROM kept_name_words w CROSS JOIN kept_names n ON n.id = w.rowid CROSS JOIN kept_symbols s ON s.name = n.id
        CROSS JOIN kept_names k ON k.id = s.kind CROSS JOIN kept_files f ON f.content = s.content WHERE kept_name_words MATCH ? AND ${sql}`
      const rows = database.handle
        .prepare(
          `SELECT ${SYMBOL} ${from} ORDER BY n.text <> ?, lower(n.text) <> lower(?), length(n.text), n.text, f.path, s.line LIMIT ?`,
        )
        .all(match, ...values, text.trim(), text.trim(), limit)
      return { items: symbolsOf(rows, scope), total: count(from, [match, ...values]), isComplete: isComplete(scope) }
    },
    codeDefinitions(name, limit, scope) {
      const { sql, values } = scopeCondition(scope)
      const from = `FROM kept_names n CROSS JOIN kept_symbols s ON s.name = n.id CROSS JOIN kept_names k ON k.id = s.kind
        CROSS JOIN kept_files f ON f.content = s.content WHERE n.text = ? AND ${sql}`
      const rows = database.handle
        .prepare(`SELECT ${SYMBOL} ${from} ORDER BY f.path, s.line LIMIT ?`)
        .all(name, ...values, limit)
      return { items: symbolsOf(rows, scope), total: count(from, [name, ...values]), isComplete: isComplete(scope) }
    },
    codeOutline(root, path, scope) {
      const content = contentOf(root, path)
      if (content === undefined) return undefined
      const rows = database
        .statement(
          `SELECT s.content, s.ordinal, s.line, s.end_line, s.parent, n.text AS name, k.text AS kind, ? AS root, ? AS path
           FROM kept_symbols s JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind WHERE s.content = ? ORDER BY s.ordinal`,
        )
        .all(root, path, content)
      return { items: symbolsOf(rows, scope), total: rows.length, isComplete: true }
    },
    codeReferences(name, limit, scope) {
      const { sql, values } = scopeCondition(scope)
      const from = `FROM kept_names n CROSS JOIN kept_refs r ON r.name = n.id CROSS JOIN kept_files f ON f.content = r.content
        WHERE n.text = ? AND ${sql}`
      const rows = database.handle
        .prepare(
          `SELECT n.text AS name, r.content, r.line, r."column", r.is_call, r.within, f.root, f.path ${from} ORDER BY f.path, r.line LIMIT ?`,
        )
        .all(name, ...values, limit)
      const items = rows.map((row) => toReference(database, row, scope))
      return { items, total: count(from, [name, ...values]), isComplete: isComplete(scope) }
    },
    codeCallsFrom({ root, path, line, endLine }, scope) {
      const content = contentOf(root, path)
      if (content === undefined) return undefined
      const rows = database
        .statement(
          `SELECT n.text AS name, r.content, r.line, r."column", r.is_call, r.within, ? AS root, ? AS path FROM kept_refs r
           JOIN kept_names n ON n.id = r.name WHERE r.content = ? AND r.is_call = 1 AND r.line BETWEEN ? AND ? ORDER BY r.ordinal`,
        )
        .all(root, path, content, line, endLine)
      return { items: rows.map((row) => toReference(database, row, scope)), total: rows.length, isComplete: true }
    },
  }
}

function toSymbol(database: TablesDatabase, row: Row, scope: Scope): IndexedSymbol {
  const container = row.parent === null ? undefined : containerOf(database, Number(row.content), Number(row.parent))
  return {
    name: String(row.name),
    kind: String(row.kind),
    path: absoluteOf(scope, row),
    line: Number(row.line),
    endLine: Number(row.end_line),
    ...(container === undefined ? {} : { container }),
  }
}

function toReference(database: TablesDatabase, row: Row, scope: Scope): IndexedReference {
  const within = row.within === null ? undefined : symbolAt(database, Number(row.content), Number(row.within))
  return {
    name: String(row.name),
    path: absoluteOf(scope, row),
    line: Number(row.line),
    column: Number(row.column),
    isCall: row.is_call === 1,
    ...(within === undefined ? {} : { within }),
  }
}

function absoluteOf(scope: Scope, row: Row): string {
  return join(scope.find(({ root }) => root === row.root)?.rootPath ?? '', String(row.path))
}

function symbolAt(database: TablesDatabase, content: number, ordinal: number): IndexedReference['within'] {
  const row = database
    .statement(
      `SELECT s.line, s.parent, n.text AS name, k.text AS kind FROM kept_symbols s JOIN kept_names n ON n.id = s.name
       JOIN kept_names k ON k.id = s.kind WHERE s.content = ? AND s.ordinal = ?`,
    )
    .get(content, ordinal)
  if (row === undefined) return undefined
  const container = row.parent === null ? undefined : containerOf(database, content, Number(row.parent))
  return {
    ...{ name: String(row.name), kind: String(row.kind), line: Number(row.line) },
    ...(container === undefined ? {} : { container }),
  }
}

function containerOf(database: TablesDatabase, content: number, ordinal: number): string | undefined {
  const above = symbolAt(database, content, ordinal)
  if (above === undefined) return undefined
  return above.container === undefined ? above.name : `${above.container}.${above.name}`
}
