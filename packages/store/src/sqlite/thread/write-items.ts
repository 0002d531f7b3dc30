/** What the writer does to one space, inside of its transaction. */
import type { Item } from '../../store.ts'
import { tokenize } from '../../text/tokenize.ts'
import type { Database } from './database.ts'
import { ITEM_COLUMNS, kindWord, scopeWord, tagWord, toItem } from './rows.ts'

export function putItems(database: Database, space: string, items: readonly Item[]): void {
  for (const item of items) putItem(database, space, item)
}

export function replaceItem(database: Database, space: string, item: Item, revision: number): boolean {
  const row = database.statement(`SELECT revision FROM ${space}_items WHERE id = ?`).get(item.id)
  if (row === undefined || Number(row.revision) !== revision) return false
  putItem(database, space, item)
  return true
}

export function removeItems(database: Database, space: string, ids: readonly string[]): number {
  let removed = 0
  for (const id of ids) {
    const row = database.statement(`DELETE FROM ${space}_items WHERE id = ? RETURNING number, length`).get(id)
    if (row === undefined) continue
    database.statement(`DELETE FROM ${space}_text WHERE rowid = ?`).run(Number(row.number))
    count(database, space, -1, -Number(row.length))
    removed++
  }
  return removed
}

/** Makes the search index anew from the items, which hold everything that is in it. */
export function rebuildText(database: Database, space: string): void {
  database.handle.exec(`INSERT INTO ${space}_text (${space}_text) VALUES ('rebuild')`)
  database.handle.exec(`DELETE FROM ${space}_text`)
  const all = database.handle.prepare(`SELECT ${ITEM_COLUMNS} FROM ${space}_items`)
  for (const row of all.iterate()) {
    const item = toItem(row)
    indexItem(database, space, Number(row.number), item, tokenize(item.text))
  }
}

function putItem(database: Database, space: string, item: Item): void {
  const terms = tokenize(item.text)
  const values = [
    item.kind,
    item.scope,
    item.text,
    JSON.stringify(item.tags),
    JSON.stringify(item.data),
    terms.length,
    item.createdAt,
    item.updatedAt,
    item.id,
  ]
  const old = database.statement(`SELECT number, length FROM ${space}_items WHERE id = ?`).get(item.id)
  if (old === undefined) {
    const sql = `INSERT INTO ${space}_items
      (kind, scope, text, tags, data, length, created_at, updated_at, id, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`
    const { lastInsertRowid } = database.statement(sql).run(...values)
    count(database, space, 1, terms.length)
    indexItem(database, space, Number(lastInsertRowid), item, terms)
    return
  }
  const sql = `UPDATE ${space}_items SET kind = ?, scope = ?, text = ?, tags = ?, data = ?, length = ?, created_at = ?,
    updated_at = ?, revision = revision + 1 WHERE id = ?`
  database.statement(sql).run(...values)
  const number = Number(old.number)
  database.statement(`DELETE FROM ${space}_text WHERE rowid = ?`).run(number)
  count(database, space, 0, terms.length - Number(old.length))
  indexItem(database, space, number, item, terms)
}

function indexItem(
  database: Database,
  space: string,
  number: number,
  { scope, kind, tags }: Item,
  terms: readonly string[],
): void {
  database
    .statement(`INSERT INTO ${space}_text (rowid, scope, kind, tags, terms) VALUES (?, ?, ?, ?, ?)`)
    .run(number, scopeWord(scope), kindWord(kind), tags.map(tagWord).join(' '), terms.join(' '))
}

function count(database: Database, space: string, items: number, terms: number): void {
  database
    .statement('UPDATE switchboard_spaces SET items = items + ?, terms = terms + ? WHERE name = ?')
    .run(items, terms, space)
}
