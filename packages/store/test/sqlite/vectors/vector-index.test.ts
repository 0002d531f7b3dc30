import { createSeededRandom } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Database } from '../../../src/sqlite/thread/database.ts'
import { migrate } from '../../../src/sqlite/thread/schema.ts'
import { VectorIndex } from '../../../src/sqlite/thread/vectors/vector-index.ts'
import { keepVectorsOf, putVectors } from '../../../src/sqlite/thread/vectors/write-vectors.ts'
import { putItems, removeItems } from '../../../src/sqlite/thread/write-items.ts'
import { item } from '../../contract.ts'

const random = createSeededRandom(4)
const DIMENSION = 37

const randomVector = (): Float32Array => Float32Array.from({ length: DIMENSION }, () => random.below(2_001) - 1_000)

function cosine(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

let database: Database
beforeEach(() => {
  database = new Database(':memory:', 'writer')
  migrate(database, 'notes')
})
afterEach(() => database.close())

/** As they were put, by id. */
const vectors = new Map<string, Float32Array>()
beforeEach(() => vectors.clear())

function put(ids: readonly string[]): void {
  putItems(
    database,
    'notes',
    ids.map((id) =>
      item(id, { scope: Number(id) % 2 === 0 ? 'even' : 'odd', text: `${id} ${random.below(1_000_000)}` }),
    ),
  )
  const revisionOf = database.statement('SELECT revision FROM notes_items WHERE id = ?')
  const made = ids.map((id) => ({ id, revision: Number(revisionOf.get(id)?.revision), values: randomVector() }))
  for (const { id, values } of made) vectors.set(id, values)
  expect(putVectors(database, 'notes', 'm', made)).toBe(ids.length)
}

function remove(ids: readonly string[]): void {
  removeItems(database, 'notes', ids)
  for (const id of ids) vectors.delete(id)
}

const namesOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => String(from + index))

const idOf = (key: number): string =>
  String(database.statement('SELECT id FROM notes_items WHERE number = ?').get(key)?.id)

/** What the index finds is what comparing them one by one finds. */
function expectExact(index: VectorIndex, mayBeSeen: (id: string) => boolean = () => true): void {
  const query = randomVector()
  const { near, similarityOf } = index.search(query, 10, ({ item: key }) => mayBeSeen(idOf(key)))
  const all = [...vectors].map(([id, values]) => ({ id, similarity: cosine(query, values) }))
  const expected = all
    .filter(({ id, similarity }) => similarity > 0 && mayBeSeen(id))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 10)
  expect(near).toHaveLength(expected.length)
  for (const [place, { key, similarity }] of near.entries()) {
    expect(mayBeSeen(idOf(key))).toBe(true)
    expect(similarity).toBeCloseTo(cosine(query, vectors.get(idOf(key)) ?? query), 1.7)
    // Two that are about as near may change places.
    expect(similarity).toBeCloseTo(expected[place]?.similarity ?? 2, 1.7)
    expect(similarityOf(key)).toBeCloseTo(similarity, 5)
  }
}

test('an index finds what comparing one by one finds, in every state that it goes through', () => {
  const index = new VectorIndex('notes', 1, DIMENSION)
  put(namesOf(0, 1_500))
  expect(index.refresh(database)).toBe(true)
  expectExact(index)
  expectExact(index, (id) => Number(id) % 2 === 1)
  // Also the last one, and one that is then put anew.
  remove([...namesOf(100, 400), '1499'])
  put(['150', '1499'])
  expect(index.refresh(database)).toBe(true)
  expectExact(index)
  put(namesOf(1_000, 4_000))
  remove(['7'])
  expect(index.refresh(database)).toBe(true)
  expectExact(index)
  remove([...vectors.keys()])
  expect(index.refresh(database)).toBe(true)
  expect(index.search(randomVector(), 10, () => true).near).toEqual([])
  put(['1', '2'])
  expect(index.refresh(database)).toBe(true)
  expectExact(index)
})

test('an index that has missed more removals than are remembered says so', () => {
  const index = new VectorIndex('notes', 1, DIMENSION)
  put(namesOf(0, 20))
  index.refresh(database)
  // As if twenty thousand others had gone meanwhile.
  database.handle.exec('INSERT INTO notes_gone (number, item) VALUES (20000, 999); DELETE FROM notes_gone')
  remove(['3'])
  expect(index.refresh(database)).toBe(false)
  const anew = new VectorIndex('notes', 1, DIMENSION)
  expect(anew.refresh(database)).toBe(true)
  expectExact(anew)
})

test('a model that came back is another one', () => {
  put(['1'])
  keepVectorsOf(database, 'notes', [])
  put(['2'])
  expect(database.statement('SELECT number FROM notes_models').all()).toEqual([{ number: 2 }])
})

test('every length from one to beyond the steps of the kernel is compared right', () => {
  for (const dimension of [1, 15, 16, 17, 33, 384]) {
    const other = new Database(':memory:', 'writer')
    migrate(other, 'notes')
    putItems(other, 'notes', [item('a'), item('b')])
    const values = Float32Array.from({ length: dimension }, (_, at) => Math.sin(at + 1))
    const opposite = values.map((value) => -value)
    putVectors(other, 'notes', 'm', [
      { id: 'a', revision: 1, values },
      { id: 'b', revision: 1, values: opposite },
    ])
    const index = new VectorIndex('notes', 1, dimension)
    index.refresh(other)
    const { near, similarityOf } = index.search(values, 5, () => true)
    expect(near).toEqual([{ key: 1, similarity: expect.closeTo(1, 3) }])
    expect(similarityOf(2)).toBeCloseTo(-1, 3)
    other.close()
  }
})
