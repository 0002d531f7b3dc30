/** What the store and its threads say to each other. */
import type { Item, ListPage, ListQuery, SearchAnswer, SearchQuery, StoreCheck, StoredItem } from '../../store.ts'

export interface ThreadStart {
  readonly file: string
  readonly role: 'writer' | 'reader'
}

/** Each operation with what it is given and what it answers. */
export interface WriteOperations {
  open: (space: string) => undefined
  put: (space: string, items: readonly Item[]) => undefined
  /** false: it is not what it was, and nothing was changed. */
  replace: (space: string, item: Item, revision: number) => boolean
  remove: (space: string, ids: readonly string[]) => number
}

export interface MaintenanceOperations {
  check: () => StoreCheck
  backup: (file: string) => Promise<undefined>
  spaces: () => Readonly<Record<string, number>>
  /** Closes the file; the thread ends. */
  end: () => undefined
}

export interface ReadOperations {
  /** The file is open. */
  ready: () => undefined
  get: (space: string, id: string) => StoredItem | undefined
  list: (space: string, query: ListQuery) => ListPage
  search: (space: string, query: SearchQuery) => SearchAnswer
  end: () => undefined
}

export type Operations = WriteOperations & MaintenanceOperations & ReadOperations
export type OperationName = keyof Operations

export interface ThreadRequest {
  readonly id: number
  readonly name: OperationName
  readonly input: readonly unknown[]
}

export type FailureKind = 'full' | 'damaged' | 'newer' | 'too_large' | 'other'

export type ThreadAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: FailureKind; readonly message: string }
