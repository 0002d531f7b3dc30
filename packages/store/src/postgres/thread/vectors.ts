/** The vectors of one space, by pgvector: directions of length 1, compared one by one, so that nothing near is missed. */
import {
  MAX_DIMENSION,
  type NewVector,
  type QueryVector,
  type SearchQuery,
  type StoredItem,
  type StoredVector,
} from '../../store.ts'
import type { Near } from '../../text/fuse.ts'
import { ThreadFailure } from '../../thread/failure.ts'
import { conditionsOf, fromStorable, ITEM_COLUMNS, itemsOf, toItem, toStorable } from './rows.ts'
import { findExtension, makeVectorTables } from './schema.ts'
import { list, type ServerConnection } from './server-connection.ts'

/** As pgvector reads it, of length 1. */
function toDirection(values: Float32Array): string {
  const length = Math.hypot(...values)
  return `[${Array.from(values, (value) => (length === 0 ? 0 : value / length)).join(',')}]`
}

/** Inside of the transaction that holds the row of the space; `version`: of its vector tables. */
export async function putVectors(
  connection: ServerConnection,
  space: string,
  version: number,
  model: string,
  vectors: readonly NewVector[],
): Promise<number> {
  const [first] = vectors
  if (first === undefined) return 0
  for (const { id, values } of vectors) throwOnWrong(model, id, values, first.values.length)
  await makeVectorTables(connection, space, version)
  const { number, dimension } = await findOrAddModel(connection, space, model, first.values.length)
  throwOnWrong(model, first.id, first.values, dimension)
  const sql = `INSERT INTO ${space}_vectors (model, item, direction)
    SELECT DISTINCT ON (i.number) $4::int, i.number, new.direction::${await placeOf(connection)}.vector
    FROM unnest($1::text[], $2::int[], $3::text[]) WITH ORDINALITY AS new (id, revision, direction, place)
    JOIN ${space}_items AS i ON i.id = new.id AND i.revision = new.revision
    ORDER BY i.number, new.place DESC
    ON CONFLICT (model, item) DO UPDATE SET direction = excluded.direction`
  await connection.query(sql, [
    list(vectors.map(({ id }) => toStorable(id))),
    list(vectors.map(({ revision }) => revision)),
    list(vectors.map(({ values }) => toDirection(values))),
    number,
  ])
  const [row] = await connection.query(
    `SELECT count(*) AS taken FROM unnest($1::text[], $2::int[]) AS new (id, revision)
     JOIN ${space}_items AS i ON i.id = new.id AND i.revision = new.revision`,
    [list(vectors.map(({ id }) => toStorable(id))), list(vectors.map(({ revision }) => revision))],
  )
  return Number(row?.taken)
}

export async function keepVectorsOf(
  connection: ServerConnection,
  space: string,
  version: number,
  models: readonly string[],
): Promise<void> {
  if (version === 0) return
  const sql = `WITH old AS (DELETE FROM ${space}_models WHERE name <> ALL($1::text[]) RETURNING number)
    DELETE FROM ${space}_vectors WHERE model IN (SELECT number FROM old)`
  await connection.query(sql, [list(models.map(toStorable))])
}

