/**
 * The vectors of one model of one space, in the memory of the kernel: read when they are first asked for, then only what changed.
 * Rows lie side by side without gaps; one that goes is replaced by the last.
 */
import type { Near } from '../../../text/fuse.ts'
import type { Database } from '../database.ts'
import { createKernel, type Kernel } from './kernel.ts'
import { quantizeQuery } from './quantize.ts'

const PAGE = 65_536
const FIRST_ROWS = 1_024

interface Place {
  readonly item: number
  readonly scope: string
  readonly kind: string
}

export type MayBeSeen = (place: Place) => boolean

/** To be used before the next search. */
export interface Nearest {
  /** Of those that may be seen, the nearest first; only what points the same way at all. */
  readonly near: readonly Near[]
  /** Of any item that has a vector. */
  similarityOf(item: number): number | undefined
}

const NOTHING: Nearest = { near: [], similarityOf: () => undefined }

export class VectorIndex {
  readonly #space: string
  readonly model: number
  readonly #dimension: number
  readonly #stride: number
  readonly #kernel: Kernel = createKernel()
  readonly #places: Place[] = []
  readonly #rowOf = new Map<number, number>()
  #capacity = 0
  #lastVector = 0
  #lastGone = 0

  constructor(space: string, model: number, dimension: number) {
    this.#space = space
    this.model = model
    this.#dimension = dimension
    this.#stride = Math.ceil(dimension / 16) * 16
  }

  /** Takes in what was written since. Call it inside of the transaction that the search sees. False: too much was missed. */
  refresh(database: Database): boolean {
    const gone = database.statement(`SELECT min(number) AS first, max(number) AS last FROM ${this.#space}_gone`).get()
    const [first, last] = [Number(gone?.first ?? 0), Number(gone?.last ?? 0)]
    if (this.#lastVector > 0 && first > this.#lastGone + 1) return false
    if (last > this.#lastGone && this.#lastVector > 0) {
      const rows = database.statement(`SELECT item FROM ${this.#space}_gone WHERE number > ?`).all(this.#lastGone)
      for (const row of rows) this.#remove(Number(row.item))
    }
    this.#lastGone = last
    const sql = `SELECT v.number, v.item, v.scale, v.bytes, i.scope, i.kind FROM ${this.#space}_vectors AS v
      JOIN ${this.#space}_items AS i ON i.number = v.item WHERE v.number > ? AND v.model = ? ORDER BY v.number`
    for (const row of database.statement(sql).iterate(this.#lastVector, this.model)) {
      this.#put({ item: Number(row.item), scope: String(row.scope), kind: String(row.kind) }, row.scale, row.bytes)
      this.#lastVector = Number(row.number)
    }
    return true
  }

  search(values: Float32Array, limit: number, mayBeSeen: MayBeSeen): Nearest {
    const count = this.#places.length
    if (count === 0 || values.length !== this.#dimension) return NOTHING
    const { values: query, scale } = quantizeQuery(values)
    const { memory } = this.#kernel
    new Int16Array(memory.buffer, 0, this.#stride).fill(0)
    new Int16Array(memory.buffer, 0, query.length).set(query)
    this.#kernel.scan(this.#rowsAt, count, this.#stride, 0, this.#scalesAt, this.#outAt)
    const out = new Float32Array(memory.buffer, this.#outAt, count)
    return {
      near: this.#nearest(out, scale, limit, mayBeSeen),
      similarityOf: (item) => out[this.#rowOf.get(item) ?? -1],
    }
  }

  get #scalesAt(): number {
    return this.#stride * 2
  }

  get #outAt(): number {
    return this.#scalesAt + this.#capacity * 4
  }

  get #rowsAt(): number {
    return this.#outAt + this.#capacity * 4
  }

  #nearest(out: Float32Array, scale: number, limit: number, mayBeSeen: MayBeSeen): Near[] {
    const best: Near[] = []
    let least = 0
    for (let row = 0; row < out.length; row++) {
      const similarity = Math.max(-1, Math.min(1, (out[row] ?? 0) * scale))
      out[row] = similarity
      const place = this.#places[row]
      if (similarity <= least || place === undefined || !mayBeSeen(place)) continue
      best.push({ key: place.item, similarity })
      if (best.length < 2 * limit) continue
      best.sort(byNearness).length = limit
      least = best.at(-1)?.similarity ?? 0
    }
    return best.sort(byNearness).slice(0, limit)
  }

  #put(place: Place, scale: unknown, bytes: unknown): void {
    if (!(bytes instanceof Uint8Array) || bytes.length !== this.#dimension) return
    const row = this.#rowOf.get(place.item) ?? this.#places.length
    if (row >= this.#capacity) this.#grow()
    this.#places[row] = place
    this.#rowOf.set(place.item, row)
    const { buffer } = this.#kernel.memory
    new Float32Array(buffer, this.#scalesAt, this.#capacity)[row] = Number(scale)
    new Uint8Array(buffer, this.#rowsAt + row * this.#stride, this.#dimension).set(bytes)
  }

  #remove(item: number): void {
    const row = this.#rowOf.get(item)
    if (row === undefined) return
    this.#rowOf.delete(item)
    const last = this.#places.pop()
    if (last === undefined || last.item === item) return
    const { buffer } = this.#kernel.memory
    const from = this.#places.length
    this.#places[row] = last
    this.#rowOf.set(last.item, row)
    const scales = new Float32Array(buffer, this.#scalesAt, this.#capacity)
    scales[row] = scales[from] ?? 0
    const rows = new Uint8Array(buffer, this.#rowsAt)
    rows.copyWithin(row * this.#stride, from * this.#stride, (from + 1) * this.#stride)
  }

  /** Half as much again: the rows move to behind the longer lists before them. */
  #grow(): void {
    const { memory } = this.#kernel
    const [count, oldScales, oldRows] = [this.#places.length, this.#scalesAt, this.#rowsAt]
    this.#capacity = Math.max(FIRST_ROWS, Math.ceil(this.#capacity * 1.5))
    const missing = this.#rowsAt + this.#capacity * this.#stride - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    const bytes = new Uint8Array(memory.buffer)
    bytes.copyWithin(this.#rowsAt, oldRows, oldRows + count * this.#stride)
    bytes.copyWithin(this.#scalesAt, oldScales, oldScales + count * 4)
  }
}

const byNearness = (a: Near, b: Near): number => b.similarity - a.similarity || a.key - b.key
