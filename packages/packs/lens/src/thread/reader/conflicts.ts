/** Conflicts and problems of a playset, as they were judged. */
import type { Conflict } from '@switchboard/paradox/conflicts'
import type { TablesDatabase } from '@switchboard/store/tables'
import { readAbout } from './about.ts'
import type { DiagnosticsQuery, DiagnosticsResult } from './diagnostics.ts'

export interface ConflictsQuery {
  /** In the tables. */
  readonly playset: number
  /** That one alone. */
  readonly id?: number | undefined
  readonly class?: string | undefined
  /** A part of the name of a mod. */
  readonly mod?: string | undefined
  /** A folder, with those below it. */
  readonly folder?: string | undefined
  readonly kind?: string | undefined
  readonly name?: string | undefined
  /** Those that are intended as well. */
  readonly withIntended: boolean
  readonly limit: number
  readonly offset: number
}

export interface ConflictsPage {
  readonly total: number
  /** Of the selection, by folder: the most first. */
  readonly folders: readonly { readonly folder: string; readonly count: number }[]
  readonly items: readonly { readonly id: number; readonly conflict: Conflict }[]
}

interface PlaysetProblem {
  readonly code: string
  readonly severity: string
  readonly layer: number
  readonly path: string
  readonly line: number
  readonly message: string
  readonly hint: string
}

export interface ProblemsQuery extends DiagnosticsQuery {
  readonly playset: number
}

export interface ProblemsPage extends Omit<DiagnosticsResult, 'items'> {
  readonly items: readonly PlaysetProblem[]
}

const MAX_FOLDERS = 10

export function readConflicts(database: TablesDatabase, query: ConflictsQuery): ConflictsPage {
  const { playset, id, class: type, mod, folder, kind, name, withIntended, limit, offset } = query
  const conditions = ['playset = ?']
  const values: (string | number)[] = [playset]
  const narrow = (sql: string, ...given: (string | number)[]): void => {
    conditions.push(sql)
    values.push(...given)
  }
  if (id !== undefined) narrow('ordinal = ?', id)
  if (type !== undefined) narrow('class = ?', type)
  if (mod !== undefined) narrow('instr(lower(mods), lower(?)) > 0', mod)
  if (folder !== undefined) narrow("(folder = ? OR folder LIKE ? || '/%')", folder, folder)
  if (kind !== undefined) narrow('kind = ?', kind)
  if (name !== undefined) narrow('name = ?', name)
  if (!withIntended) narrow('intended = 0')
  const where = conditions.join(' AND ')
  const folders = database.handle
    .prepare(
      `SELECT folder, count(*) AS count FROM kept_conflicts WHERE ${where} GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_FOLDERS}`,
    )
    .all(...values)
    .map((row) => ({ folder: String(row.folder), count: Number(row.count) }))
  const total = database.handle.prepare(`SELECT count(*) AS count FROM kept_conflicts WHERE ${where}`).get(...values)
  const rows = database.handle
    .prepare(`SELECT ordinal, data FROM kept_conflicts WHERE ${where} ORDER BY harm, name, ordinal LIMIT ? OFFSET ?`)
    .all(...values, limit, offset)
  return {
    total: Number(total?.count ?? 0),
    folders,
    // Written by the writer.
    items: rows.map((row) => ({ id: Number(row.ordinal), conflict: JSON.parse(String(row.data)) as Conflict })),
  }
}

export function readPlaysetProblems(database: TablesDatabase, query: ProblemsQuery): ProblemsPage {
  const { playset, scope, code, severity, path, limit, offset } = query
  const conditions = ['playset = ?']
  const values: (string | number)[] = [playset]
  const narrow = (sql: string, ...given: string[]): void => {
    conditions.push(sql)
    values.push(...given)
  }
  if (code !== undefined) narrow("(code = ? OR code LIKE ? || '.%')", code, code)
  if (severity !== undefined) narrow('severity = ?', severity)
  if (path !== undefined) narrow('instr(path, ?) > 0', path)
  const from = `FROM kept_playset_problems WHERE ${conditions.join(' AND ')}`
  const counts = database.handle
    .prepare(`SELECT code, severity, count(*) AS count ${from} GROUP BY 1, 2 ORDER BY 3 DESC`)
    .all(...values)
    .map((row) => ({ code: String(row.code), severity: String(row.severity), count: Number(row.count) }))
  const rows = database.handle
    .prepare(`SELECT code, severity, layer, path, line, message, hint ${from} ORDER BY ordinal LIMIT ? OFFSET ?`)
    .all(...values, limit, offset)
  return {
    about: readAbout(database, scope),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    counts,
    items: rows.map((row) => ({
      ...{ code: String(row.code), severity: String(row.severity), layer: Number(row.layer) },
      ...{ path: String(row.path), line: Number(row.line), message: String(row.message), hint: String(row.hint) },
    })),
  }
}
