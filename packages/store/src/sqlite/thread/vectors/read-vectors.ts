/** What readers ask of the vectors of one space, beside searching. */
import type { StoredItem, StoredVector } from '../../../store.ts'
import type { Database } from '../database.ts'
import { ITEM_COLUMNS, toItem } from '../rows.ts'

export function listWithoutVector(database: Database, space: string, model: string, limit: number): StoredItem[] {
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${space}_items WHERE NOT EXISTS (
      SELECT 1 FROM ${space}_vectors WHERE item = ${space}_items.number
        AND model = (SELECT number FROM ${space}_models WHERE name = ?))
    ORDER BY number LIMIT ?`
  return database.statement(sql).all(model, limit).map(toItem)
}

export function vectorsOf(database: Database, space: string, ids: readonly string[]): StoredVector[] {
  const sql = `SELECT i.id, m.name, v.scale, v.bytes FROM json_each(?) AS asked
    JOIN ${space}_items AS i ON i.id = asked.value
    JOIN ${space}_vectors AS v ON v.item = i.number
    JOIN ${space}_models AS m ON m.number = v.model
    ORDER BY i.id, m.name`
  return database
    .statement(sql)
    .all(JSON.stringify(ids))
    .map((row) => ({
      id: String(row.id),
      model: String(row.name),
      values: Float32Array.from(new Int8Array(bytesOf(row.bytes)), (value) => value * Number(row.scale)),
    }))
}

/** Each byte is a number from −127 to 127. */
const bytesOf = (value: unknown): Int8Array =>
  value instanceof Uint8Array ? new Int8Array(value.buffer, value.byteOffset, value.byteLength) : new Int8Array()
