/**
 * Replaces a file as a whole: a reader sees the old one or the new one, and a failure leaves the old one and nothing beside.
 * The draft lies beside the file as `<file>.<uuid>.tmp`: what a killed process leaves of it can be told by its name.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

export interface AtomicWriteOptions {
  /** Exactly this, whatever the umask says. Default 0600: its owner alone. */
  readonly mode?: number
  /** Makes the folder when it is not there, for its owner alone. Default: its absence is an error. */
  readonly createFolder?: boolean
  /** The content is on the disk before it takes the file's name, for what must survive a power cut. Default: no. */
  readonly flush?: boolean
  /** Keeps a file that is there by now. Default: it is replaced. */
  readonly keepExisting?: boolean
  /** Asked when the content is written; false: it is thrown away, and the file stays as it is. */
  readonly mayCommit?: () => Promise<boolean>
}

/** Windows refuses to replace a file that somebody is just reading. */
const BUSY: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']
const BUSY_ATTEMPTS = 50
const BUSY_PAUSE_MS = 10

/** Whether the content is the file's now. */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, createFolder, flush = false, keepExisting, mayCommit }: AtomicWriteOptions = {},
): Promise<boolean> {
  const draft = `${file}.${randomUUID()}.tmp`
  if (createFolder) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  let isMoved = false
  try {
    await writeFile(draft, content, { flag: 'wx', mode, flush })
    // What is for others too may be more than the umask allows.
    if ((mode & 0o077) !== 0) await chmod(draft, mode)
    if (mayCommit !== undefined && !(await mayCommit())) return false
    if (keepExisting) return await createFile(draft, file)
    await replaceFile(draft, file)
    isMoved = true
    return true
  } finally {
    if (!isMoved) await rm(draft, { force: true }).catch(() => undefined)
  }
}

/** Whatever has the file's name, also a link, gives way: nothing is followed. */
export async function replaceFile(draft: string, file: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(draft, file)
    } catch (error) {
      if (attempt >= BUSY_ATTEMPTS || !BUSY.includes(errorCode(error))) throw error
      await delay(BUSY_PAUSE_MS)
    }
  }
}

/** False: there is something of that name by now. */
export async function createFile(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
  }
  try {
    // A file system without hard links: here a reader may see half of it.
    await copyFile(draft, file, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
