/**
 * The store on a PostgreSQL, for several machines. One thread talks to the server: the caller's own does no work of it.
 *
 * 1. A write is acknowledged when the server has committed it.
 * 2. Writes wait for the server in turns (`write-turns.ts`).
 * 3. A read sees every write that was acknowledged before it was asked for, by whichever daemon.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { findProgram, replaceFile } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { exportStore } from '../copy/export-store.ts'
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
import { orAborted, ThreadSpace } from '../thread/thread-space.ts'
import { WriteTurns } from '../thread/write-turns.ts'
import { describeAddress, parseAddress } from './address.ts'
import { POSTGRES_LIMITS, type PostgresLimits } from './limits.ts'
import type { PostgresThreadStart } from './thread/server.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** At most so many. Default: 4. */
  readonly connections?: number
  readonly limits?: Partial<PostgresLimits>
}

const PROGRAM = findProgram(import.meta.url, { bundled: 'postgres-thread', source: './thread/main' })

/** Reaches for the server at once: who cannot reach it is told so here. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const store = new PostgresStore(options)
  try {
    await store.status()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

class PostgresStore implements Store {
  readonly #place: string
  readonly #start: PostgresThreadStart
  readonly #writes: WriteTurns
  readonly #spaces = new OpenSpaces((name) => this.#openSpace(name))
  #thread: StoreThread<Operations>
  #isClosed = false

  constructor({ url, connections = 4, limits = {} }: PostgresStoreOptions) {
    const address = parseAddress(url)
    this.#place = describeAddress(address)
    this.#writes = new WriteTurns(this.#place)
    this.#start = { address, connections, limits: { ...POSTGRES_LIMITS, ...limits } }
    this.#thread = this.#startThread()
  }

  space(name: string): Promise<Space> {
    return this.#spaces.get(name)
  }

  async status(): Promise<StoreStatus> {
    const thread = this.#liveThread()
    const [items, facts] = await Promise.all([thread.request('spaces', []), thread.request('facts', [])])
    return { engine: 'postgres', ...facts, items, waiting: this.#writes.active + this.#writes.waiting }
  }

  async check(): Promise<StoreCheck> {
    return await this.#liveThread().request('check', [])
  }

  /** As lines of JSON, which any store reads. For a copy of one moment there is pg_dump. */
  async backup(file: string): Promise<void> {
    const draft = `${file}.${randomUUID()}.tmp`
    try {
      // Nobody else may read it, from its first byte on.
      const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
      await pipeline(exportStore(this, { vectors: true }), target)
      await replaceFile(draft, file)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.end()
  }

  async #openSpace(name: string): Promise<Space> {
    await this.#liveThread().request('open', [name])
    return new ThreadSpace(
      name,
      (operation, input) => this.#writes.take(name, () => this.#liveThread().request(operation, input)),
      (operation, input, options) => this.#read(operation, input, options),
    )
  }

  async #read<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    { signal }: ReadOptions = {},
  ): OperationResult<N> {
    const answer = this.#liveThread().request(name, input)
    return await (signal === undefined ? answer : orAborted(answer, signal))
  }

  /** One that died is followed by another: what it had committed is there. */
  #liveThread(): StoreThread<Operations> {
    if (this.#isClosed) throw new SwitchboardError('store_unavailable', `The store ${this.#place} is closed`)
    if (!this.#thread.isAlive) this.#thread = this.#startThread()
    return this.#thread
  }

  #startThread(): StoreThread<Operations> {
    return new StoreThread({
      program: PROGRAM,
      name: 'postgres',
      place: this.#place,
      start: this.#start,
      writes: WRITES,
    })
  }
}
