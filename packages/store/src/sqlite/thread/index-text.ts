/** The search index of one space: everything in it is made from the items. */
import type { Item } from '../../store.ts'
import { joinTerms } from '../../text/tokenize.ts'
import type { Database } from './database.ts'
import { ITEM_COLUMNS, kindWord, scopeWord, tagWord, toItem } from './rows.ts'

export function indexItem(
  database: Database,
  space: string,
  number: number,
  { scope, kind, tags }: Item,
  terms: string,
): void {
  const sql = `INSERT INTO ${space}_text (rowid, scope, kind, tags, terms) VALUES (?, ?, ?, ?, ?)`
  database.execute(sql, number, scopeWord(scope), kindWord(kind), tags.map(tagWord).join(' '), terms)
}

export function unindexItem(database: Database, space: string, number: number): void {
  database.execute(`DELETE FROM ${space}_text WHERE rowid = ?`, number)
}

/** Into an index that is empty. */
export function indexAll(database: Database, space: string): void {
  const all = database.handle.prepare(`SELECT ${ITEM_COLUMNS} FROM ${space}_items ORDER BY number`)
  for (const row of all.iterate()) {
    const item = toItem(row)
    indexItem(database, space, Number(row.number), item, joinTerms(item.text).text)
  }
}

/** Makes it anew, in whatever state it is. */
export function rebuildText(database: Database, space: string): void {
  database.handle.exec(`INSERT INTO ${space}_text (${space}_text) VALUES ('delete-all')`)
  indexAll(database, space)
}

/** Whether it holds what is stored, and nothing else. */
export function isTextWhole({ handle }: Database, space: string): boolean {
  try {
    handle.exec(`INSERT INTO ${space}_text (${space}_text) VALUES ('integrity-check')`)
    const different = `SELECT EXISTS (SELECT number FROM ${space}_items EXCEPT SELECT rowid FROM ${space}_text)
      OR EXISTS (SELECT rowid FROM ${space}_text EXCEPT SELECT number FROM ${space}_items) AS different`
    return Number(handle.prepare(different).get()?.different) === 0
  } catch {
    return false
  }
}
