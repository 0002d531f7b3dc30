/**
 * Changes one small file from several processes at once, without losing a change and without a reader ever seeing half.
 *
 * Invariants
 * 1. One writer at a time: it holds `<file>.lock`, made by exclusive creation and marked with a nonce.
 * 2. A lock whose holder died is broken after `STALE_AFTER`; a holder that was thought dead notices before it commits
 *    and starts again.
 * 3. The new content is complete on disk, readable by its owner only, before it takes the old one's name.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SwitchboardError } from '@switchboard/protocol'

const STALE_AFTER = 10_000
const GIVE_UP_AFTER = 30_000
/** Windows refuses to replace a file that somebody is just reading. */
const BUSY: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']

/** `change` gets the content (undefined: there is no file yet) and returns the new one; undefined: leave it as it is. */
export async function changeFile(
  file: string,
  change: (content: string | undefined) => string | undefined,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const lock = `${file}.lock`
  const end = performance.now() + GIVE_UP_AFTER
  while (true) {
    const nonce = await acquire(lock, end)
    try {
      const next = change(await readIfPresent(file))
      if (next === undefined || (await commit(file, next, lock, nonce))) return
    } finally {
      if ((await readIfPresent(lock)) === nonce) await rm(lock, { force: true })
    }
  }
}

export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function acquire(lock: string, end: number): Promise<string> {
  const nonce = randomUUID()
  while (performance.now() < end) {
    try {
      await writeNew(lock, nonce)
      return nonce
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'EEXIST' && !BUSY.includes(code)) throw error
    }
    await breakStale(lock)
    await delay(5 + Math.random() * 20)
  }
  throw new SwitchboardError('invalid_configuration', `${lock} was held by another process for too long`, {
    hint: 'End that process, or delete the lock file when there is none.',
  })
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
    const code = codeOf(error)
    if (code !== 'ENOENT' && !BUSY.includes(code)) throw error
  }
}

/** False: the lock was lost meanwhile, and nothing was changed. */
async function commit(file: string, content: string, lock: string, nonce: string): Promise<boolean> {
  const temporary = `${file}.${nonce}`
  try {
    await writeNew(temporary, content)
    if ((await readIfPresent(lock)) !== nonce) return false
    await replace(temporary, file)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Fails when the file exists. */
async function writeNew(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function replace(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (attempt >= 50 || !BUSY.includes(codeOf(error))) throw error
      await delay(10)
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
