/** What the writer does to one space, inside of its transaction. */
import type { Item } from '../../store.ts'
import { joinTerms } from '../../text/tokenize.ts'
import type { Database } from './database.ts'
import { indexItem, unindexItem } from './index-text.ts'
import { removeVectors, renewVectors } from './vectors/write-vectors.ts'

/** How much more there is after a write: counted once for all of its items. */
interface Growth {
  items: number
  terms: number
}

/** Of an item that lies in its table: what the search index has to know. */
interface Placed {
  readonly number: number
  readonly item: Item
  readonly terms: string
  readonly isNew: boolean
}

/** First all rows, then the index: every change of a table in between has the index put away what it has gathered. */
export function putItems(database: Database, space: string, items: readonly Item[]): void {
  const growth = { items: 0, terms: 0 }
  const placed = items.map((item) => putItem(database, space, item, growth))
  count(database, space, growth)
  for (const { number, item, terms, isNew } of placed) {
    if (!isNew) unindexItem(database, space, number)
    indexItem(database, space, number, item, terms)
  }
}

export function replaceItem(database: Database, space: string, item: Item, revision: number): boolean {
  const row = database.statement(`SELECT revision FROM ${space}_items WHERE id = ?`).get(item.id)
  if (row === undefined || Number(row.revision) !== revision) return false
  putItems(database, space, [item])
  return true
}

export function removeItems(database: Database, space: string, ids: readonly string[]): number {
  const growth = { items: 0, terms: 0 }
  for (const id of ids) {
    const row = database.statement(`DELETE FROM ${space}_items WHERE id = ? RETURNING number, length`).get(id)
    if (row === undefined) continue
    const number = Number(row.number)
    unindexItem(database, space, number)
    removeVectors(database, space, number)
    growth.items--
    growth.terms -= Number(row.length)
  }
  count(database, space, growth)
  return 0 - growth.items
}

function putItem(database: Database, space: string, item: Item, growth: Growth): Placed {
  const terms = joinTerms(item.text)
  const values = [
    item.kind,
    item.scope,
    item.text,
    JSON.stringify(item.tags),
    JSON.stringify(item.data),
    terms.count,
    item.createdAt,
    item.updatedAt,
    item.id,
  ]
  growth.terms += terms.count
  const insert = `INSERT INTO ${space}_items
    (kind, scope, text, tags, data, length, created_at, updated_at, id, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
    ON CONFLICT (id) DO NOTHING`
  const made = database.insert(insert, ...values)
  if (made !== undefined) {
    growth.items++
    return { number: made, item, terms: terms.text, isNew: true }
  }
  const old = database.statement(`SELECT number, length, text FROM ${space}_items WHERE id = ?`).get(item.id)
  const number = Number(old?.number)
  growth.terms -= Number(old?.length)
  const update = `UPDATE ${space}_items SET kind = ?, scope = ?, text = ?, tags = ?, data = ?, length = ?, created_at = ?,
    updated_at = ?, revision = revision + 1 WHERE id = ?`
  database.execute(update, ...values)
  if (old?.text === item.text) renewVectors(database, space, number)
  else removeVectors(database, space, number)
  return { number, item, terms: terms.text, isNew: false }
}

function count(database: Database, space: string, { items, terms }: Growth): void {
  if (items === 0 && terms === 0) return
  const sql = 'UPDATE switchboard_spaces SET items = items + ?, terms = terms + ? WHERE name = ?'
  database.execute(sql, items, terms, space)
}
