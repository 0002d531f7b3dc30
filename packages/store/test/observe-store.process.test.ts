import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { observeStore, openSqliteStore, type StoreOperation } from '../src/index.ts'
import { item } from './contract.ts'

test('every operation is told with its time and its end, and what waits can be counted', async () => {
  await using directory = await createTemporaryDirectory()
  const ended: StoreOperation[] = []
  let waiting = 0
  const store = observeStore(await openSqliteStore({ file: directory.file('a.db') }), {
    onBegun: () => waiting++,
    onEnded: (operation) => {
      waiting--
      ended.push(operation)
    },
  })
  try {
    const space = await store.space('notes')
    const [first] = [space.put([item('a')]), space.put([item('b')])]
    expect(waiting).toBe(2)
    await first
    await space.search({ text: 'text', scopes: ['here'], limit: 5 })
    await space.search({ text: 'absent', scopes: ['here'], limit: 5 })
    const broken = item('c', { data: { value: 1n as unknown as number } })
    await expect(space.put([broken])).rejects.toThrow()
    await store.check()
    await store.status()
    expect(await store.space('notes')).toBe(space)
    expect(ended.map(({ name, space: of, isDone, hits }) => [name, of, isDone, hits])).toEqual([
      ['put', 'notes', true, undefined],
      ['put', 'notes', true, undefined],
      ['search', 'notes', true, 2],
      ['search', 'notes', true, 0],
      ['put', 'notes', false, undefined],
      ['check', undefined, true, undefined],
    ])
    expect(ended.every(({ milliseconds }) => milliseconds > 0)).toBe(true)
    expect(waiting).toBe(0)
  } finally {
    await store.close()
  }
})
