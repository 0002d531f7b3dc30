/**
 * The files of a folder, one after the other, for threads that may wait for a disk.
 *
 * 1. Nothing outside the folder is seen: no link is followed, so there are no circles either.
 * 2. Nothing is opened: what is no plain file is told by its kind.
 * 3. What cannot be read is told, and the walk goes on.
 * 4. At most the names of the folders on the way down are held at once.
 * 5. A home of Switchboard's is never entered: a lock of the daemon is gone as soon as its own process has opened and closed the
 *    file once more, and the tokens there are nobody's source.
 */
import { type BigIntStats, type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '@switchboard/base'
import { IgnoreRules, type IgnoreVerdict } from '../ignore/ignore-rules.ts'
import { isBinaryName } from '../languages.ts'
import { PathPatterns } from './path-patterns.ts'

export interface WalkOptions {
  /** Only what one of them matches; none: everything. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Bytes. */
  readonly maxFileSize: number
  /** From the folder, with `/`: only what is in it, or below it. Nothing, where it is left out itself. */
  readonly below?: string
  /** Folders in it are not entered. */
  readonly isShallow?: boolean
  /** What no ignore file and no list of ours leaves out. */
  isKept?(path: string): boolean
  /** Told of each folder that was entered. */
  onFolder?(path: string): void
  /** Asked for every entry: ends the walk. */
  isStopped?(): boolean
}

/** default: by our own list of what nobody looks for. changed: while it was read. */
export type SkipReason =
  | 'binary'
  | 'too_large'
  | 'minified'
  | 'unreadable'
  | 'link'
  | 'not_plain'
  | 'default'
  | 'changed'
  | 'too_long_path'

export interface FoundFile {
  readonly kind: 'file'
  /** From the folder, with `/`. */
  readonly path: string
  readonly size: number
  /** Changes whenever the file does. */
  readonly stamp: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

export interface SkippedEntry {
  readonly kind: 'skipped'
  readonly path: string
  readonly reason: SkipReason
  readonly isFolder: boolean
}

/** Longer paths are nobody's work, and cost as much to keep as a file. */
const MAX_PATH = 2_000

export function* walkFolder(root: string, options: WalkOptions): Generator<FoundFile | SkippedEntry> {
  const include = new PathPatterns(options.include ?? [])
  const exclude = new PathPatterns(options.exclude ?? [])
  const isWanted = (path: string): boolean => include.isEmpty || include.covers(path)
  const judge = (rules: IgnoreRules, name: string, isFolder: boolean, path: string): IgnoreVerdict => {
    const verdict = rules.judge(name, isFolder)
    return verdict !== 'kept' && name !== '.git' && options.isKept?.(path) === true ? 'kept' : verdict
  }
  const start = enterBelow(root, options.below ?? '', exclude, judge)
  const waiting = start === undefined ? [] : [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = isHome(join(root, folder.path), folder.path === '') ? 'default' : list(join(root, folder.path))
    if (!Array.isArray(entries)) {
      yield { kind: 'skipped', path: folder.path, reason: entries, isFolder: true }
      continue
    }
    options.onFolder?.(folder.path)
    const below = []
    for (const entry of entries) {
      if (options.isStopped?.() === true) return
      const isFolder = entry.isDirectory()
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`
      const verdict = judge(folder.rules, entry.name, isFolder, path)
      if (verdict === 'ignored' || exclude.matches(path, isFolder)) continue
      if (!isFolder && !isWanted(path)) continue
      const skipped = (reason: SkipReason): SkippedEntry => ({ kind: 'skipped', path, reason, isFolder })
      if (verdict === 'default') yield skipped('default')
      else if (path.length > MAX_PATH) yield skipped('too_long_path')
      else if (isFolder) below.push({ path, name: entry.name })
      else yield judgeFile(join(root, path), entry, options, path)
    }
    if (options.isShallow === true) return
    const { rules } = folder
    // The last one in is the first one out: from the end, so that they come by their names.
    for (const { path, name } of below.reverse()) waiting.push({ path, rules: rules.enter(name) })
  }
}

interface Entered {
  readonly path: string
  readonly rules: IgnoreRules
}

/** Undefined: a folder on the way down is left out, or is no folder. */
function enterBelow(
  root: string,
  below: string,
  exclude: PathPatterns,
  judge: (rules: IgnoreRules, name: string, isFolder: boolean, path: string) => IgnoreVerdict,
): Entered | undefined {
  let entered: Entered = { path: '', rules: IgnoreRules.at(root) }
  for (const name of below === '' ? [] : below.split('/')) {
    const path = entered.path === '' ? name : `${entered.path}/${name}`
    if (judge(entered.rules, name, true, path) !== 'kept' || exclude.matches(path, true)) return undefined
    if (lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
    entered = { path, rules: entered.rules.enter(name) }
  }
  return entered
}

/** Of the folder that is walked, those above it count as well. */
function isHome(folder: string, withAbove: boolean): boolean {
  if (existsSync(join(folder, 'run', 'daemon.lock'))) return true
  const above = dirname(folder)
  return withAbove && above !== folder && isHome(above, true)
}

function list(folder: string): Dirent[] | SkipReason {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return reasonOf(error, folder)
  }
}

function judgeFile(file: string, entry: Dirent, { maxFileSize }: WalkOptions, path: string): FoundFile | SkippedEntry {
  const skipped = (reason: SkipReason): SkippedEntry => ({ kind: 'skipped', path, reason, isFolder: false })
  if (entry.isSymbolicLink()) return skipped('link')
  if (isBinaryName(entry.name)) return skipped('binary')
  try {
    const stats = lstatSync(file, { bigint: true })
    if (!stats.isFile()) return skipped(stats.isSymbolicLink() ? 'link' : 'not_plain')
    if (stats.size > maxFileSize) return skipped('too_large')
    const { size, mtimeMs } = stats
    return { kind: 'file', path, size: Number(size), stamp: stampOf(stats), changedAt: Number(mtimeMs) }
  } catch (error) {
    return skipped(reasonOf(error, file))
  }
}

/** A name that is no UTF-8 leads nowhere as a text, today and tomorrow. */
function reasonOf(error: unknown, path: string): SkipReason {
  return errorCode(error) === 'ENOENT' && !path.includes('\ufffd') ? 'changed' : 'unreadable'
}

/** The time of the last change of its entry too: a file that was moved here keeps the time of its content. */
export function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}.${mtimeNs}.${ctimeNs}.${ino}`
}
