/**
 * Takes in what an export wrote, whatever engine it came from. Done twice it changes nothing: what is there as it is in the
 * export stays untouched, and of two with one id the one that was changed later stays. A line that is wrong is told with its
 * number and loses nothing but itself.
 */
import { isDeepStrictEqual } from 'node:util'
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Space, Store, StoredItem } from '../store.ts'
import { type FileLine, numberedLines } from './numbered-lines.ts'
import { BadLine, type ReadLine, readLine } from './read-line.ts'

export interface ImportOptions {
  readonly signal?: AbortSignal
}

export interface ImportReport {
  /** Items that were stored, new or in place of an older one. */
  readonly stored: number
  /** Items that were there already, the same or changed later. */
  readonly left: number
  readonly vectors: number
  /** The first lines that were not taken. */
  readonly bad: readonly { readonly line: number; readonly why: string }[]
  readonly badCount: number
}

const MAX_LINE = 128 * 1024 * 1024
const MAX_BATCH = 500
const MAX_BATCH_LENGTH = 4 * 1024 * 1024
/** As many as are ever sent at once by a command, which tells how many were wrong. */
const MAX_TOLD = 500

/** `chunks`: the bytes of the file, as they come. */
export async function importStore(
  store: Store,
  chunks: AsyncIterable<Uint8Array>,
  { signal }: ImportOptions = {},
): Promise<ImportReport> {
  const importer = new Importer(store)
  for await (const line of numberedLines(chunks, MAX_LINE)) {
    signal?.throwIfAborted()
    await importer.take(line)
  }
  return await importer.finish()
}

interface NumberedLine extends ReadLine {
  readonly line: number
}

class Importer {
  readonly #store: Store
  readonly #batch = new Map<string, NumberedLine>()
  readonly #bad: { line: number; why: string }[] = []
  #length = 0
  #badCount = 0
  #stored = 0
  #left = 0
  #vectors = 0

  constructor(store: Store) {
    this.#store = store
  }

  async take(content: FileLine): Promise<void> {
    const { number: line } = content
    if ('bytes' in content) return this.#refuse(line, `it has ${content.bytes} bytes`)
    try {
      const read = readLine(content.text)
      if (read === undefined) return
      const key = `${read.space} ${read.item.id}`
      if (this.#batch.has(key)) await this.#flush()
      this.#batch.set(key, { ...read, line })
      this.#length += content.text.length
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      this.#refuse(line, error.message)
    }
    if (this.#batch.size >= MAX_BATCH || this.#length >= MAX_BATCH_LENGTH) await this.#flush()
  }

  async finish(): Promise<ImportReport> {
    await this.#flush()
    return {
      stored: this.#stored,
      left: this.#left,
      vectors: this.#vectors,
      bad: this.#bad,
      badCount: this.#badCount,
    }
  }

  async #flush(): Promise<void> {
    const lines = [...this.#batch.values()]
    this.#batch.clear()
    this.#length = 0
    for (const [name, own] of Map.groupBy(lines, ({ space }) => space)) {
      const space = await this.#store.space(name)
      const stored = await Promise.all(own.map(({ item }) => space.get(item.id)))
      const wanted = own.filter(({ item }, place) => isWanted(item, stored[place]))
      this.#left += own.length - wanted.length
      this.#stored += (await this.#putAll(space, wanted)).length
      await this.#putVectors(space, own)
    }
  }

  /** Resolves with those that were stored. */
  async #putAll(space: Space, lines: readonly NumberedLine[]): Promise<readonly NumberedLine[]> {
    if (lines.length === 0) return []
    try {
      await space.put(lines.map(({ item }) => item))
      return lines
    } catch (error) {
      if (!isOfOneItem(error)) throw error
      const [first] = lines
      if (lines.length === 1 && first !== undefined) {
        this.#refuse(first.line, errorMessage(error))
        return []
      }
      const middle = Math.ceil(lines.length / 2)
      return [
        ...(await this.#putAll(space, lines.slice(0, middle))),
        ...(await this.#putAll(space, lines.slice(middle))),
      ]
    }
  }

  async #putVectors(space: Space, lines: readonly NumberedLine[]): Promise<void> {
    await Promise.all(lines.map((line) => this.#putVectorsOf(space, line)))
  }

  /** Only where the item is there as the line tells it. */
  async #putVectorsOf(space: Space, { item, vectors, line }: NumberedLine): Promise<void> {
    const now = vectors.length === 0 ? undefined : await space.get(item.id)
    if (now === undefined || now.text !== item.text) return
    for (const { model, values } of vectors) {
      try {
        const taken = await space.putVectors(model, [{ id: item.id, revision: now.revision, values }])
        this.#vectors += taken
      } catch (error) {
        if (!isOfOneItem(error)) throw error
        this.#refuse(line, errorMessage(error))
      }
    }
  }

  #refuse(line: number, why: string): void {
    this.#badCount++
    if (this.#bad.length < MAX_TOLD) this.#bad.push({ line, why })
  }
}

function isWanted(item: ReadLine['item'], stored: StoredItem | undefined): boolean {
  if (stored === undefined) return true
  const { revision: _, ...now } = stored
  return now.updatedAt <= item.updatedAt && !isDeepStrictEqual(now, item)
}

/** Everything else (a full disk, a store that is gone) would meet the next line too. */
const isOfOneItem = (error: unknown): boolean =>
  error instanceof SwitchboardError && (error.code === 'internal' || error.code === 'store_too_large')
