/** What the index holds of a caller's roots. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { type Scope, scopeCondition } from '../../scope.ts'
import { type About, readAbout } from './about.ts'

const MAX_LANGUAGES = 12

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
  const filesOf = new Map<string, number>()
  const roots = scope.map((part) => {
    const { sql, values } = scopeCondition([part])
    const row = database.handle
      .prepare('SELECT path, state, scanned_at, skipped FROM kept_roots WHERE id = ?')
      .get(part.root)
    const sums = { files: 0, bytes: 0, symbols: 0, refs: 0, problems: 0 }
    // Once through all files is long enough: the sums are made of those of each language.
    const rows = database.handle
      .prepare(
        `SELECT c.language, count(*) AS files, total(c.bytes) AS bytes, total(c.symbols) AS symbols, total(c.refs) AS refs,
           total(c.problems) AS problems FROM kept_files f JOIN kept_contents c ON c.id = f.content WHERE ${sql} GROUP BY 1`,
      )
      .all(...values)
    for (const { language, files, bytes, symbols, refs, problems } of rows) {
      filesOf.set(String(language), (filesOf.get(String(language)) ?? 0) + Number(files))
      sums.files += Number(files)
      sums.bytes += Number(bytes)
      sums.symbols += Number(symbols)
      sums.refs += Number(refs)
      sums.problems += Number(problems)
    }
    return {
      root: part.root,
      path: part.folder === '' ? part.rootPath : `${part.rootPath}/${part.folder}`,
      state: String(row?.state ?? 'never'),
      scannedAt: row?.scanned_at == null ? null : Number(row.scanned_at),
      ...sums,
      // Written by the writer.
      skipped: JSON.parse(String(row?.skipped ?? '{}')) as Readonly<Record<string, number>>,
    }
  })
  const languages = [...filesOf]
    .map(([language, files]) => ({ language, files }))
    .sort((a, b) => b.files - a.files)
    .slice(0, MAX_LANGUAGES)
  const { sql, values } = scopeCondition(scope)
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
