/** The one store that all packs share, each in spaces of its own. Opened when the first pack asks: who keeps nothing pays nothing. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock, errorMessage, systemClock, within } from '@switchboard/base'
import { type ErrorReport, SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import {
  describePlace,
  observeStore,
  openStore,
  type Store,
  type StoreObserver,
  type StoreStatus,
} from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'
import type { PackStore } from '@switchboard/toolkit'
import type { PersonCommands } from '../packs/person-commands.ts'
import { StoreBackups } from './store-backups.ts'
import { createStoreCommands } from './store-commands.ts'

export interface HomeStoreOptions {
  readonly file: string
  /** `postgres://…`: that server keeps everything, and the file nothing. */
  readonly url?: string | undefined
  readonly observer: StoreObserver
  readonly log: Logger
  /** Milliseconds between two backups; undefined: none are made by themselves. */
  backupEvery(): number | undefined
  readonly clock?: Clock
}

/** As `status` tells it. */
export interface StoreReport {
  /** The file, or the server and its database; never a password. */
  readonly place: string
  readonly engine: StoreStatus['engine']
  /** absent: nothing was ever kept; resting: nobody has asked for it yet; busy: it does not answer at once. */
  readonly state: 'absent' | 'resting' | 'open' | 'busy' | 'failed'
  readonly bytes: number
  readonly version?: string
  /** By space. */
  readonly items?: Readonly<Record<string, number>>
  /** Writes that are not acknowledged yet. */
  readonly waiting?: number
  /** ISO 8601; null: there is none. */
  readonly last_backup: string | null
  readonly error?: ErrorReport
}

/** What only reads changes nothing that a backup would have to hold. */
const READS: ReadonlySet<string> = new Set([
  'get',
  'list',
  'search',
  'walk',
  'vectorsOf',
  'listWithoutVector',
  'check',
  'backup',
])
const ANSWER_MS = 1_000

export class HomeStore {
  /** For a person at a terminal. */
  readonly commands: PersonCommands
  readonly #options: HomeStoreOptions
  readonly #clock: Clock
  readonly #backups: StoreBackups
  #lastUsed = 0
  #store: Promise<Store> | undefined
  #failure: ErrorReport | undefined

  constructor(options: HomeStoreOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#backups = new StoreBackups({
      directory: join(dirname(options.file), 'backups'),
      // A server is backed up where it runs; what a person asks for is lines of JSON, which every store reads.
      ending: options.url === undefined ? 'db' : 'jsonl',
      clock: this.#clock,
      log: options.log,
      store: () => this.#store,
      every: () => (options.url === undefined ? options.backupEvery() : undefined),
      lastUsed: () => this.#lastUsed,
    })
    this.commands = createStoreCommands({ open: () => this.#open(), backups: this.#backups })
  }

  /** From here on it is backed up from time to time. */
  start(): void {
    this.#backups.start()
  }

  /** What a pack of that name sees of it. */
  forPack(name: string): PackStore {
    return {
      isEmpty: () => this.#store === undefined && !this.#mayHold(),
      describe: () => this.describe(),
      space: async (space) => (await this.#open()).space(`${name}_${space}`),
    }
  }

  /** Opens nothing, and waits for nothing that lasts. */
  async describe(): Promise<StoreReport> {
    const { file, url } = this.#options
    const [newest] = await this.#backups.list()
    const bytes = url === undefined ? await sizeOf(file) : 0
    const known = {
      place: describePlace(this.#options),
      engine: url === undefined ? ('sqlite' as const) : ('postgres' as const),
      bytes: bytes ?? 0,
      last_backup: newest === undefined ? null : new Date(newest.time).toISOString(),
    }
    if (this.#failure !== undefined) return { ...known, state: 'failed', error: this.#failure }
    if (this.#store === undefined) return { ...known, state: bytes === undefined ? 'absent' : 'resting' }
    const status = await within(
      this.#store.then((store) => store.status()),
      ANSWER_MS,
    ).catch(() => undefined)
    return status === undefined ? { ...known, state: 'busy' } : { ...known, ...status, state: 'open' }
  }

  async close(): Promise<void> {
    await this.#backups.close()
    const store = await this.#store?.catch(() => undefined)
    await store?.close()
  }

  /** Nobody asks a server that may be far away just to know. */
  #mayHold(): boolean {
    return this.#options.url !== undefined || existsSync(this.#options.file)
  }

  #open(): Promise<Store> {
    this.#store ??= this.#openPlace().then(
      (store) => {
        this.#failure = undefined
        return store
      },
      (error: unknown) => {
        // The next one tries again: a full disk may have room then.
        this.#store = undefined
        this.#failure = toSwitchboardError(error).toReport()
        throw error
      },
    )
    return this.#store
  }

  async #openPlace(): Promise<Store> {
    const { file, url, observer } = this.#options
    await makePlace(file, url === undefined)
    const store = await openStore(this.#options)
    return observeStore(store, {
      onBegun: () => {
        this.#lastUsed = this.#clock.now()
        observer.onBegun()
      },
      onEnded: (operation) => {
        this.#lastUsed = this.#clock.now()
        if (!READS.has(operation.name)) this.#backups.noteChange()
        observer.onEnded(operation)
      },
    })
  }
}

/** With its write-ahead log. Undefined: there is none. */
async function sizeOf(file: string): Promise<number | undefined> {
  const [main, log] = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => undefined,
      ),
    ),
  )
  return main === undefined ? undefined : main + (log ?? 0)
}

/** Of a server too: copies of it lie there. */
async function makePlace(file: string, isFile: boolean): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    if (isFile) await makePrivate(file)
  } catch (error) {
    throw new SwitchboardError('store_unavailable', `The store ${file} cannot be opened: ${errorMessage(error)}`, {
      cause: error,
      hint: 'It must be a file that you may write, in a folder where you may: check who owns both and their modes.',
    })
  }
}

/** What it holds is its user's alone, whatever the umask was. The engine makes the files beside it as this one is. */
async function makePrivate(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  await handle.close()
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await chmod(path, 0o600).catch(() => undefined)
}
