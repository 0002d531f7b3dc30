/** How many files of a root are no longer as they were read. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { isStale } from './about.ts'

export interface StaleCount {
  /** Of those that were looked at. */
  readonly stale: number
  readonly lookedAt: number
}

/** Each costs a look at the disk: of a large root those that changed last, which are the likely ones to change again. */
const MAX_LOOKED_AT = 5_000

export function countStale(database: TablesDatabase, root: number, rootPath: string): StaleCount {
  const rows = database
    .statement('SELECT path, stamp FROM kept_files WHERE root = ? ORDER BY changed_at DESC LIMIT ?')
    .all(root, MAX_LOOKED_AT)
  const stale = rows.filter(({ path, stamp }) => isStale(rootPath, String(path), String(stamp))).length
  return { stale, lookedAt: rows.length }
}
