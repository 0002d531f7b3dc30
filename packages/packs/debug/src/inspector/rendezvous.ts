/**
 * The folder where processes under the debugger announce themselves. A file is written and renamed in one go by a process
 * that then stands still, so nothing else than the file system would do: it cannot wait for an answer on a socket.
 */
import { type FSWatcher, watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './debugged-process.ts'
import { ANNOUNCEMENT, HOOK_FILE, HOOK_SOURCE, OPEN_MARK } from './hook-source.ts'

const FOLDER_PREFIX = 'switchboard-node-debug-'
/** Watching may miss something, by the system's own account. */
const POLL_MS = 250

export interface Announcement {
  readonly pid: number
  readonly parent: number
  readonly url: string
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

  static async open(onAnnounced: (announcement: Announcement) => void): Promise<Rendezvous> {
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
    await Promise.all([
      writeFile(join(folder, HOOK_FILE), HOOK_SOURCE, { mode: 0o600 }),
      writeFile(join(folder, OPEN_MARK), String(process.pid)),
    ])
    removeAbandoned().catch(() => {})
    return new Rendezvous(folder, onAnnounced)
  }

  /** What NODE_OPTIONS must hold. The address is not printed by the program then. */
  get nodeOptions(): string {
    // Backslashes would have to be doubled; Windows takes slashes as well.
    const hook = join(this.#folder, HOOK_FILE).replaceAll('\\', '/')
    return `--require "${hook}" --inspect-publish-uid=http`
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
      const announcement = parseAnnouncement(await readFile(join(this.#folder, name), 'utf8'))
      if (announcement !== undefined && !this.#closed) this.#onAnnounced(announcement)
    }
  }
}

/** Whoever was killed could not clean up behind itself. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const folder = join(tmpdir(), name)
    const owner = Number(await readFile(join(folder, OPEN_MARK), 'utf8').catch(() => ''))
    // Another user's cannot be removed, and is none of our business.
    if (owner > 0 && !isAlive(owner)) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

export function parseAnnouncement(text: string): Announcement | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, parent, url, title } = value as Record<string, unknown>
  if (typeof pid !== 'number' || typeof parent !== 'number' || typeof url !== 'string') return undefined
  if (!/^ws:\/\/127\.0\.0\.1:\d+\//.test(url)) return undefined
  return { pid, parent, url, title: typeof title === 'string' ? title : '' }
}
