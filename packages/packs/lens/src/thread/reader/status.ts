/** What the index holds of a caller's roots. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { type Scope, scopeCondition } from '../../scope.ts'
import { type About, readAbout } from './about.ts'

export interface RootFacts {
  readonly root: number
  readonly path: string
  readonly state: string
  /** Milliseconds since 1970. */
  readonly scannedAt: number | null
  readonly files: number
  readonly bytes: number
  readonly symbols: number
  readonly refs: number
  readonly problems: number
  /** What was left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

export interface StatusFacts {
  readonly about: About
  readonly roots: readonly RootFacts[]
  readonly languages: readonly { readonly language: string; readonly files: number }[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

export function readStatus(database: TablesDatabase, scope: Scope): StatusFacts {
  const roots = scope.map((part) => {
    const { sql, values } = scopeCondition([part])
    const row = database.handle
      .prepare('SELECT path, state, scanned_at, skipped FROM kept_roots WHERE id = ?')
      .get(part.root)
    const sums = database.handle
      .prepare(
        `SELECT count(f.content) AS files, total(c.bytes) AS bytes, total(c.symbols) AS symbols, total(c.refs) AS refs,
           total(c.problems) AS problems FROM kept_files f LEFT JOIN kept_contents c ON c.id = f.content WHERE ${sql}`,
      )
      .get(...values)
    return {
      root: part.root,
      path: part.folder === '' ? part.rootPath : `${part.rootPath}/${part.folder}`,
      state: String(row?.state ?? 'never'),
      scannedAt: row?.scanned_at == null ? null : Number(row.scanned_at),
      ...{ files: Number(sums?.files), bytes: Number(sums?.bytes), symbols: Number(sums?.symbols) },
      ...{ refs: Number(sums?.refs), problems: Number(sums?.problems) },
      // Written by the writer.
      skipped: JSON.parse(String(row?.skipped ?? '{}')) as Readonly<Record<string, number>>,
    }
  })
  const { sql, values } = scopeCondition(scope)
  const languages = database.handle
    .prepare(
      `SELECT c.language, count(*) AS files FROM kept_files f JOIN kept_contents c ON c.id = f.content WHERE ${sql}
       GROUP BY 1 ORDER BY 2 DESC LIMIT 12`,
    )
    .all(...values)
    .map((row) => ({ language: String(row.language), files: Number(row.files) }))
  const failed = database.handle
    .prepare(`SELECT f.path, f.reason FROM kept_queue f WHERE f.state = 'failed' AND ${sql} LIMIT 5`)
    .all(...values)
    .map((row) => ({ path: String(row.path), reason: String(row.reason) }))
  return { about: readAbout(database, scope), roots, languages, failed }
}

/** Every root that there is, for whoever keeps the index: no agent is told. */
export function listRoots(database: TablesDatabase): readonly { id: number; path: string; kind: string }[] {
  return database.handle
    .prepare('SELECT id, path, kind FROM kept_roots ORDER BY path')
    .all()
    .map((row) => ({ id: Number(row.id), path: String(row.path), kind: String(row.kind) }))
}
