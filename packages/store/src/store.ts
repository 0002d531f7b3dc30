/**
 * What packs keep, whatever keeps it. One process writes; whoever reads waits for no writer. A write that was acknowledged is
 * there after `kill -9`. Every owner has a space of its own and sees no other's.
 */
import type { JsonObject } from '@switchboard/protocol'

export interface Item {
  /** Unique in its space. */
  readonly id: string
  /** What it is, in the owner's words: a letter, then letters, digits and `_`. */
  readonly kind: string
  /** Whose it is, such as a project. Who asks names the scopes that it may see. */
  readonly scope: string
  /** What it is found by. */
  readonly text: string
  readonly tags: readonly string[]
  readonly data: JsonObject
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Of an item that comes from a file: milliseconds that a date can be made of. */
export function isItemTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && !Number.isNaN(new Date(value).getTime())
}

export interface StoredItem extends Item {
  /** Grows with every change. */
  readonly revision: number
}

export interface Selection {
  /** Nothing else is seen. Empty: nothing at all. `all` is for the person whose store it is, never for an agent. */
  readonly scopes: readonly string[] | 'all'
  /** Absent: every kind. */
  readonly kinds?: readonly string[]
  /** All of them must be there. */
  readonly tags?: readonly string[]
}

export interface ListQuery extends Selection {
  readonly sortBy?: 'createdAt' | 'updatedAt'
  readonly limit: number
  readonly offset?: number
}

export interface ListPage {
  readonly items: readonly StoredItem[]
  /** Without limit and offset. */
  readonly total: number
}

export interface SearchQuery extends Selection {
  readonly text: string
  readonly limit: number
  /** What the text means, as one model says it. Absent, or nothing has a vector of that model: words alone decide. */
  readonly vector?: QueryVector
}

export interface QueryVector {
  /** Vectors of different models are never compared. */
  readonly model: string
  readonly values: Float32Array
}

export interface NewVector {
  readonly id: string
  /** Of the item as it was encoded: one that has changed since is left without. */
  readonly revision: number
  /** At most `MAX_DIMENSION` numbers. Only their direction is kept, to about one part in a hundred. */
  readonly values: Float32Array
}

export interface StoredVector {
  readonly id: string
  readonly model: string
  /** Of length 1, unless all of them are 0. */
  readonly values: Float32Array
}

/** Of a vector. The largest models of today have half of it. */
export const MAX_DIMENSION = 8_192

export type Matched = 'text' | 'meaning' | 'both'

export interface Hit {
  readonly item: StoredItem
  /** To be compared within one answer only. */
  readonly score: number
  /** 0 to 1: how much of what was asked for stands in it, the rarest words counting most. 0 where no word of it does. */
  readonly share: number
  readonly matched: Matched
  /** Cosine, −1 to 1. Absent: it has no vector of the model, or none was asked for. */
  readonly similarity?: number
}

export interface SearchAnswer {
  /** The best first. */
  readonly hits: readonly Hit[]
  /** Where nothing was found: how many items another text could have found. Tells an empty store from one without a match. */
  readonly searched?: number
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
}

/** All of one call is done, or nothing. Writes are done in the order in which they were asked for. */
export interface Space {
  /** What has the id of an item that is there already replaces it. */
  put(items: readonly Item[]): Promise<void>
  /** Changes it as it is now; undefined: leave it. Resolves with what is there then; undefined: there is none. */
  change(id: string, edit: (item: StoredItem) => Item | undefined): Promise<StoredItem | undefined>
  /** Resolves with how many there were. */
  remove(ids: readonly string[]): Promise<number>
  get(id: string, options?: ReadOptions): Promise<StoredItem | undefined>
  list(query: ListQuery, options?: ReadOptions): Promise<ListPage>
  search(query: SearchQuery, options?: ReadOptions): Promise<SearchAnswer>
  /**
   * Everything of every scope in the order of the ids, after that one: for whoever copies it. Fewer than the limit where they are
   * large; none: that was all.
   */
  walk(after: string | undefined, limit: number, options?: ReadOptions): Promise<readonly StoredItem[]>
  /**
   * Resolves with how many were taken. Of one model all have the same length; one that differs, or that holds what is no number,
   * fails the call. They go with their item, and when its text changes; another change leaves them.
   */
  putVectors(model: string, vectors: readonly NewVector[]): Promise<number>
  /** Items that have none of that model, or one of an older text: the oldest first. */
  listWithoutVector(model: string, limit: number, options?: ReadOptions): Promise<readonly StoredItem[]>
  /** Those of all models that these items have. */
  vectorsOf(ids: readonly string[], options?: ReadOptions): Promise<readonly StoredVector[]>
  /** All of the other models go. */
  keepVectorsOf(models: readonly string[]): Promise<void>
}

export interface StoreStatus {
  readonly engine: 'sqlite' | 'postgres'
  readonly version: string
  readonly bytes: number
  readonly items: Readonly<Record<string, number>>
  /** Writes that are not acknowledged yet. */
  readonly waiting: number
}

export interface StoreCheck {
  /** What the engine finds wrong; empty: nothing. */
  readonly problems: readonly string[]
  /** Spaces whose search index had to be made anew. */
  readonly rebuilt: readonly string[]
}

/** A letter, then letters, digits and `_`. */
export const SPACE_NAME = /^[a-z][a-z0-9_]{0,39}$/

export interface Store {
  /** Made when it is not there. Its name fits `SPACE_NAME`. */
  space(name: string): Promise<Space>
  status(): Promise<StoreStatus>
  /** Looks at everything, and makes a search index anew that does not hold what is stored. */
  check(): Promise<StoreCheck>
  /** A copy of everything acknowledged so far, while others go on reading and writing. */
  backup(file: string): Promise<void>
  /** Does what was asked for, then ends. */
  close(): Promise<void>
}
