/** Symbols and references as other packs ask for them: by name, with what they stand in. */
import type { TablesDatabase } from '@switchboard/store/tables'
import type { IndexAnswer, IndexedReference, IndexedSymbol } from '@switchboard/toolkit'
import { type Scope, scopeCondition } from '../../scope.ts'
import { readAbout } from './about.ts'
import { matchOf } from './search.ts'

/** Deeper nesting is told without what is around it. */
const MAX_DEPTH = 8
const MAX_ROWS = 5_000
const MAX_COUNT = 10_000

/** symbols: by words. definitions: by the very name. */
export type CodeQuestion =
  | { readonly ask: 'search'; readonly text: string; readonly limit: number }
  | { readonly ask: 'definitions'; readonly name: string; readonly limit: number }
  | { readonly ask: 'outline'; readonly root: number; readonly path: string }

export type ReferenceQuestion =
  | { readonly ask: 'references'; readonly name: string; readonly limit: number }
  | {
      readonly ask: 'calls'
      readonly root: number
      readonly path: string
      readonly line: number
      readonly endLine: number
    }

interface Condition {
  readonly from: string
  readonly where: string
  readonly values: readonly (string | number)[]
  readonly order: string
  readonly orderValues?: readonly string[]
  readonly limit: number
}

/** Undefined: nothing was ever indexed there, or no such file. */
export function askSymbols(
  database: TablesDatabase,
  scope: Scope,
  question: CodeQuestion,
): IndexAnswer<IndexedSymbol> | undefined {
  const condition = symbolCondition(question)
  const answer = condition === undefined ? undefined : read(database, scope, condition, SYMBOL_COLUMNS)
  if (answer === undefined || (question.ask === 'outline' && !isKnown(database, question))) return undefined
  const { rows, ...rest } = answer
  return { ...rest, items: rows.map((row) => ({ ...symbolOf(database, row), path: pathOf(scope, row) })) }
}

export function askReferences(
  database: TablesDatabase,
  scope: Scope,
  question: ReferenceQuestion,
): IndexAnswer<IndexedReference> | undefined {
  const answer = read(database, scope, referenceCondition(question), REFERENCE_COLUMNS)
  if (answer === undefined || (question.ask === 'calls' && !isKnown(database, question))) return undefined
  const { rows, ...rest } = answer
  const items = rows.map((row): IndexedReference => {
    const within = withinOf(database, row)
    const { name, line, column, is_call } = row
    const place = { path: pathOf(scope, row), line: Number(line), column: Number(column) }
    return { name: String(name), ...place, isCall: is_call === 1, ...(within === undefined ? {} : { within }) }
  })
  return { ...rest, items }
}

const SYMBOL_COLUMNS = 'n.text AS name, k.text AS kind, s.content, s.line, s.end_line, s.parent, f.root, f.path'
const SYMBOLS = 'kept_symbols s JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind'
const REFERENCE_COLUMNS = 'n.text AS name, r.content, r.line, r."column", r.is_call, r.within, f.root, f.path'
const REFERENCES = 'kept_refs r JOIN kept_names n ON n.id = r.name'

function symbolCondition(question: CodeQuestion): Condition | undefined {
  if (question.ask === 'outline') {
    const { root, path } = question
    const from = `${SYMBOLS} JOIN kept_files f ON f.content = s.content`
    return { from, where: 'f.root = ? AND f.path = ?', values: [root, path], order: 's.ordinal', limit: MAX_ROWS }
  }
  const from = `${SYMBOLS} JOIN kept_files f ON f.content = s.content`
  if (question.ask === 'definitions') {
    const { name, limit } = question
    return { from, where: 'n.text = ?', values: [name], order: 'f.path, s.line', limit }
  }
  const match = matchOf(question.text)
  if (match === undefined) return undefined
  const text = question.text.trim()
  return {
    from: `kept_name_words w JOIN kept_names n ON n.id = w.rowid JOIN kept_symbols s ON s.name = n.id
      JOIN kept_names k ON k.id = s.kind JOIN kept_files f ON f.content = s.content`,
    where: 'kept_name_words MATCH ?',
    values: [match],
    order: 'n.text <> ?, lower(n.text) <> lower(?), s.parent IS NOT NULL, length(n.text), n.text, f.path, s.line',
    orderValues: [text, text],
    limit: question.limit,
  }
}

function referenceCondition(question: ReferenceQuestion): Condition {
  const from = `${REFERENCES} JOIN kept_files f ON f.content = r.content`
  if (question.ask === 'references') {
    const { name, limit } = question
    return { from, where: 'n.text = ?', values: [name], order: 'f.path, r.ordinal', limit }
  }
  const { root, path, line, endLine } = question
  const where = 'f.root = ? AND f.path = ? AND r.is_call = 1 AND r.line BETWEEN ? AND ?'
  return { from, where, values: [root, path, line, endLine], order: 'r.ordinal', limit: MAX_ROWS }
}

type Row = Readonly<Record<string, unknown>>

function read(database: TablesDatabase, scope: Scope, condition: Condition, columns: string) {
  const { completeness } = readAbout(database, scope)
  if (scope.length === 0 || completeness === 'never_built') return undefined
  const { from, where, values, order, orderValues = [], limit } = condition
  const { sql, values: scoped } = scopeCondition(scope)
  const all = `FROM ${from} WHERE ${where} AND ${sql}`
  const rows: Row[] = database.handle
    .prepare(`SELECT ${columns} ${all} ORDER BY ${order} LIMIT ?`)
    .all(...values, ...scoped, ...orderValues, limit)
  const counted = database.handle
    .prepare(`SELECT count(*) AS count FROM (SELECT 1 ${all} LIMIT ${MAX_COUNT})`)
    .get(...values, ...scoped)
  return { rows, total: Number(counted?.count ?? 0), isComplete: completeness === 'complete' }
}

function isKnown(database: TablesDatabase, { root, path }: { readonly root: number; readonly path: string }): boolean {
  const file = database.statement('SELECT content FROM kept_files WHERE root = ? AND path = ?').get(root, path)
  return file !== undefined && file.content !== null
}

const pathOf = (scope: Scope, { root, path }: Row): string =>
  `${scope.find((part) => part.root === root)?.rootPath ?? ''}/${String(path)}`

function symbolOf(database: TablesDatabase, row: Row) {
  const container = containerOf(database, Number(row.content), row.parent)
  return {
    name: String(row.name),
    kind: String(row.kind),
    line: Number(row.line),
    endLine: Number(row.end_line),
    ...(container === '' ? {} : { container }),
  }
}

const ONE = `SELECT n.text AS name, k.text AS kind, s.content, s.line, s.end_line, s.parent FROM ${SYMBOLS}
  WHERE s.content = ? AND s.ordinal = ?`

function withinOf(database: TablesDatabase, { content, within }: Row) {
  if (within === null) return undefined
  const row = database.statement(ONE).get(Number(content), Number(within))
  if (row === undefined) return undefined
  const { endLine: _endLine, ...symbol } = symbolOf(database, row)
  return symbol
}

function containerOf(database: TablesDatabase, content: number, parent: unknown): string {
  const names: string[] = []
  for (let above = parent; above !== null && names.length < MAX_DEPTH; ) {
    const row = database.statement(ONE).get(content, Number(above))
    if (row === undefined) break
    names.unshift(String(row.name))
    above = row.parent
  }
  return names.join('.')
}
