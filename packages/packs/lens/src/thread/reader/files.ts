/** One file: what is in it. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { SkipReason } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { Scope } from '../../scope.ts'
import { type About, isStale, readAbout } from './about.ts'

export interface FileQuery {
  readonly scope: Scope
  readonly root: number
  /** From the root. */
  readonly path: string
}

export interface OutlineSymbol {
  readonly name: string
  readonly kind: string
  readonly line: number
  readonly endLine: number
  /** How deep it stands. */
  readonly depth: number
  readonly detail?: string
}

export interface FileFacts {
  readonly about: About
  /** absent: no such file is known. waiting: it is to be read. skipped, failed: see `reason`. */
  readonly state: 'indexed' | 'waiting' | 'skipped' | 'failed' | 'absent'
  readonly reason?: string
  readonly language: string
  readonly lines: number
  readonly hash: string
  readonly stale: boolean
  readonly symbols: readonly OutlineSymbol[]
  readonly symbolCount: number
  readonly problemCount: number
}

export function readFileFacts(
  database: TablesDatabase,
  { scope, root, path }: FileQuery,
  range: { readonly first: number; readonly last: number; readonly limit: number },
  maxFileSize: number,
): FileFacts {
  const about = readAbout(database, scope)
  const none = { about, language: '', lines: 0, hash: '', stale: false, symbols: [], symbolCount: 0, problemCount: 0 }
  const queued = database
    .statement("SELECT state, reason FROM kept_queue WHERE root = ? AND path = ? AND task = 'file'")
    .get(root, path)
  const file = database
    .statement(
      `SELECT f.stamp, f.skipped, c.id, c.hash, c.language, c.lines, c.symbols, c.problems FROM kept_files f
       LEFT JOIN kept_contents c ON c.id = f.content WHERE f.root = ? AND f.path = ?`,
    )
    .get(root, path)
  if (queued?.state === 'failed') return { ...none, state: 'failed', reason: String(queued.reason) }
  const rootPath = scope.find((part) => part.root === root)?.rootPath ?? ''
  if (file === undefined) {
    if (queued !== undefined) return { ...none, state: 'waiting' }
    const reason = findPlainReason(join(rootPath, path), maxFileSize)
    return reason === undefined ? { ...none, state: 'absent' } : { ...none, state: 'skipped', reason }
  }
  if (file.id === null) return { ...none, state: 'skipped', reason: String(file.skipped) }
  return {
    about,
    state: 'indexed',
    language: String(file.language),
    lines: Number(file.lines),
    hash: String(file.hash),
    stale: isStale(rootPath, path, String(file.stamp)),
    symbols: readOutline(database, Number(file.id), range),
    symbolCount: Number(file.symbols),
    problemCount: Number(file.problems),
  }
}

/** Of one that is there and that no walk gives to anybody to read; undefined: it is not there, or something else keeps it out. */
function findPlainReason(path: string, maxFileSize: number): SkipReason | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() === true) return 'link'
  return stats?.isFile() === true && stats.size > maxFileSize ? 'too_large' : undefined
}

function readOutline(
  database: TablesDatabase,
  content: number,
  { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: number },
): OutlineSymbol[] {
  const rows = database
    .statement(
      `SELECT s.ordinal, n.text AS name, k.text AS kind, s.line, s.end_line, s.parent, s.detail FROM kept_symbols s
       JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind
       WHERE s.content = ? AND s.line <= ? AND s.end_line >= ? ORDER BY s.ordinal LIMIT ?`,
    )
    .all(content, last, first, limit)
  const depths = new Map<number, number>()
  return rows.map((row) => {
    const depth = row.parent === null ? 0 : (depths.get(Number(row.parent)) ?? 0) + 1
    depths.set(Number(row.ordinal), depth)
    return {
      name: String(row.name),
      kind: String(row.kind),
      line: Number(row.line),
      endLine: Number(row.end_line),
      depth,
      ...(row.detail === null ? {} : { detail: String(row.detail) }),
    }
  })
}
