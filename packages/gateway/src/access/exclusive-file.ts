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
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, writeFileAtomically } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'

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
      // Thought dead meanwhile: somebody else has the lock, and nothing was changed.
      const mayCommit = async (): Promise<boolean> => (await readIfPresent(lock)) === nonce
      if (next === undefined || (await writeFileAtomically(file, next, { flush: true, mayCommit }))) return
    } finally {
      if ((await readIfPresent(lock)) === nonce) await rm(lock, { force: true })
    }
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

async function acquire(lock: string, end: number): Promise<string> {
  const nonce = randomUUID()
  while (performance.now() < end) {
    try {
      await writeFile(lock, nonce, { flag: 'wx', mode: 0o600, flush: true })
      return nonce
    } catch (error) {
      const code = errorCode(error)
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
    const code = errorCode(error)
    if (code !== 'ENOENT' && !BUSY.includes(code)) throw error
  }
}
