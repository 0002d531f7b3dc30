/**
 * Several writes to one space as one change of its tables: what each of them finds and leaves is followed in memory, in their
 * order, and only what is different in the end is written. Inside of a transaction that holds the row of the space.
 */
import type { Item } from '../../store.ts'
import { joinTerms } from '../../text/tokenize.ts'
import { toStorable, toStorableTags } from './rows.ts'
import { list, type Row, type ServerConnection } from './server-connection.ts'
import { indexItems, unindexItems } from './word-index.ts'

/** As an item is to be written. What cannot be is refused before anything else is touched. */
export interface PreparedItem {
  readonly id: string
  readonly scope: string
  readonly kind: string
  readonly text: string
  readonly tags: string
  readonly data: string
  readonly terms: string
  readonly length: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ItemWrite =
  | { readonly name: 'put'; readonly items: readonly PreparedItem[] }
  /** Only where it has that revision. */
  | { readonly name: 'replace'; readonly item: PreparedItem; readonly revision: number }
  | { readonly name: 'remove'; readonly ids: readonly string[] }

export function prepareItem(item: Item): PreparedItem {
  const terms = joinTerms(item.text)
  return {
    id: toStorable(item.id),
    scope: toStorable(item.scope),
    kind: toStorable(item.kind),
    text: toStorable(item.text),
    tags: toStorableTags(item.tags),
    data: JSON.stringify(item.data),
    terms: terms.text,
    length: terms.count,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  }
}

interface Old {
  readonly number: number
  readonly revision: number
  readonly scope: string
  readonly kind: string
  /** undefined: nobody asked for it. */
  readonly text: string | undefined
  readonly length: number
}

/** What becomes of one id. */
interface Fate {
  readonly old: Old | undefined
  /** The old one was removed, whatever came after. */
  isOldGone: boolean
  now: PreparedItem | undefined
  revision: number
}

/** Resolves with what each of the writes answers. */
export async function writeItems(
  connection: ServerConnection,
  space: string,
  writes: readonly ItemWrite[],
): Promise<(number | boolean | null)[]> {
  const fates = await findFates(connection, space, writes)
  const answers = writes.map((write) => follow(fates, write))
  await carryOut(connection, space, [...fates.values()])
  return answers
}

async function findFates(
  connection: ServerConnection,
  space: string,
  writes: readonly ItemWrite[],
): Promise<Map<string, Fate>> {
  const put = writes.flatMap((write) =>
    write.name === 'put' ? write.items.map(({ id }) => id) : write.name === 'replace' ? [write.item.id] : [],
  )
  const removed = writes.flatMap((write) => (write.name === 'remove' ? write.ids : []))
  const rows = await connection.query(
    `SELECT i.number, i.id, i.revision, i.length, s.scope, s.kind, CASE WHEN i.id = ANY($2::text[]) THEN i.text END AS text
     FROM ${space}_items AS i JOIN ${space}_shelves AS s ON s.number = i.shelf WHERE i.id = ANY($1::text[])`,
    [list([...new Set([...put, ...removed])]), list([...new Set(put)])],
  )
  const olds = new Map(rows.map((row) => [String(row.id), toOld(row)]))
  return new Map(
    [...put, ...removed].map((id) => {
      const old = olds.get(id)
      return [id, { old, isOldGone: false, now: undefined, revision: old?.revision ?? 0 }]
    }),
  )
}

const toOld = (row: Row): Old => ({
  number: Number(row.number),
  revision: Number(row.revision),
  scope: String(row.scope),
  kind: String(row.kind),
  text: typeof row.text === 'string' ? row.text : undefined,
  length: Number(row.length),
})

function follow(fates: ReadonlyMap<string, Fate>, write: ItemWrite): number | boolean | null {
  if (write.name === 'put') {
    for (const item of write.items) put(fates.get(item.id), item)
    return null
  }
  if (write.name === 'replace') {
    const fate = fates.get(write.item.id)
    if (fate === undefined || fate.revision !== write.revision || fate.revision === 0) return false
    put(fate, write.item)
    return true
  }
  let removed = 0
  for (const id of write.ids) {
    const fate = fates.get(id)
    if (fate === undefined || fate.revision === 0) continue
    Object.assign(fate, { isOldGone: true, now: undefined, revision: 0 })
    removed++
  }
  return removed
}

function put(fate: Fate | undefined, item: PreparedItem): void {
  if (fate === undefined) return
  fate.now = item
  fate.revision++
}

async function carryOut(connection: ServerConnection, space: string, fates: readonly Fate[]): Promise<void> {
  const gone = fates.flatMap(({ old, isOldGone }) => (isOldGone && old !== undefined ? [old] : []))
  const added = fates.flatMap((fate) => (isAdded(fate) ? [fate] : []))
  const changed = fates.flatMap((fate) => (isChanged(fate) ? [fate] : []))
  const moved = changed.filter(
    ({ old, now }) => old.text !== now.text || old.scope !== now.scope || old.kind !== now.kind,
  )
  const reworded = changed.filter(({ old, now }) => old.text !== now.text).map(({ old }) => old.number)
  const goneNumbers = gone.map(({ number }) => number)
  const movedNumbers = moved.map(({ old }) => old.number)
  await unindexItems(connection, space, [...goneNumbers, ...movedNumbers])
  await removeRows(connection, space, goneNumbers, [...goneNumbers, ...reworded])
  await addShelves(connection, space, [...added, ...moved])
  const numbers = await addRows(connection, space, added)
  await changeRows(connection, space, changed)
  await indexItems(connection, space, [...numbers, ...movedNumbers])
  const items = added.length - gone.length
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0)
  const terms =
    sum(added.map(({ now }) => now.length)) -
    sum(gone.map(({ length }) => length)) +
    sum(changed.map(({ old, now }) => now.length - old.length))
  if (items === 0 && terms === 0) return
  const count = 'UPDATE spaces SET items = items + $2::int, terms = terms + $3::bigint WHERE name = $1'
  await connection.query(count, [space, items, terms])
}

