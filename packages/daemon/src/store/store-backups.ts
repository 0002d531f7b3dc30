/**
 * Copies of the store, made while it goes on working. One a day at most, only when something has changed since the last
 * one and nobody is using it; the last few are kept, for its user alone.
 */
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, ensurePrivateFolder, errorMessage, type Timer } from '@switchboard/base'
import type { Store } from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'

export interface StoreBackupsOptions {
  readonly directory: string
  /** What the copies of this store are: a file of SQLite, or lines of JSON. Default: `db`. */
  readonly ending?: 'db' | 'jsonl'
  readonly clock: Clock
  readonly log: Logger
  /** Undefined: it is not open, and so nothing changes. */
  store(): Promise<Store> | undefined
  /** Milliseconds between two of them; undefined: none are made. */
  every(): number | undefined
  /** Monotonic: when it was last used. */
  lastUsed(): number
}

export interface Backup {
  readonly file: string
  /** Milliseconds since 1970. */
  readonly time: number
  readonly bytes: number
}

const KEPT = 2
/** How often is looked whether it is time. */
const LOOK_MS = 5 * 60_000
/** Without a use for so long it is idle. */
const IDLE_MS = 60_000
const NAME = /^store-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:db|jsonl)$/

export class StoreBackups {
  readonly #options: StoreBackupsOptions
  #timer: Timer | undefined
  #isChanged = false
  #underWay: Promise<unknown> = Promise.resolve()

  constructor(options: StoreBackupsOptions) {
    this.#options = options
  }

  /** Looks again and again from here on. */
  start(): void {
    this.#timer ??= this.#options.clock.setBackgroundTimer(LOOK_MS, () => {
      this.#timer = undefined
      this.start()
      void this.backUpWhenDue()
    })
  }

  /** What was backed up is no longer what is there. */
  noteChange(): void {
    this.#isChanged = true
  }

  /** The newest first. */
  async list(): Promise<Backup[]> {
    const names = await readdir(this.#options.directory).catch(() => [])
    const backups = await Promise.all(
      names.map(async (name) => {
        const time = readTime(name)
        const file = join(this.#options.directory, name)
        return time === undefined ? [] : [{ file, time, bytes: (await stat(file)).size }]
      }),
    )
    return backups.flat().sort((a, b) => b.time - a.time)
  }

  /** Whatever fails is logged, and tried again the next time. */
  backUpWhenDue(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        const store = (await this.#isDue()) ? await this.#options.store() : undefined
        if (store !== undefined) await this.#make(store)
      } catch (error) {
        this.#options.log.warn('store.backup', `the store could not be backed up: ${errorMessage(error)}`)
      }
    })
  }

  /** Now, whatever is going on. */
  backUp(store: Store): Promise<Backup> {
    return this.#inTurn(() => this.#make(store))
  }

  /** When none is under way any more. */
  async close(): Promise<void> {
    this.#timer?.cancel()
    await this.#underWay
  }

  async #isDue(): Promise<boolean> {
    const { clock, every, lastUsed } = this.#options
    const interval = every()
    if (interval === undefined || !this.#isChanged || clock.now() - lastUsed() < IDLE_MS) return false
    const [newest] = await this.list()
    return newest === undefined || clock.wallTime() - newest.time >= interval
  }

  async #make(store: Store): Promise<Backup> {
    const { directory, ending = 'db', clock, log } = this.#options
    await ensurePrivateFolder(directory)
    const stamp = new Date(clock.wallTime()).toISOString().replace(/[-:]|\.\d+/g, '')
    const file = join(directory, `store-${stamp}.${ending}`)
    const draft = `${file}.part`
    this.#isChanged = false
    try {
      await rm(draft, { force: true })
      await store.backup(draft)
      await chmod(draft, 0o600)
      await rename(draft, file)
    } catch (error) {
      this.#isChanged = true
      await rm(draft, { force: true })
      throw error
    }
    const [newest = { file, time: clock.wallTime(), bytes: 0 }, ...older] = await this.list()
    for (const old of older.slice(KEPT - 1)) await rm(old.file, { force: true })
    log.info('store.backup', `the store was backed up to ${file}`)
    return newest
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#underWay.then(work)
    this.#underWay = done.catch(() => undefined)
    return done
  }
}

/** Undefined: it is no name of ours. */
function readTime(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
