/** What is wrong, by file, kind and severity, with counts. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { type Scope, scopeCondition, shownPath } from '../../scope.ts'
import { type About, readAbout } from './about.ts'

export interface DiagnosticsQuery {
  readonly scope: Scope
  /** A code, or its beginning up to a dot. */
  readonly code?: string | undefined
  readonly severity?: string | undefined
  readonly path?: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface Diagnostic {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly expected?: string
  readonly hint?: string
}

export interface DiagnosticsResult {
  readonly about: About
  readonly total: number
  readonly counts: readonly { readonly code: string; readonly severity: string; readonly count: number }[]
  readonly items: readonly Diagnostic[]
}

export function readDiagnostics(database: TablesDatabase, query: DiagnosticsQuery): DiagnosticsResult {
  const { scope, code, severity, path, limit, offset } = query
  const { sql, values } = scopeCondition(scope)
  const conditions = [sql]
  const given: (string | number)[] = [...values]
  const narrow = (condition: string, ...more: string[]): void => {
    conditions.push(condition)
    given.push(...more)
  }
  if (code !== undefined) narrow("(d.code = ? OR d.code LIKE ? || '.%')", code, code)
  if (severity !== undefined) narrow('d.severity = ?', severity)
  if (path !== undefined) narrow('instr(f.path, ?) > 0', path)
  const from = `FROM kept_diagnostics d CROSS JOIN kept_files f ON f.content = d.content WHERE ${conditions.join(' AND ')}`
  const counts = database.handle
    .prepare(`SELECT d.code, d.severity, count(*) AS count ${from} GROUP BY 1, 2 ORDER BY 3 DESC`)
    .all(...given)
    .map((row) => ({ code: String(row.code), severity: String(row.severity), count: Number(row.count) }))
  const rows = database.handle
    .prepare(
      `SELECT d.code, d.severity, d.line, d."column", d.message, d.expected, d.hint, f.path, f.root ${from}
       ORDER BY CASE d.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, f.path, d.line LIMIT ? OFFSET ?`,
    )
    .all(...given, limit, offset)
  return {
    about: readAbout(database, scope),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    counts,
    items: rows.map((row) => ({
      path: shownPath(scope, Number(row.root), String(row.path)),
      line: Number(row.line),
      column: Number(row.column),
      code: String(row.code),
      severity: String(row.severity),
      message: String(row.message),
      ...(row.expected === null ? {} : { expected: String(row.expected) }),
      ...(row.hint === null ? {} : { hint: String(row.hint) }),
    })),
  }
}
