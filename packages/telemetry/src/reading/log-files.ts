/** Finds the log files of a folder and keeps hold of them by what they are, not by their names: rotation renames. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { parseFileName } from '../append/rotated-file.ts'
import { formatTimestamp } from '../days.ts'

export interface LogFile {
  readonly directory: string
  readonly path: string
  readonly source: string
  /** Device and inode: stays the same when the file is renamed. */
  readonly identity: string
  /** At the time of the listing. */
  readonly size: number
  readonly mtime: number
  /** Set for a rotated file: the only UTC day of its lines. */
  readonly day?: number
}

interface ListedFile extends LogFile {
  readonly number: number
}

const MAX_LISTINGS = 5

/** In the order in which the lines of one source were written. A folder that does not exist holds none. */
export async function listLogFiles(directory: string): Promise<LogFile[]> {
  let names = await readNames(directory)
  for (let listing = 1; ; listing++) {
    const files = await statFiles(directory, names)
    const after = await readNames(directory)
    // A rotation meanwhile has put a file under a name that was not on the list: without a second look it is missing.
    if (after.join('/') === names.join('/') || listing === MAX_LISTINGS) return files.sort(compareFiles)
    names = after
  }
}

/** By identity: a file that is renamed while this runs must not be met under both its names. */
async function statFiles(directory: string, names: readonly string[]): Promise<ListedFile[]> {
  const files = new Map<string, ListedFile>()
  for (const name of names) {
    const parts = parseFileName(name)
    if (parts?.extension !== '.log') continue
    const path = join(directory, name)
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    if (!found?.isFile()) continue
    const identity = `${found.dev}:${found.ino}`
    files.set(identity, {
      directory,
      path,
      source: parts.base,
      identity,
      size: Number(found.size),
      mtime: Number(found.mtimeMs),
      number: parts.rotated?.number ?? 0,
      ...(parts.rotated ? { day: parts.rotated.day } : {}),
    })
  }
  return [...files.values()]
}

function compareFiles(a: ListedFile, b: ListedFile): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1
  const day = (file: ListedFile): number => file.day ?? Number.MAX_SAFE_INTEGER
  return day(a) - day(b) || a.number - b.number
}

async function readNames(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    const reason = errorMessage(error)
    throw new SwitchboardError('internal', `The log folder ${directory} cannot be read: ${reason}`, {
      hint: 'Check that it is a folder and that you may read it.',
      cause: error,
    })
  }
}

/** Opens the listed file, also when it was rotated to another name meanwhile; undefined when it is gone. */
export async function openLogFile(file: LogFile): Promise<FileHandle | undefined> {
  const handle = await openIfSame(file, file.path)
  if (handle) return handle
  const renamed = (await listLogFiles(file.directory)).find((other) => other.identity === file.identity)
  return renamed ? openIfSame(file, renamed.path) : undefined
}

async function openIfSame(file: LogFile, path: string): Promise<FileHandle | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const found = await handle.stat({ bigint: true })
  if (`${found.dev}:${found.ino}` === file.identity) return handle
  await handle.close()
  return undefined
}

export interface LogFileRange {
  readonly first: string
  readonly last: string
}

const PROBE_BYTES = 65_536
const TIMESTAMP = /^\{"ts":"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)"/gm

/** The times of the first and the last line, from the two ends of the file. */
export async function readRange(file: LogFile, handle: FileHandle): Promise<LogFileRange> {
  const head = await readText(handle, 0, Math.min(PROBE_BYTES, file.size))
  const tailStart = Math.max(0, file.size - PROBE_BYTES)
  const tail = tailStart === 0 ? head : await readText(handle, tailStart, file.size)
  const first = head.matchAll(TIMESTAMP).next().value?.[1]
  const last = [...tail.matchAll(TIMESTAMP)].at(-1)?.[1]
  const touched = formatTimestamp(file.mtime)
  return { first: first ?? last ?? touched, last: last ?? first ?? touched }
}

async function readText(handle: FileHandle, start: number, end: number): Promise<string> {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, start)
  return buffer.toString('utf8', 0, bytesRead)
}
