/**
 * Everything in a store as lines of JSON, whatever engine keeps it, piece by piece: who writes them to a slow place slows the
 * reading down, and nothing is held twice. Items that change meanwhile are told as they were or as they are then, each once.
 */
import type { Item, Space, Store, StoredItem } from '../store.ts'

export interface ExportOptions {
  /** Default: all. */
  readonly spaces?: readonly string[]
  /** Also what was encoded: it can be made again, and is several times the size of the texts. Default: no. */
  readonly vectors?: boolean
  readonly signal?: AbortSignal
}

/** The first line of every export. */
export interface ExportHead {
  readonly switchboard: 'store'
  readonly version: number
}

/** Every other line. */
export interface ExportLine {
  readonly space: string
  readonly item: Item
  readonly vectors?: readonly ExportedVector[]
}

export interface ExportedVector {
  readonly model: string
  /** Floats of four bytes, the lowest first, as Base64. */
  readonly values: string
}

export const EXPORT_VERSION = 1
const PAGE = 200

/** Each line with its end. */
export async function* exportStore(
  store: Store,
  { spaces, vectors = false, signal }: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  yield toLine({ switchboard: 'store', version: EXPORT_VERSION } satisfies ExportHead)
  const all = Object.keys((await store.status()).items)
  for (const name of all.filter((known) => spaces === undefined || spaces.includes(known))) {
    const space = await store.space(name)
    for await (const page of pagesOf(space, signal)) {
      const found = vectors ? await readVectors(space, page, signal) : new Map<string, ExportedVector[]>()
      for (const { revision: _, ...item } of page) {
        const own = found.get(item.id)
        yield toLine({ space: name, item, ...(own === undefined ? {} : { vectors: own }) } satisfies ExportLine)
      }
    }
  }
}

async function* pagesOf(space: Space, signal: AbortSignal | undefined): AsyncGenerator<readonly StoredItem[]> {
  let after: string | undefined
  for (;;) {
    const page = await space.walk(after, PAGE, { signal })
    if (page.length === 0) return
    yield page
    after = page.at(-1)?.id
  }
}

async function readVectors(
  space: Space,
  page: readonly StoredItem[],
  signal: AbortSignal | undefined,
): Promise<Map<string, ExportedVector[]>> {
  const found = new Map<string, ExportedVector[]>()
  const ids = page.map(({ id }) => id)
  for (const { id, model, values } of await space.vectorsOf(ids, { signal })) {
    const own = found.get(id) ?? []
    own.push({ model, values: encodeValues(values) })
    found.set(id, own)
  }
  return found
}

function encodeValues(values: Float32Array): string {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}

const toLine = (value: ExportHead | ExportLine): string => `${JSON.stringify(value)}\n`
