/** What is read of one space, besides searching. Each is one statement, so it sees one moment. */
import type { ListPage, ListQuery, Selection, StoredItem } from '../../store.ts'
import { conditionsOf, ITEM_COLUMNS, itemsOf, toItem, toStorable } from './rows.ts'
import type { ServerConnection } from './server-connection.ts'

/** A page of a walk ends after so many characters. */
const WALKED_TEXT = 8_000_000

export async function getItem(
  connection: ServerConnection,
  space: string,
  id: string,
): Promise<StoredItem | undefined> {
  const [row] = await connection.query(`SELECT ${ITEM_COLUMNS} FROM ${itemsOf(space)} WHERE i.id = $1`, [
    toStorable(id),
  ])
  return row === undefined ? undefined : toItem(row)
}

export async function listItems(connection: ServerConnection, space: string, query: ListQuery): Promise<ListPage> {
  const { where, values } = conditionsOf(space, query)
  const order = query.sortBy === 'updatedAt' ? 'updated_at' : 'created_at'
  const page = `LIMIT $${values.length + 1}::int OFFSET $${values.length + 2}::int`
  const [counted, rows] = await Promise.all([
    connection.query(`SELECT count(*) AS total FROM ${space}_items AS i WHERE ${where}`, values),
    // First which, then what: only those of the page are read whole.
    connection.query(
      `SELECT ${ITEM_COLUMNS} FROM ${itemsOf(space)} WHERE i.number IN (
         SELECT i.number FROM ${space}_items AS i WHERE ${where} ORDER BY i.${order} DESC, i.number DESC ${page})
       ORDER BY i.${order} DESC, i.number DESC`,
      [...values, query.limit, query.offset ?? 0],
    ),
  ])
  return { items: rows.map(toItem), total: Number(counted[0]?.total) }
}

export async function countItems(connection: ServerConnection, space: string, selection: Selection): Promise<number> {
  const { where, values } = conditionsOf(space, selection)
  const [row] = await connection.query(`SELECT count(*) AS total FROM ${space}_items AS i WHERE ${where}`, values)
  return Number(row?.total)
}

export async function walkItems(
  connection: ServerConnection,
  space: string,
  after: string | undefined,
  limit: number,
): Promise<StoredItem[]> {
  // As many as are small enough together, and always the first.
  const sizes = `SELECT number, sum(length(text) + length(data)) OVER (ORDER BY id) - length(text) - length(data) AS before
    FROM (SELECT * FROM ${space}_items WHERE $1::text IS NULL OR id > $1 ORDER BY id LIMIT $2::int) AS page`
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${itemsOf(space)} JOIN (${sizes}) AS page ON page.number = i.number
    WHERE page.before < ${WALKED_TEXT} ORDER BY i.id`
  const rows = await connection.query(sql, [after === undefined ? null : toStorable(after), limit])
  return rows.map(toItem)
}
