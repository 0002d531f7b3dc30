/**
 * The embedded store: one file, one thread that writes, a few that read. The caller's thread does no SQL at all.
 *
 * 1. A write is acknowledged when it is on the disk.
 * 2. Writes wait for the disk in turns (`write-turns.ts`).
 * 3. A read sees every write that was acknowledged before it was asked for.
 */
import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findProgram, replaceFile } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ReadOptions, Space, Store, StoreCheck, StoreStatus } from '../store.ts'
import {
  type OperationInput,
  type OperationName,
  type OperationResult,
  type Operations,
  WRITES,
} from '../thread/messages.ts'
import { OpenSpaces } from '../thread/open-spaces.ts'
import { StoreThread } from '../thread/store-thread.ts'
import { ThreadSpace } from '../thread/thread-space.ts'
import { WriteTurns } from '../thread/write-turns.ts'
import { noteBackup } from './backup-note.ts'
import { ReaderPool } from './reader-pool.ts'
import type { ThreadStart } from './thread/main.ts'

export interface SqliteStoreOptions {
  readonly file: string
  /** Default: 2. */
  readonly readers?: number
}

/** Milliseconds after which readers that nobody needs end; those that would have to read all vectors again stay longer. */
const REST_MS = 30_000
const VECTOR_REST_MS = 300_000

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
  readonly #readers: ReaderPool<Operations>
  /** Alone: it holds all vectors in its memory, which is enough once. */
  readonly #vectorReader: ReaderPool<Operations>
  readonly #writes: WriteTurns
  readonly #spaces = new OpenSpaces((name) => this.#openSpace(name))
  #writer: StoreThread<Operations>
  /** Of what the writer is asked, that which takes it no time: whoever reads may stand behind it. */
  #quick = 0
  #isClosed = false

  constructor({ file, readers = 2 }: SqliteStoreOptions) {
    this.#file = file
    this.#writes = new WriteTurns(`the disk of ${file}`)
    const start = (): StoreThread<Operations> => startThread({ file, role: 'reader' })
    this.#readers = new ReaderPool({ size: readers, rest: REST_MS, start, findOther: () => this.#idleWriter() })
    this.#vectorReader = new ReaderPool({ size: 1, rest: VECTOR_REST_MS, start })
    this.#writer = startThread({ file, role: 'writer' })
  }

  /** The writer makes the file; who only reads could not. */
  async start(): Promise<void> {
    await this.#quickly(() => this.#writer.request('spaces', []))
  }

  space(name: string): Promise<Space> {
    return this.#spaces.get(name)
  }

  async status(): Promise<StoreStatus> {
    const [items, ...sizes] = await Promise.all([
      this.#quickly(() => this.#liveWriter().request('spaces', [])),
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

  async check(): Promise<StoreCheck> {
    return await this.#liveWriter().request('check', [])
  }

  async backup(file: string): Promise<void> {
    if (resolve(file) === resolve(this.#file)) throw new SwitchboardError('internal', 'A store is no backup of itself')
    const draft = `${file}.${randomUUID()}.tmp`
    const reader = startThread({ file: this.#file, role: 'reader' })
    try {
      // Nobody else may read it, from its first byte on.
      await writeFile(draft, '', { flag: 'wx', mode: 0o600 })
      await reader.request('backup', [draft])
      await replaceFile(draft, file)
    } finally {
      await reader.end()
      await rm(draft, { force: true })
    }
    await noteBackup(this.#file, file)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#readers.end(), this.#vectorReader.end()])
    await this.#writer.end()
  }

  async #openSpace(name: string): Promise<Space> {
    await this.#quickly(() => this.#write(name, 'open', [name]))
    return new ThreadSpace(
      name,
      (operation, input) => this.#write(name, operation, input),
      (operation, input, options) => this.#read(name, operation, input, options),
    )
  }

  #write<N extends OperationName>(owner: string, name: N, input: OperationInput<N>): OperationResult<N> {
    return this.#writes.take(owner, () => this.#liveWriter().request(name, input))
  }

  #read<N extends OperationName>(
    owner: string,
    name: N,
    input: OperationInput<N>,
    options?: ReadOptions,
  ): OperationResult<N> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    return (hasVector(input) ? this.#vectorReader : this.#readers).read(owner, name, input, options)
  }

  /** One that died is followed by another: what it had committed is there. */
  #liveWriter(): StoreThread<Operations> {
    if (this.#isClosed) throw this.#closed()
    if (!this.#writer.isAlive) this.#writer = startThread({ file: this.#file, role: 'writer' })
    return this.#writer
  }

  /** While nobody wants anything that lasts of it, it reads as well: a thread costs some megabytes. */
  #idleWriter(): StoreThread<Operations> | undefined {
    return this.#writer.isAlive && this.#writer.waiting <= this.#quick ? this.#writer : undefined
  }

  async #quickly<Result>(ask: () => Promise<Result>): Promise<Result> {
    this.#quick++
    try {
      return await ask()
    } finally {
      this.#quick--
    }
  }

  #closed(): SwitchboardError {
    return new SwitchboardError('store_unavailable', `The store ${this.#file} is closed`)
  }
}

/** Whether this is a search by meaning. */
const hasVector = ([, query]: readonly unknown[]): boolean =>
  typeof query === 'object' && query !== null && 'vector' in query && query.vector !== undefined

const PROGRAM = findProgram(import.meta.url, { bundled: 'sqlite-thread', source: './thread/main' })

const startThread = (start: ThreadStart): StoreThread<Operations> =>
  new StoreThread({ program: PROGRAM, name: start.role, place: start.file, start, writes: WRITES })

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