type Added = Fate & { readonly now: PreparedItem }
type Changed = Added & { readonly old: Old }

const isAdded = (fate: Fate): fate is Added => fate.now !== undefined && (fate.old === undefined || fate.isOldGone)
const isChanged = (fate: Fate): fate is Changed => fate.now !== undefined && fate.old !== undefined && !fate.isOldGone

async function removeRows(
  connection: ServerConnection,
  space: string,
  items: readonly number[],
  vectors: readonly number[],
): Promise<void> {
  if (items.length > 0)
    await connection.query(`DELETE FROM ${space}_items WHERE number = ANY($1::int[])`, [list(items)])
  if (vectors.length === 0) return
  const [row] = await connection.query('SELECT vectors FROM spaces WHERE name = $1', [space])
  if (Number(row?.vectors) === 0) return
  await connection.query(`DELETE FROM ${space}_vectors WHERE item = ANY($1::int[])`, [list(vectors)])
}

async function addShelves(connection: ServerConnection, space: string, fates: readonly Added[]): Promise<void> {
  if (fates.length === 0) return
  const sql = `INSERT INTO ${space}_shelves (scope, kind)
    SELECT DISTINCT scope, kind FROM unnest($1::text[], $2::text[]) AS new (scope, kind)
    WHERE NOT EXISTS (SELECT FROM ${space}_shelves AS s WHERE s.scope = new.scope AND s.kind = new.kind)`
  await connection.query(sql, [list(fates.map(({ now }) => now.scope)), list(fates.map(({ now }) => now.kind))])
}

/** In their order: the later one has the higher number. Resolves with the numbers. */
async function addRows(connection: ServerConnection, space: string, fates: readonly Added[]): Promise<number[]> {
  if (fates.length === 0) return []
  const sql = `INSERT INTO ${space}_items (id, shelf, text, tags, data, terms, length, created_at, updated_at, revision)
    SELECT new.id, s.number, new.text, new.tags::jsonb, new.data, new.terms, new.length, new.created_at, new.updated_at, new.revision
    FROM ${NEW_ROWS} JOIN ${space}_shelves AS s ON s.scope = new.scope AND s.kind = new.kind
    ORDER BY new.place RETURNING number`
  return (await connection.query(sql, columnsOf(fates))).map((row) => Number(row.number))
}

async function changeRows(connection: ServerConnection, space: string, fates: readonly Changed[]): Promise<void> {
  if (fates.length === 0) return
  const sql = `UPDATE ${space}_items AS i SET shelf = s.number, text = new.text, tags = new.tags::jsonb, data = new.data,
      terms = new.terms, length = new.length, created_at = new.created_at, updated_at = new.updated_at, revision = new.revision
    FROM ${NEW_ROWS} JOIN ${space}_shelves AS s ON s.scope = new.scope AND s.kind = new.kind WHERE i.id = new.id`
  await connection.query(sql, columnsOf(fates))
}

const NEW_ROWS = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
  $9::bigint[], $10::bigint[], $11::int[]) WITH ORDINALITY
  AS new (id, scope, kind, text, tags, data, terms, length, created_at, updated_at, revision, place)`

const columnsOf = (fates: readonly Added[]): string[] => {
  const column = (read: (item: PreparedItem) => string | number): string => list(fates.map(({ now }) => read(now)))
  return [
    column(({ id }) => id),
    column(({ scope }) => scope),
    column(({ kind }) => kind),
    column(({ text }) => text),
    column(({ tags }) => tags),
    column(({ data }) => data),
    column(({ terms }) => terms),
    column(({ length }) => length),
    column(({ createdAt }) => createdAt),
    column(({ updatedAt }) => updatedAt),
    list(fates.map(({ revision }) => revision)),
  ]
}
