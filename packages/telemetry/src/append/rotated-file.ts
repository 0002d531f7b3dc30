/**
 * The names of rotated files, `<base>.<YYYY-MM-DD>.<n><extension>`, and which files are old enough to go.
 * Only names of this pattern, or those that the owner of the folder claims, are ever deleted.
 */
import { open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@switchboard/base'
import { formatDay, parseDay, toDay } from '../days.ts'

export interface FileNameParts {
  /** The name without date, number and extension: `daemon`. */
  readonly base: string
  readonly extension: string
  /** Set for a rotated file: the day its lines are of, and its number within the day. */
  readonly rotated?: { readonly day: number; readonly number: number }
}

const ROTATED = /^(.+)\.(\d{4}-\d{2}-\d{2})\.(\d{1,9})(\.[a-z]+)$/
const PLAIN = /^(.+)(\.[a-z]+)$/

export function parseFileName(name: string): FileNameParts | undefined {
  const rotated = ROTATED.exec(name)
  if (rotated) {
    const [, base = '', date = '', number = '', extension = ''] = rotated
    const day = parseDay(date)
    if (day !== undefined) return { base, extension, rotated: { day, number: Number(number) } }
  }
  const plain = PLAIN.exec(name)
  return plain ? { base: plain[1] ?? '', extension: plain[2] ?? '' } : undefined
}

function rotatedFileName(base: string, extension: string, day: number, number: number): string {
  return `${base}.${formatDay(day)}.${number}${extension}`
}

/**
 * Moves `<base><extension>` to the next free rotated name. The name is reserved first with an exclusive create, because
 * a plain rename silently replaces what is there.
 */
export async function moveAside(directory: string, base: string, extension: string, day: number): Promise<void> {
  let number = 1
  for (const name of await readdir(directory)) {
    const parts = parseFileName(name)
    if (parts?.base !== base || parts.extension !== extension || parts.rotated?.day !== day) continue
    number = Math.max(number, parts.rotated.number + 1)
  }
  const target = await reserve(directory, base, extension, day, number)
  try {
    await rename(join(directory, base + extension), target)
  } catch (error) {
    await unlink(target).catch(() => undefined)
    throw error
  }
}

async function reserve(directory: string, base: string, extension: string, day: number, from: number): Promise<string> {
  for (let number = from; ; number++) {
    const path = join(directory, rotatedFileName(base, extension, day, number))
    try {
      const handle = await open(path, 'wx', 0o600)
      await handle.close()
      return path
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || number > from + 1_000) throw error
    }
  }
}

export interface PurgeOptions {
  readonly directory: string
  /** The name of the file in use: never deleted. */
  readonly current: string
  readonly today: number
  /** Full days kept besides today. */
  readonly keepDays: number
  /** The most that the rotated files of `current` take together, however young they are. */
  readonly keepBytes: number
  /** Whether a name that is not ours by its base belongs to the same family (other instances' files). */
  readonly isSibling: (parts: FileNameParts) => boolean
}

export interface Purged {
  /** How many had to go for their size alone. */
  readonly files: number
  readonly bytes: number
}

/**
 * Deletes what is older than the days kept: rotated files by the date in their name, files that another (long dead)
 * process left un-rotated by their modification time. What cannot be deleted is left for the next time.
 * Then the oldest rotated files of the current one, as long as they take too much; others' have owners who do the same.
 */
export async function purgeOldFiles(options: PurgeOptions): Promise<Purged> {
  const { directory, current, today, keepDays, keepBytes, isSibling } = options
  const own = parseFileName(current)
  const oldest = today - keepDays
  const kept: { path: string; day: number; number: number; size: number }[] = []
  for (const name of await readdir(directory)) {
    const parts = name === current ? undefined : parseFileName(name)
    if (!parts) continue
    const isOwn = parts.base === own?.base && parts.extension === own.extension
    if (!isOwn && !isSibling(parts)) continue
    const path = join(directory, name)
    try {
      const { mtimeMs, size } = await stat(path)
      const day = parts.rotated?.day ?? toDay(mtimeMs)
      if (day < oldest) await unlink(path)
      else if (isOwn && parts.rotated !== undefined) kept.push({ path, ...parts.rotated, size })
    } catch {
      // Deleted by somebody else meanwhile, or held open on Windows.
    }
  }
  return purgeBySize(kept, keepBytes)
}

async function purgeBySize(
  kept: { readonly path: string; readonly day: number; readonly number: number; readonly size: number }[],
  keepBytes: number,
): Promise<Purged> {
  const purged = { files: 0, bytes: 0 }
  let left = kept.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of kept.sort((one, other) => one.day - other.day || one.number - other.number)) {
    if (left <= keepBytes) break
    left -= size
    const isDeleted = await unlink(path).then(
      () => true,
      () => false,
    )
    if (!isDeleted) continue
    purged.files++
    purged.bytes += size
  }
  return purged
}
