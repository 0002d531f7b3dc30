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

export interface StoredItem extends Item {
  /** Grows with every change. */
  readonly revision: number
}

export interface Selection {
  /** Nothing else is seen. Empty: nothing at all. */
  readonly scopes: readonly string[]
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
}

export interface Hit {
  readonly item: StoredItem
  /** To be compared within one answer only. */
  readonly score: number
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
}

export interface StoreStatus {
  readonly engine: 'sqlite'
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

export interface Store {
  /** Made when it is not there. A name is a letter, then letters, digits and `_`. */
  space(name: string): Promise<Space>
  status(): Promise<StoreStatus>
  /** Looks at everything, and makes a search index anew that does not hold what is stored. */
  check(): Promise<StoreCheck>
  /** A copy of everything acknowledged so far, while others go on reading and writing. */
  backup(file: string): Promise<void>
  /** Does what was asked for, then ends. */
  close(): Promise<void>
}
