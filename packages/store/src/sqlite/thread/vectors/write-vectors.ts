/**
 * What the writer does to the vectors of one space. Rows are only added and removed, never changed: the number of a row tells
 * readers what is new since they looked, and `gone` tells what is there no more.
 */
import { MAX_DIMENSION, type NewVector } from '../../../store.ts'
import { ThreadFailure } from '../../../thread/failure.ts'
import type { Database } from '../database.ts'
import { isComparable, quantizeStored } from './quantize.ts'

/** So many of the last removals are kept: a reader that has missed more reads everything anew. */
const KEPT_GONE = 10_000

export function putVectors(database: Database, space: string, model: string, vectors: readonly NewVector[]): number {
  const [first] = vectors
  if (first === undefined) return 0
  const { number, dimension } = findOrAddModel(database, space, model, first.values.length)
  const find = database.statement(`SELECT number FROM ${space}_items WHERE id = ? AND revision = ?`)
  const put = `INSERT OR REPLACE INTO ${space}_vectors (item, model, scale, bytes) VALUES (?, ?, ?, ?)`
  let taken = 0
  for (const { id, revision, values } of vectors) {
    if (values.length !== dimension) {
      throw new ThreadFailure('wrong', `Vectors of "${model}" have ${dimension} numbers, not ${values.length}`)
    }
    if (!isComparable(values)) throw new ThreadFailure('wrong', `The vector of "${id}" holds what is no number`)
    const item = find.get(id, revision)
    if (item === undefined) continue
    const { values: bytes, scale } = quantizeStored(values)
    database.execute(put, Number(item.number), number, scale, new Uint8Array(bytes.buffer))
    taken++
  }
  return taken
}

export function removeVectors(database: Database, space: string, item: number): void {
  const removed = database.statement(`DELETE FROM ${space}_vectors WHERE item = ? RETURNING number`).all(item)
  if (removed.length === 0) return
  const last = database.statement(`INSERT INTO ${space}_gone (item) VALUES (?) RETURNING number`).get(item)
  database.execute(`DELETE FROM ${space}_gone WHERE number <= ?`, Number(last?.number) - KEPT_GONE)
}

/** The item is another in everything but its text: readers see it as new. */
export function renewVectors(database: Database, space: string, item: number): void {
  const sql = `INSERT OR REPLACE INTO ${space}_vectors (item, model, scale, bytes)
    SELECT item, model, scale, bytes FROM ${space}_vectors WHERE item = ?`
  database.execute(sql, item)
}

export function keepVectorsOf(database: Database, space: string, models: readonly string[]): void {
  const kept = new Set(models)
  for (const row of database.statement(`SELECT number, name FROM ${space}_models`).all()) {
    if (kept.has(String(row.name))) continue
    database.execute(`DELETE FROM ${space}_vectors WHERE model = ?`, Number(row.number))
    database.execute(`DELETE FROM ${space}_models WHERE number = ?`, Number(row.number))
  }
}

function findOrAddModel(
  database: Database,
  space: string,
  model: string,
  dimension: number,
): { number: number; dimension: number } {
  const row = database.statement(`SELECT number, dimension FROM ${space}_models WHERE name = ?`).get(model)
  if (row !== undefined) return { number: Number(row.number), dimension: Number(row.dimension) }
  if (dimension < 1 || dimension > MAX_DIMENSION) {
    throw new ThreadFailure('wrong', `A vector has 1 to ${MAX_DIMENSION} numbers, not ${dimension}`)
  }
  const made = database
    .statement(`INSERT INTO ${space}_models (name, dimension) VALUES (?, ?) RETURNING number`)
    .get(model, dimension)
  return { number: Number(made?.number), dimension }
}
