/**
 * The folder where processes under the debugger announce themselves. A file is written and renamed in one go by a process
 * that then stands still, so nothing else than the file system would do: it cannot wait for an answer on a socket.
 *
 * Whoever reads an announcement may run code in the program, so nobody else may: the folder is 0700. It lies in a folder of
 * our own where there is one, and only there what others of us left behind is looked for: in the folder that all users share,
 * another user's pipe would be waited for and another user's folder removed.
 */
import { type FSWatcher, watch } from 'node:fs'
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrivateFolder, isProcessAlive, readForeignText } from '@switchboard/base'
import { parsePlainJson } from '@switchboard/protocol/framing'
import { ANNOUNCEMENT, HOOK_FILE, HOOK_SOURCE, OPEN_MARK, TOLD_BY_STDERR } from './hook-source.ts'

const FOLDER_PREFIX = 'switchboard-node-debug-'
/** Of what the processes write; the program's own path is the longest of it. */
const MOST_BYTES = 64 * 1024
/** Watching may miss something, by the system's own account. */
const POLL_MS = 250

export interface Announcement {
  readonly pid: number
  readonly parent: number
  /** Undefined: it was let be, because its address would be told to others. */
  readonly url: string | undefined
  readonly title: string
}

export class Rendezvous {
  readonly #folder: string
  readonly #seen = new Set<string>()
  readonly #watcher: FSWatcher
  readonly #timer: NodeJS.Timeout
  readonly #onAnnounced: (announcement: Announcement) => void
  #looking: Promise<void> | undefined
  #again = false
  #closed = false

  private constructor(folder: string, onAnnounced: (announcement: Announcement) => void) {
    this.#folder = folder
    this.#onAnnounced = onAnnounced
    this.#watcher = watch(folder, { persistent: false }, () => this.#look())
    this.#watcher.on('error', () => {})
    this.#timer = setInterval(() => this.#look(), POLL_MS).unref()
  }

  /** `home`: a folder of ours. Without one it is made among the temporary files. */
  static async open(home: string | undefined, onAnnounced: (announcement: Announcement) => void): Promise<Rendezvous> {
    if (home !== undefined) await ensurePrivateFolder(home)
    const folder = await mkdtemp(join(home ?? tmpdir(), FOLDER_PREFIX))
    await Promise.all([
      writeFile(join(folder, HOOK_FILE), HOOK_SOURCE, { mode: 0o600 }),
      writeFile(join(folder, OPEN_MARK), String(process.pid), { mode: 0o600 }),
    ])
    if (home !== undefined) removeAbandoned(home).catch(() => {})
    return new Rendezvous(folder, onAnnounced)
  }

  /** NODE_OPTIONS that lead here, around those that the program has anyway. */
  toNodeOptions(own: string): string {
    // Backslashes would have to be doubled; Windows takes slashes as well.
    const hook = join(this.#folder, HOOK_FILE).replaceAll('\\', '/')
    // The last one counts: the address is told on standard error, which is our pipe, and not over HTTP, to everybody.
    return ['--require', `"${hook}"`, own.trim(), '--inspect-publish-uid=stderr'].filter(Boolean).join(' ')
  }

  /** Processes that start from now on are left alone. */
  async refuseMore(): Promise<void> {
    await rm(join(this.#folder, OPEN_MARK), { force: true })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#watcher.close()
    clearInterval(this.#timer)
    await this.#looking
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #look(): void {
    if (this.#closed) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#read()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
        if (!this.#again) return
        this.#again = false
        this.#look()
      })
  }

  async #read(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (this.#seen.has(name) || !ANNOUNCEMENT.test(name)) continue
      this.#seen.add(name)
      const announcement = parseAnnouncement(readText(join(this.#folder, name)))
      if (announcement !== undefined && !this.#closed) this.#onAnnounced(announcement)
    }
  }
}

/** Whoever was killed could not clean up behind itself. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const folder = join(home, name)
    const owner = Number(readText(join(folder, OPEN_MARK)))
    if (owner > 0 && !isProcessAlive(owner) && (await isOwnFolder(folder))) {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  }
}

function readText(path: string): string {
  try {
    return readForeignText(path, { maxBytes: MOST_BYTES })
  } catch {
    return ''
  }
}

async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path)
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())
}

export function parseAnnouncement(text: string): Announcement | undefined {
  let value: unknown
  try {
    value = parsePlainJson(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, parent, url, title, refused } = value as Record<string, unknown>
  if (typeof pid !== 'number' || typeof parent !== 'number') return undefined
  const who = { pid, parent, title: typeof title === 'string' ? title : '' }
  if (refused === TOLD_BY_STDERR) return { ...who, url: undefined }
  return typeof url === 'string' && /^ws:\/\/127\.0\.0\.1:\d+\//.test(url) ? { ...who, url } : undefined
}
