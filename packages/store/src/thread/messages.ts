/** What the store and its threads say to each other. */
import type {
  Item,
  ListPage,
  ListQuery,
  NewVector,
  SearchAnswer,
  SearchQuery,
  StoreCheck,
  StoredItem,
  StoredVector,
} from '../store.ts'

/** Each operation with what it is given and what it answers. */
export interface WriteOperations {
  open: (space: string) => undefined
  put: (space: string, items: readonly Item[]) => undefined
  /** false: it is not what it was, and nothing was changed. */
  replace: (space: string, item: Item, revision: number) => boolean
  remove: (space: string, ids: readonly string[]) => number
  putVectors: (space: string, model: string, vectors: readonly NewVector[]) => number
  keepVectorsOf: (space: string, models: readonly string[]) => undefined
}

export interface MaintenanceOperations {
  check: () => StoreCheck
  backup: (file: string) => Promise<undefined>
  spaces: () => Readonly<Record<string, number>>
  /** Closes the file; the thread ends. */
  end: () => undefined
}

export interface ReadOperations {
  get: (space: string, id: string) => StoredItem | undefined
  list: (space: string, query: ListQuery) => ListPage
  walk: (space: string, after: string | undefined, limit: number) => readonly StoredItem[]
  search: (space: string, query: SearchQuery) => SearchAnswer
  listWithoutVector: (space: string, model: string, limit: number) => readonly StoredItem[]
  vectorsOf: (space: string, ids: readonly string[]) => readonly StoredVector[]
  end: () => undefined
}

/** Of a server only: a file is looked at from outside. */
export interface ServerOperations {
  facts: () => { readonly version: string; readonly bytes: number }
}

/** What may have been done though nobody was told. */
export const WRITES: ReadonlySet<string> = new Set<keyof WriteOperations>([
  'open',
  'put',
  'replace',
  'remove',
  'putVectors',
  'keepVectorsOf',
])

export type Operations = WriteOperations & MaintenanceOperations & ReadOperations & ServerOperations
export type OperationName = keyof Operations
export type OperationInput<N extends OperationName> = OperationInputOf<Operations, N>
export type OperationResult<N extends OperationName> = Promise<OperationOutputOf<Operations, N>>

export type OperationInputOf<O extends object, N extends keyof O> = O[N] extends (...input: infer I) => unknown
  ? I
  : never
export type OperationOutputOf<O extends object, N extends keyof O> = O[N] extends (...input: never[]) => infer R
  ? Awaited<R>
  : never

export interface ThreadRequest {
  readonly id: number
  readonly name: string
  readonly input: readonly unknown[]
}

export type FailureKind =
  | 'busy'
  | 'full'
  | 'damaged'
  | 'newer'
  | 'too_large'
  | 'unavailable'
  | 'uncertain'
  | 'no_vectors'
  | 'wrong'
  | 'other'

export type ThreadAnswer =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number
      readonly failure: FailureKind
      readonly message: string
      /** Where more can be said than the catalogue does. */
      readonly hint?: string | undefined
    }
