/** How an item lies in its table, and how its scope and kind are words of the search index. */
import { createHash } from 'node:crypto'
import type { StoredItem } from '../../store.ts'

export const ITEM_COLUMNS = 'number, id, kind, scope, text, tags, data, length, created_at, updated_at, revision'

export function toItem(row: Readonly<Record<string, unknown>>): StoredItem {
  return {
    id: String(row.id),
    kind: String(row.kind),
    scope: String(row.scope),
    text: String(row.text),
    // Written by the writer, from an item.
    tags: JSON.parse(String(row.tags)) as string[],
    data: JSON.parse(String(row.data)) as StoredItem['data'],
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    revision: Number(row.revision),
  }
}

const MAX_KNOWN = 10_000
const known = new Map<string, string>()

/** One word of letters and digits, whatever a scope or a tag is made of. The same few come again and again. */
function wordOf(text: string): string {
  const before = known.get(text)
  if (before !== undefined) return before
  const word = createHash('sha256').update(text).digest('hex').slice(0, 24)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, word)
  return word
}

export const scopeWord = (scope: string): string => `s${wordOf(scope)}`
export const tagWord = (tag: string): string => `t${wordOf(tag)}`
export const kindWord = (kind: string): string => `k${wordOf(kind)}`
