import { expect, test } from 'vitest'
import { RequestTable } from '../../src/connection/request-table.ts'

test('finds by id what was added, and nothing else', () => {
  const table = new RequestTable<{ id: number | string }>()
  const one = { id: 1 }
  table.add(one)
  expect(table.get(1)).toBe(one)
  for (const other of [0, 257, 1.5, -255, '1', Number.NaN]) expect(table.get(other)).toBeUndefined()
})

test('one that stays keeps its place while hundreds come and go', () => {
  const table = new RequestTable<{ id: number }>()
  const staying = { id: 3 }
  table.add(staying)
  for (let id = 4; id < 2000; id++) {
    const passing = { id }
    table.add(passing)
    expect(table.get(id)).toBe(passing)
    expect(table.get(3)).toBe(staying)
    table.remove(passing)
    expect(table.get(id)).toBeUndefined()
  }
  expect(table.all()).toEqual([staying])
})

test('holds as many as there are, lists them in their order and counts them', () => {
  const table = new RequestTable<{ id: number }>()
  const entries = Array.from({ length: 700 }, (_, index) => ({ id: index + 100 }))
  for (const entry of entries) table.add(entry)
  expect(table.size).toBe(700)
  expect(table.all()).toEqual(entries)
  for (const entry of entries.slice(0, 690)) table.remove(entry)
  expect(table.all()).toEqual(entries.slice(690))
  expect(table.size).toBe(10)
})

test('removing one twice, or one that shares a slot, changes nothing', () => {
  const table = new RequestTable<{ id: number }>()
  const first = { id: 5 }
  const second = { id: 5 + 256 }
  table.add(first)
  table.add(second)
  table.remove(first)
  table.remove(first)
  expect(table.size).toBe(1)
  expect(table.get(second.id)).toBe(second)
})
