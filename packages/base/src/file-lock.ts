/**
 * One at a time, of all processes that use the same file: `<file>.lock`, made by exclusive creation and marked with a nonce.
 * Whoever holds it shows now and then that it lives; one that has not for `STALE_AFTER` is taken for dead, and its lock broken.
 * A holder that was only thought dead (a machine that slept) can tell: `isHeld`, asked before what it did is made true.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

const STALE_AFTER = 10_000
const SHOW_LIFE_EVERY = 2_500
const GIVE_UP_AFTER = 30_000
/** Windows refuses to replace a file that somebody is just reading. */
const BUSY: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']

export interface FileLock {
  /** False: somebody took us for dead. */
  isHeld(): Promise<boolean>
}

export interface FileLockOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly giveUpAfter?: number
}

/** Somebody held it for too long. */
export class FileLockedError extends Error {
  readonly lock: string

  constructor(lock: string) {
    super(`${lock} was held by another process for too long`)
    this.name = 'FileLockedError'
    this.lock = lock
  }
}

/** Makes the folder of the file when it is not there, for its owner alone. */
export async function withFileLock<T>(
  file: string,
  work: (lock: FileLock) => Promise<T>,
  { signal, giveUpAfter = GIVE_UP_AFTER }: FileLockOptions = {},
): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const lock = `${file}.lock`
  const nonce = await acquire(lock, performance.now() + giveUpAfter, signal)
  const isHeld = async (): Promise<boolean> => (await readIfPresent(lock)) === nonce
  const pulse = setInterval(() => void showLife(lock, isHeld), SHOW_LIFE_EVERY)
  pulse.unref()
  try {
    return await work({ isHeld })
  } finally {
    clearInterval(pulse)
    if (await isHeld()) await rm(lock, { force: true })
  }
}

export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function acquire(lock: string, end: number, signal: AbortSignal | undefined): Promise<string> {
  const nonce = randomUUID()
  while (performance.now() < end) {
    signal?.throwIfAborted()
    try {
      await writeFile(lock, nonce, { flag: 'wx', mode: 0o600, flush: true })
      return nonce
    } catch (error) {
      const code = errorCode(error)
      if (code !== 'EEXIST' && !BUSY.includes(code)) throw error
    }
    await breakStale(lock)
    await delay(5 + Math.random() * 20, undefined, { signal })
  }
  throw new FileLockedError(lock)
}

async function showLife(lock: string, isHeld: () => Promise<boolean>): Promise<void> {
  try {
    const now = new Date()
    if (await isHeld()) await utimes(lock, now, now)
  } catch {
    // Gone in between, or a disk that refuses: then it is seen to be stale, and `isHeld` says so.
  }
}

/** Moved aside first: of two that find it stale, only one can do that. */
async function breakStale(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock)
    if (Date.now() - mtimeMs < STALE_AFTER) return
    const aside = `${lock}.${randomUUID()}`
    await rename(lock, aside)
    await rm(aside, { force: true })
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOENT' && !BUSY.includes(code)) throw error
  }
}
