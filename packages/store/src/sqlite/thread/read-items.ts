/** What readers do in one space. */
import type { ListPage, ListQuery, Selection, StoredItem } from '../../store.ts'
import type { Database } from './database.ts'
import { ITEM_COLUMNS, toItem } from './rows.ts'

export function getItem(database: Database, space: string, id: string): StoredItem | undefined {
  const row = database.statement(`SELECT ${ITEM_COLUMNS} FROM ${space}_items WHERE id = ?`).get(id)
  return row === undefined ? undefined : toItem(row)
}

export function listItems(database: Database, space: string, query: ListQuery): ListPage {
  const { where, values } = conditionsOf(query)
  const order = query.sortBy === 'updatedAt' ? 'updated_at' : 'created_at'
  const total = database.statement(`SELECT count(*) AS total FROM ${space}_items WHERE ${where}`).get(...values)
  const rows = database
    .statement(
      `SELECT ${ITEM_COLUMNS} FROM ${space}_items WHERE ${where} ORDER BY ${order} DESC, number DESC LIMIT ? OFFSET ?`,
    )
    .all(...values, query.limit, query.offset ?? 0)
  return { items: rows.map(toItem), total: Number(total?.total) }
}

/** What of one page goes through a message at once. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024

export function walkItems(database: Database, space: string, after: string | undefined, limit: number): StoredItem[] {
  const from = after === undefined ? '' : 'WHERE id > ?'
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${space}_items ${from} ORDER BY id LIMIT ?`
  const page: StoredItem[] = []
  let length = 0
  for (const row of database.handle.prepare(sql).iterate(...(after === undefined ? [limit] : [after, limit]))) {
    page.push(toItem(row))
    length += String(row.text).length + String(row.data).length
    if (length > MAX_PAGE_LENGTH) break
  }
  return page
}

export function countItems(database: Database, space: string, selection: Selection): number {
  const { where, values } = conditionsOf(selection)
  const row = database.statement(`SELECT count(*) AS total FROM ${space}_items WHERE ${where}`).get(...values)
  return Number(row?.total)
}

/** Values are always given apart, never written into the statement. */
export function conditionsOf({ scopes, kinds, tags = [] }: Selection): { where: string; values: string[] } {
  const among = (column: string, names: readonly string[]): string =>
    `${column} IN (${names.map(() => '?').join(', ')})`
  const where = [scopes === 'all' ? 'TRUE' : among('scope', scopes)]
  const values = scopes === 'all' ? [] : [...scopes]
  if (kinds !== undefined) {
    where.push(among('kind', kinds))
    values.push(...kinds)
  }
  for (const tag of tags) {
    where.push('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)')
    values.push(tag)
  }
  return { where: where.join(' AND '), values }
}
