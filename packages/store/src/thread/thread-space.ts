/** A space whose tables another thread keeps, whatever the engine. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Item, NewVector, ReadOptions, Space, StoredItem, StoredVector } from '../store.ts'
import type { OperationInput, OperationName, OperationResult } from './messages.ts'

/** So often a change is tried again that another came before. */
const MAX_TRIES = 20

export class ThreadSpace implements Space {
  readonly #name: string
  readonly #write: <N extends OperationName>(name: N, input: OperationInput<N>) => OperationResult<N>
  readonly #read: <N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options?: ReadOptions,
  ) => OperationResult<N>

  constructor(
    name: string,
    write: <N extends OperationName>(name: N, input: OperationInput<N>) => OperationResult<N>,
    read: <N extends OperationName>(name: N, input: OperationInput<N>, options?: ReadOptions) => OperationResult<N>,
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

  walk(after: string | undefined, limit: number, options?: ReadOptions): Promise<readonly StoredItem[]> {
    return this.#read('walk', [this.#name, after, limit], options)
  }

  putVectors(model: string, vectors: readonly NewVector[]): Promise<number> {
    return this.#write('putVectors', [this.#name, model, vectors])
  }

  listWithoutVector(model: string, limit: number, options?: ReadOptions): Promise<readonly StoredItem[]> {
    return this.#read('listWithoutVector', [this.#name, model, limit], options)
  }

  vectorsOf(ids: readonly string[], options?: ReadOptions): Promise<readonly StoredVector[]> {
    return this.#read('vectorsOf', [this.#name, ids], options)
  }

  async keepVectorsOf(models: readonly string[]): Promise<void> {
    await this.#write('keepVectorsOf', [this.#name, models])
  }
}

export const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

export function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(toError(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) onAbort()
  })
}
