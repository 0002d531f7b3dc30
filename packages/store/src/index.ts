export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts'
export type {
  Hit,
  Item,
  ListPage,
  ListQuery,
  ReadOptions,
  SearchAnswer,
  SearchQuery,
  Selection,
  Space,
  Store,
  StoreCheck,
  StoredItem,
  StoreStatus,
} from './store.ts'
