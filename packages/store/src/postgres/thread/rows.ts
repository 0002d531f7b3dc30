/** How an item lies in its table. */
import type { Selection, StoredItem } from '../../store.ts'
import { list, type Row, type Value } from './server-connection.ts'

/** Of `i` and `s`, an item and its shelf. */
export const ITEM_COLUMNS =
  'i.number, i.id, s.scope, s.kind, i.text, i.tags::text AS tags, i.data, i.created_at, i.updated_at, i.revision'

export const itemsOf = (space: string): string => `${space}_items AS i JOIN ${space}_shelves AS s ON s.number = i.shelf`

export function toItem(row: Row): StoredItem {
  return {
    id: fromStorable(String(row.id)),
    kind: fromStorable(String(row.kind)),
    scope: fromStorable(String(row.scope)),
    text: fromStorable(String(row.text)),
    // Written by the writer, from an item.
    tags: (JSON.parse(String(row.tags)) as string[]).map(fromStorable),
    data: JSON.parse(String(row.data)) as StoredItem['data'],
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    revision: Number(row.revision),
  }
}

/** PostgreSQL keeps every character but U+0000, which U+0001 stands in for; half a pair of surrogates is no character. */
export const toStorable = (text: string): string =>
  text.toWellFormed().replaceAll('\u0001', '\u00011').replaceAll('\0', '\u00010')

export const fromStorable = (text: string): string => text.replaceAll('\u00010', '\0').replaceAll('\u00011', '\u0001')

export const toStorableTags = (tags: readonly string[]): string => JSON.stringify(tags.map(toStorable))

/** Conditions on `i`, whose values stand after those that there are already. */
export function conditionsOf(
  space: string,
  { scopes, kinds, tags = [] }: Selection,
  values: readonly Value[] = [],
): { readonly where: string; readonly values: Value[] } {
  const all = [...values]
  const place = (value: Value): string => `$${all.push(value)}`
  const shelves = [
    ...(scopes === 'all' ? [] : [`scope = ANY(${place(list(scopes.map(toStorable)))}::text[])`]),
    ...(kinds === undefined ? [] : [`kind = ANY(${place(list(kinds.map(toStorable)))}::text[])`]),
  ]
  const where = [
    ...(shelves.length === 0
      ? []
      : [`i.shelf = ANY(ARRAY(SELECT number FROM ${space}_shelves WHERE ${shelves.join(' AND ')}))`]),
    ...(tags.length === 0 ? [] : [`i.tags @> ${place(toStorableTags(tags))}::text::jsonb`]),
  ]
  return { where: where.length === 0 ? 'true' : where.join(' AND '), values: all }
}
