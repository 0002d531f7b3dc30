/**
 * The embedded store: one file, one thread that writes, a few that read. The caller's thread does no SQL at all.
 *
 * 1. A write is acknowledged when it is on the disk.
 * 2. At most `MAX_WRITES` wait for the disk; owners take turns for the next place, and who waits too long is told to come later.
 * 3. A read sees every write that was acknowledged before it was asked for.
 */
import { stat } from 'node:fs/promises'
import { FairQueue } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Item, ReadOptions, Space, Store, StoreCheck, StoredItem, StoreStatus } from '../store.ts'
import { StoreThread } from './store-thread.ts'
import type { OperationName, Operations } from './thread/messages.ts'

export interface SqliteStoreOptions {
  readonly file: string
  /** Default: 2. */
  readonly readers?: number
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/
const MAX_WRITES = 1_000
/** Milliseconds that a write waits for its place. */
const MAX_WAIT = 30_000
/** So often a change is tried again that another came before. */
const MAX_TRIES = 20

/** The oldest whose write-ahead log cannot be damaged by a checkpoint in the wrong moment. */
const OLDEST_ENGINE = [3, 51, 3] as const

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  refuseOldEngine(process.versions.sqlite ?? '0')
  const store = new SqliteStore(options)
  try {
    await store.start()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

class SqliteStore implements Store {
  readonly #file: string
  readonly #writer: StoreThread
  readonly #readers: StoreThread[] = []
  readonly #readerCount: number
  readonly #idle: StoreThread[] = []
  readonly #writes = new FairQueue(MAX_WRITES)
  readonly #reads: FairQueue
  readonly #spaces = new Map<string, Promise<Space>>()

  constructor({ file, readers = 2 }: SqliteStoreOptions) {
    this.#file = file
    this.#readerCount = readers
    this.#reads = new FairQueue(readers)
    this.#writer = new StoreThread({ file, role: 'writer' })
  }

  /** The writer makes the file; who only reads could not. */
  async start(): Promise<void> {
    await this.#writer.request('spaces', [])
    for (let count = 0; count < this.#readerCount; count++) {
      const reader = new StoreThread({ file: this.#file, role: 'reader' })
      this.#readers.push(reader)
      this.#idle.push(reader)
    }
    await Promise.all(this.#readers.map((reader) => reader.request('ready', [])))
  }

  space(name: string): Promise<Space> {
    if (!NAME.test(name)) throw new SwitchboardError('internal', `"${name}" is no name of a space`)
    const known = this.#spaces.get(name) ?? this.#openSpace(name)
    this.#spaces.set(name, known)
    return known
  }

  async status(): Promise<StoreStatus> {
    const [items, ...sizes] = await Promise.all([
      this.#writer.request('spaces', []),
      ...['', '-wal'].map((suffix) =>
        stat(`${this.#file}${suffix}`).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    ])
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    const waiting = this.#writer.waiting + this.#writes.waiting
    return { engine: 'sqlite', version: process.versions.sqlite ?? '', bytes, items, waiting }
  }

  check(): Promise<StoreCheck> {
    return this.#writer.request('check', [])
  }

  async backup(file: string): Promise<void> {
    await this.#writer.request('backup', [file])
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.end()))
    await this.#writer.end()
  }

  async #openSpace(name: string): Promise<Space> {
    try {
      await this.#write(name, 'open', [name])
    } catch (error) {
      this.#spaces.delete(name)
      throw error
    }
    return new SqliteSpace(
      name,
      (operation, input) => this.#write(name, operation, input),
      (operation, input, options) => this.#read(name, operation, input, options),
    )
  }

  async #write<N extends OperationName>(owner: string, name: N, input: Parameters<Operations[N]>): Result<N> {
    if (!this.#writes.tryEnter(owner)) {
      await this.#writes.wait(owner, {
        timeout: MAX_WAIT,
        createAbortError: toError,
        createTimeoutError: () =>
          new SwitchboardError('store_busy', `${MAX_WRITES} writes wait for the disk of ${this.#file}`),
      })
    }
    try {
      return await this.#writer.request(name, input)
    } finally {
      this.#writes.exit(owner)
    }
  }

  async #read<N extends OperationName>(
    owner: string,
    name: N,
    input: Parameters<Operations[N]>,
    { signal }: ReadOptions = {},
  ): Result<N> {
    if (!this.#reads.tryEnter(owner)) await this.#reads.wait(owner, { signal, createAbortError: toError })
    // As many places as readers: whoever has one finds a reader.
    const reader = this.#idle.pop() ?? this.#writer
    const answer = reader.request(name, input)
    answer.then(
      () => this.#release(owner, reader),
      () => this.#release(owner, reader),
    )
    return await (signal === undefined ? answer : orAborted(answer, signal))
  }

  /** Only once it has answered: a reader that works for nobody is still at work. */
  #release(owner: string, reader: StoreThread): void {
    this.#idle.push(reader)
    this.#reads.exit(owner)
  }
}

type Result<N extends OperationName> = Promise<Awaited<ReturnType<Operations[N]>>>

class SqliteSpace implements Space {
  readonly #name: string
  readonly #write: <N extends OperationName>(name: N, input: Parameters<Operations[N]>) => Result<N>
  readonly #read: <N extends OperationName>(
    name: N,
    input: Parameters<Operations[N]>,
    options?: ReadOptions,
  ) => Result<N>

  constructor(
    name: string,
    write: <N extends OperationName>(name: N, input: Parameters<Operations[N]>) => Result<N>,
    read: <N extends OperationName>(name: N, input: Parameters<Operations[N]>, options?: ReadOptions) => Result<N>,
  ) {
    this.#name = name
    this.#write = write
    this.#read = read
  }

  async put(items: readonly Item[]): Promise<void> {
    await this.#write('put', [this.#name, items])
  }

  async change(id: string, edit: (item: StoredItem) => Item | undefined): Promise<StoredItem | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const item = await this.get(id)
      const edited = item === undefined ? undefined : edit(item)
      if (item === undefined || edited === undefined) return item
      const done = await this.#write('replace', [this.#name, { ...edited, id }, item.revision])
      if (done) return { ...edited, id, revision: item.revision + 1 }
    }
    throw new SwitchboardError('store_busy', `"${id}" was changed by others ${MAX_TRIES} times in a row`)
  }

  remove(ids: readonly string[]): Promise<number> {
    return this.#write('remove', [this.#name, ids])
  }

  get(id: string, options?: ReadOptions): Promise<StoredItem | undefined> {
    return this.#read('get', [this.#name, id], options)
  }

  list(query: Parameters<Space['list']>[0], options?: ReadOptions): ReturnType<Space['list']> {
    return this.#read('list', [this.#name, query], options)
  }

  search(query: Parameters<Space['search']>[0], options?: ReadOptions): ReturnType<Space['search']> {
    return this.#read('search', [this.#name, query], options)
  }
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(toError(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) onAbort()
  })
}

function refuseOldEngine(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const number = (parts: readonly number[]): number => parts.reduce((sum, part) => sum * 1_000 + part, 0)
  if (number([major, minor, patch]) >= number(OLDEST_ENGINE)) return
  throw new SwitchboardError(
    'store_unavailable',
    `Node ${process.version} has SQLite ${version}, which may lose data`,
    {
      hint: `Use a Node whose SQLite is ${OLDEST_ENGINE.join('.')} or later, such as 22.23 or 24.21.`,
    },
  )
}
