export { type ExportOptions, exportStore } from './copy/export-store.ts'
export { type ImportReport, importStore } from './copy/import-store.ts'
export { observeStore, type StoreObserver, type StoreOperation } from './observe-store.ts'
export { describePlace, openStore, type StorePlace } from './open-store.ts'
export { openPostgresStore, type PostgresStoreOptions } from './postgres/postgres-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts'
export type {
  Hit,
  Item,
  ListPage,
  ListQuery,
  Matched,
  NewVector,
  QueryVector,
  ReadOptions,
  SearchAnswer,
  SearchQuery,
  Selection,
  Space,
  Store,
  StoreCheck,
  StoredItem,
  StoredVector,
  StoreStatus,
} from './store.ts'
export { isItemTime, MAX_DIMENSION } from './store.ts'
