/**
 * Walks the roots and says what has changed, and watches them. Several looks go on side by side, in slices, so that a file that was
 * just edited waits for no large one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { isGamePath } from '@switchboard/paradox'
import { type FoundFile, type SkipReason, walkFolder } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import { readingOf } from '../../extract/extractors.ts'
import {
  type FoundChange,
  type LookOrder,
  RACY_MS,
  type RootPlace,
  type ScoutNews,
  type ScoutOrder,
} from '../messages.ts'
import { FolderWatch } from './folder-watch.ts'

const SLICE = 200
const BATCH = 1_000

interface KnownFile {
  readonly path: string
  readonly stamp: string
  readonly read_at: number
  /** Null: it was skipped. */
  readonly version: number | null
  readonly profile: string | null
}

const COLUMNS = `SELECT f.path, f.stamp, f.read_at, c.version, c.profile
  FROM kept_files f LEFT JOIN kept_contents c ON c.id = f.content WHERE f.root = ?`

export class ScoutProgram {
  readonly #port: MessagePort
  readonly #database: TablesDatabase
  readonly #watch: FolderWatch

  constructor(port: MessagePort, database: TablesDatabase) {
    this.#port = port
    this.#database = database
    this.#watch = new FolderWatch({
      onStirred: (root, folders, trees) => this.#tell({ type: 'stirred', root, folders, trees }),
      onState: (root, state, why) => this.#tell({ type: 'watch', root, state, ...(why === undefined ? {} : { why }) }),
    })
  }

  async receive(order: ScoutOrder): Promise<void> {
    if (order.type === 'watch') this.#watch.start(order.root)
    else if (order.type === 'unwatch') this.#watch.stop(order.root)
    else {
      try {
        await this.#look(order)
      } catch (error) {
        this.#tell({ type: 'look_failed', job: order.job, reason: errorMessage(error) })
      }
    }
  }

  async #look(order: LookOrder): Promise<void> {
    const { job, root, folder, depth, names, maxFileSize, maxFiles } = order
    const known = new Map(this.#readKnown(order).map((row) => [row.path, row]))
    const wanted = names === undefined ? undefined : new Set(names)
    const skipped: Partial<Record<SkipReason, number>> = {}
    const unreadable: string[] = []
    let changed: FoundChange[] = []
    let seen = 0
    let isCut = false
    const options = {
      below: folder,
      isShallow: depth === 'files',
      exclude: root.exclude,
      maxFileSize,
      onFolder: (path: string) => this.#watch.addFolder(root.id, path),
      // The game reads what a repository ignores, and a folder that is called `target`.
      ...(root.isLayer === true ? { isKept: isGamePath } : {}),
    }
    for (const entry of walkFolder(root.path, options)) {
      if (wanted !== undefined && !wanted.has(entry.path.slice(entry.path.lastIndexOf('/') + 1))) continue
      if (entry.kind === 'skipped') {
        skipped[entry.reason] = (skipped[entry.reason] ?? 0) + 1
        if (entry.isFolder && entry.reason === 'unreadable') unreadable.push(entry.path === '' ? '' : `${entry.path}/`)
        continue
      }
      if (seen >= maxFiles) {
        isCut = true
        break
      }
      seen++
      const before = known.get(entry.path)
      known.delete(entry.path)
      if (before === undefined || hasChanged(root, entry, before)) {
        changed.push({ path: entry.path, size: entry.size, stamp: entry.stamp })
      }
      if (changed.length >= BATCH) {
        this.#tell({ type: 'changed', job, files: changed, seen })
        changed = []
      }
      if (seen % SLICE === 0) await nextTurn()
    }
    if (changed.length > 0) this.#tell({ type: 'changed', job, files: changed, seen })
    // Nobody knows what is in a folder that cannot be read now, nor what is behind the last one that was looked at.
    const gone = isCut ? [] : [...known.keys()].filter((path) => !unreadable.some((above) => path.startsWith(above)))
    this.#tell({ type: 'looked', job, gone, skipped, seen, isCut })
  }

  /** The columns are those that were asked for. */
  #readKnown({ root: { id }, folder, depth, names }: LookOrder): KnownFile[] {
    const prefix = folder === '' ? '' : `${folder}/`
    if (names !== undefined) {
      const statement = this.#database.statement(`${COLUMNS} AND f.path = ?`)
      return names.flatMap((name) => statement.all(id, prefix + name) as unknown as KnownFile[])
    }
    const inFolder = depth === 'files' ? ` AND instr(substr(f.path, ${prefix.length + 1}), '/') = 0` : ''
    const rows =
      folder === ''
        ? this.#database.handle.prepare(`${COLUMNS}${inFolder}`).all(id)
        : this.#database.handle
            .prepare(`${COLUMNS} AND f.path >= ? AND f.path < ?${inFolder}`)
            .all(id, prefix, `${folder}0`)
    return rows as unknown as KnownFile[]
  }

  #tell(news: ScoutNews): void {
    this.#port.postMessage(news)
  }
}

function hasChanged(root: RootPlace, { path, stamp, changedAt }: FoundFile, before: KnownFile): boolean {
  if (before.stamp !== stamp || changedAt >= before.read_at - RACY_MS) return true
  if (before.version === null) return false
  const { profile, version } = readingOf(path, root)
  return before.version !== version || before.profile !== profile
}