export async function listWithoutVector(
  connection: ServerConnection,
  space: string,
  model: string,
  limit: number,
): Promise<StoredItem[]> {
  const has = `EXISTS (SELECT FROM ${space}_vectors AS v JOIN ${space}_models AS m ON m.number = v.model
    WHERE v.item = i.number AND m.name = $1)`
  const without = (await hasVectors(connection, space)) ? `NOT ${has}` : '$1::text IS NOT NULL'
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${itemsOf(space)} WHERE ${without} ORDER BY i.number LIMIT $2::int`
  return (await connection.query(sql, [toStorable(model), limit])).map(toItem)
}

export async function vectorsOf(
  connection: ServerConnection,
  space: string,
  ids: readonly string[],
): Promise<StoredVector[]> {
  if (!(await hasVectors(connection, space))) return []
  const sql = `SELECT i.id, m.name, v.direction::text AS direction FROM ${space}_items AS i
    JOIN ${space}_vectors AS v ON v.item = i.number JOIN ${space}_models AS m ON m.number = v.model
    WHERE i.id = ANY($1::text[]) ORDER BY i.id, m.name`
  const rows = await connection.query(sql, [list(ids.map(toStorable))])
  return rows.map((row) => ({
    id: fromStorable(String(row.id)),
    model: fromStorable(String(row.name)),
    // Written by pgvector: a list of numbers.
    values: Float32Array.from(JSON.parse(String(row.direction)) as number[]),
  }))
}

export interface Compared {
  /** Of those that may be seen, the nearest first; only what points the same way at all. */
  readonly near: readonly Near[]
  similaritiesOf(items: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** undefined: nothing can be compared. */
export async function findNearest(
  connection: ServerConnection,
  space: string,
  query: SearchQuery,
  { model, values: asked }: QueryVector,
  limit: number,
): Promise<Compared | undefined> {
  if (!(await hasVectors(connection, space))) return undefined
  const find = `SELECT number, dimension FROM ${space}_models WHERE name = $1`
  const [found] = await connection.query(find, [toStorable(model)])
  const place = await findExtension(connection)
  if (found === undefined || place === undefined || Number(found.dimension) !== asked.length) return undefined
  const vector = [toDirection(asked), Number(found.number)]
  // The inner product, which pgvector tells as a negative number.
  const similarity = `-(v.direction OPERATOR(${place}.<#>) $1::text::${place}.vector)`
  const { where, values } = conditionsOf(space, query, vector)
  const sql = `SELECT item, similarity FROM (
      SELECT v.item, ${similarity} AS similarity FROM ${space}_vectors AS v JOIN ${space}_items AS i ON i.number = v.item
      WHERE v.model = $2::int AND ${where}) AS compared
    WHERE similarity > 0 ORDER BY similarity DESC, item LIMIT $${values.length + 1}::int`
  const rows = await connection.query(sql, [...values, limit])
  const near = rows.map((row) => ({ key: Number(row.item), similarity: Number(row.similarity) }))
  const known = new Map(near.map(({ key, similarity: value }) => [key, value]))
  return {
    near,
    async similaritiesOf(items) {
      const unknown = items.filter((item) => !known.has(item))
      if (unknown.length === 0) return known
      const one = `SELECT v.item, ${similarity} AS similarity FROM ${space}_vectors AS v
        WHERE v.model = $2::int AND v.item = ANY($3::int[])`
      for (const row of await connection.query(one, [...vector, list(unknown)])) {
        known.set(Number(row.item), Number(row.similarity))
      }
      return known
    },
  }
}

async function hasVectors(connection: ServerConnection, space: string): Promise<boolean> {
  const [row] = await connection.query('SELECT vectors > 0 AS has FROM spaces WHERE name = $1', [space])
  return row?.has === true
}

async function findOrAddModel(
  connection: ServerConnection,
  space: string,
  model: string,
  dimension: number,
): Promise<{ number: number; dimension: number }> {
  const find = `SELECT number, dimension FROM ${space}_models WHERE name = $1`
  const add = `INSERT INTO ${space}_models (name, dimension) VALUES ($1, $2) RETURNING number, dimension`
  const [known] = await connection.query(find, [toStorable(model)])
  const row = known ?? (await connection.query(add, [toStorable(model), dimension]))[0]
  return { number: Number(row?.number), dimension: Number(row?.dimension) }
}

async function placeOf(connection: ServerConnection): Promise<string> {
  const place = await findExtension(connection)
  if (place === undefined) throw new ThreadFailure('no_vectors', 'its pgvector was removed')
  return place
}

function throwOnWrong(model: string, id: string, values: Float32Array, dimension: number): void {
  if (values.length < 1 || values.length > MAX_DIMENSION) {
    throw new ThreadFailure('wrong', `A vector has 1 to ${MAX_DIMENSION} numbers, not ${values.length}`)
  }
  if (values.length !== dimension) {
    throw new ThreadFailure('wrong', `Vectors of "${model}" have ${dimension} numbers, not ${values.length}`)
  }
  if (!values.every(Number.isFinite)) throw new ThreadFailure('wrong', `The vector of "${id}" holds what is no number`)
}
