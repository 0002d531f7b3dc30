/** A few threads that read, started when they are needed: each costs some megabytes. Owners take turns. */
import { FairQueue } from '@switchboard/base'
import type { ReadOptions } from '../store.ts'
import type { OperationInputOf, OperationOutputOf } from '../thread/messages.ts'
import type { StoreThread } from '../thread/store-thread.ts'
import { orAborted, toError } from '../thread/thread-space.ts'

export interface ReaderPoolOptions<O extends object> {
  /** Threads at most. */
  readonly size: number
  /** Milliseconds after which those that nobody needs end. */
  readonly rest: number
  start(): StoreThread<O>
  /** Whoever reads in place of the first thread, while there is none. */
  findOther?(): StoreThread<O> | undefined
}

export class ReaderPool<O extends object> {
  readonly #options: ReaderPoolOptions<O>
  readonly #places: FairQueue
  readonly #readers = new Set<StoreThread<O>>()
  readonly #idle: StoreThread<O>[] = []
  /** Those that are told to end. */
  readonly #ending = new Set<Promise<void>>()
  #restTimer: NodeJS.Timeout | undefined

  constructor(options: ReaderPoolOptions<O>) {
    this.#options = options
    this.#places = new FairQueue(options.size)
  }

  async read<N extends keyof O & string>(
    owner: string,
    name: N,
    input: OperationInputOf<O, N>,
    { signal }: ReadOptions = {},
  ): Promise<OperationOutputOf<O, N>> {
    if (!this.#places.tryEnter(owner)) await this.#places.wait(owner, { signal, createAbortError: toError })
    const reader = this.#find()
    const answer = reader.request(name, input)
    answer.then(
      () => this.#release(owner, reader),
      () => this.#release(owner, reader),
    )
    return await (signal === undefined ? answer : orAborted(answer, signal))
  }

  async end(): Promise<void> {
    clearTimeout(this.#restTimer)
    await Promise.all([...this.#ending, ...[...this.#readers].map((reader) => reader.end())])
  }

  /** As many places as readers: whoever has one finds a reader, or may start one. */
  #find(): StoreThread<O> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const other = this.#readers.size === 0 ? this.#options.findOther?.() : undefined
    if (other !== undefined) return other
    const reader = this.#options.start()
    this.#readers.add(reader)
    return reader
  }

  /** Only once it has answered: a reader that works for nobody is still at work. One that died makes room for another. */
  #release(owner: string, reader: StoreThread<O>): void {
    if (!reader.isAlive) this.#readers.delete(reader)
    else if (this.#readers.has(reader)) this.#idle.push(reader)
    this.#places.exit(owner)
    if (this.#readers.size === 0) return
    clearTimeout(this.#restTimer)
    this.#restTimer = setTimeout(() => this.#endIdle(), this.#options.rest).unref()
  }

  #endIdle(): void {
    for (const reader of this.#idle.splice(0)) {
      this.#readers.delete(reader)
      const ending = reader.end()
      this.#ending.add(ending)
      void ending.then(() => this.#ending.delete(ending))
    }
  }
}
