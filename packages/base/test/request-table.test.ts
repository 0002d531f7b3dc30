import { createSeededRandom } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { RequestTable } from '../src/request-table.ts'

interface Entry {
  readonly id: number
}

describe('RequestTable', () => {
  it('behaves like a Map, whatever is added, taken and asked for', () => {
    const random = createSeededRandom(5)
    const table = new RequestTable<Entry>()
    const model = new Map<number, Entry>()
    let next = 1
    for (let step = 0; step < 20_000; step++) {
      if (random.below(100) < 52) {
        const entry = { id: next++ }
        table.add(entry)
        model.set(entry.id, entry)
      } else if (model.size > 0) {
        const entry = random.pick([...model.values()].slice(0, 5))
        table.remove(entry)
        table.remove(entry)
        model.delete(entry.id)
      }
      const asked = random.below(next + 5)
      if (table.get(asked) !== model.get(asked)) throw new Error(`step ${step}: ${asked} differs`)
      if (table.size !== model.size) throw new Error(`step ${step}: size ${table.size}, not ${model.size}`)
    }
    expect(model.size).toBeGreaterThan(256)
    expect(table.all()).toEqual([...model.values()])
  })

  it.each(['1', 1.5, -255, 257, 2 ** 32 + 1, Number.NaN, ''])('does not take the id %j for another', (id) => {
    const table = new RequestTable<Entry>()
    table.add({ id: 1 })
    expect(table.get(id)).toBeUndefined()
  })
})
