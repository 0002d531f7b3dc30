/**
 * Opens what others name: a file that a workspace holds, an agent asks for or a configuration points to. A repository can
 * store a link to a device that never ends or a pipe that never speaks, so nothing is believed of the name:
 *
 * 1. Opening never waits, and what is no plain file is not even opened.
 * 2. What was opened is judged by its handle: a plain file, and no larger than the caller allows.
 * 3. With a `root` the file that was opened lies inside it, whatever links are on the way.
 * 4. No more is read than the file had when it was opened. Files of the kernel, which say that they have nothing and never
 *    end, are empty.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  read,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from './error-code.ts'
import { isPathInside } from './path-inside.ts'

/** `changed`: it became another one while it was opened. */
export type ForeignFileProblem = 'missing' | 'not_plain' | 'too_large' | 'outside' | 'changed' | 'unreadable'

export class ForeignFileError extends Error {
  readonly problem: ForeignFileProblem
  /** What is wrong, without the path: "is a pipe, not a plain file". */
  readonly reason: string

  constructor(path: string, problem: ForeignFileProblem, reason: string, cause?: unknown) {
    super(`${path} ${reason}`, { cause })
    this.name = 'ForeignFileError'
    this.problem = problem
    this.reason = reason
  }
}

export interface ForeignFileLimits {
  /** A larger file is refused. */
  readonly maxBytes: number
  /** The folder that no link may lead out of. Default: links are followed wherever they lead. */
  readonly root?: string | undefined
}

export interface ForeignFile {
  /** A descriptor, for the time of the call it is given to. */
  readonly fd: number
  readonly size: number
}

// Windows knows neither.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
const readLater = promisify(read)

/** Throws ForeignFileError. */
export function withForeignFile<T>(path: string, limits: ForeignFileLimits, use: (file: ForeignFile) => T): T {
  const file = open(path, limits)
  try {
    return use(file)
  } finally {
    closeSync(file.fd)
  }
}

/** Throws ForeignFileError. */
export function readForeignText(path: string, limits: ForeignFileLimits): string {
  return withForeignFile(path, limits, ({ fd, size }) => readPart(fd, 0, size)).toString('utf8')
}

/** What there is of a part of an opened file. */
export function readPart(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

/** As `readForeignText`, for files that may be large: reading does not hold up others. Throws ForeignFileError. */
export async function readForeignBytes(path: string, limits: ForeignFileLimits): Promise<Buffer> {
  const { fd, size } = open(path, limits)
  try {
    const buffer = Buffer.allocUnsafe(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await readLater(fd, buffer, filled, size - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } catch (error) {
    throw toForeignFileError(path, error)
  } finally {
    closeSync(fd)
  }
}

function open(path: string, { maxBytes, root }: ForeignFileLimits): ForeignFile {
  let fd: number | undefined
  try {
    // Opening some devices does something, so they are not opened to be looked at.
    throwUnlessPlain(path, statSync(path, { bigint: true }))
    fd = openSync(path, FLAGS)
    const found = fstatSync(fd, { bigint: true })
    throwUnlessPlain(path, found)
    if (root !== undefined) throwUnlessInside(path, found, root)
    if (found.size > maxBytes) {
      throw new ForeignFileError(path, 'too_large', `has ${found.size} bytes, and at most ${maxBytes} are read`)
    }
    return { fd, size: Number(found.size) }
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw toForeignFileError(path, error)
  }
}

function throwUnlessPlain(path: string, stats: BigIntStats): void {
  if (stats.isFile()) return
  const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'
  throw new ForeignFileError(path, 'not_plain', `is ${kind}, not a plain file`)
}

/** The real path is that of the name; that it is the one of the handle is seen by the file's own number. */
function throwUnlessInside(path: string, opened: BigIntStats, root: string): void {
  const real = realpathSync.native(path)
  const { dev, ino } = statSync(real, { bigint: true })
  if (dev !== opened.dev || ino !== opened.ino) {
    throw new ForeignFileError(path, 'changed', 'was exchanged while it was opened')
  }
  if (isPathInside(realpathSync.native(root), real)) return
  throw new ForeignFileError(path, 'outside', 'is a link that leads out of its folder')
}

function toForeignFileError(path: string, error: unknown): ForeignFileError {
  if (error instanceof ForeignFileError) return error
  const code = errorCode(error) ?? 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') return new ForeignFileError(path, 'missing', 'is not there', error)
  const reason = code === 'ELOOP' ? 'is a link that leads in circles' : `cannot be read (${code})`
  return new ForeignFileError(path, 'unreadable', reason, error)
}
