/** The folders that are indexed. A root inside another one is a part of it: nothing is read twice. */
import { isPathInside } from '@switchboard/base'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { RootPlace } from '../messages.ts'

/** never: nobody has looked at it as a whole yet. partial: there are more files than are allowed. */
export type RootState = 'never' | 'complete' | 'partial'

export class Roots {
  readonly #database: TablesDatabase
  readonly #places = new Map<number, RootPlace>()

  constructor(database: TablesDatabase) {
    this.#database = database
    const rows = database.handle.prepare('SELECT id, path, kind, exclude FROM kept_roots').all()
    for (const { id, path, kind, exclude } of rows) {
      // Written by us.
      const patterns = JSON.parse(String(exclude)) as readonly string[]
      const isLayer = kind === 'layer'
      this.#places.set(Number(id), { id: Number(id), path: String(path), exclude: patterns, isLayer })
    }
  }

  get(id: number): RootPlace | undefined {
    return this.#places.get(id)
  }

  all(): RootPlace[] {
    return [...this.#places.values()]
  }

  /** The innermost that holds it. */
  around(path: string): RootPlace | undefined {
    return this.all()
      .filter((root) => isPathInside(root.path, path))
      .sort((a, b) => b.path.length - a.path.length)[0]
  }

  /** In a transaction. */
  add(path: string, kind: string, exclude: readonly string[]): { root: RootPlace; isNew: boolean } {
    const known = this.all().find((root) => root.path === path)
    if (known !== undefined) return { root: known, isNew: false }
    const row = this.#database
      .statement(
        "INSERT INTO kept_roots (path, kind, exclude, state, skipped, generation) VALUES (?, ?, ?, 'never', '{}', 0) RETURNING id",
      )
      .get(path, kind, JSON.stringify(exclude))
    const root = { id: Number(row?.id), path, exclude, isLayer: kind === 'layer' }
    this.#places.set(root.id, root)
    return { root, isNew: true }
  }

  noteScan(id: number, state: RootState, skipped: object): void {
    this.#database.execute(
      'UPDATE kept_roots SET state = ?, scanned_at = ?, skipped = ? WHERE id = ?',
      ...[state, Date.now(), JSON.stringify(skipped), id],
    )
  }
}
