/** Threads that die, and more work than there is room for. */
import type { Worker } from 'node:worker_threads'
import { catchRejection, createTemporaryDirectory, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteStore, type Store } from '../../src/index.ts'
import { item } from '../contract.ts'

const workers: Worker[] = []
const remember = (worker: Worker): void => void workers.push(worker)

let folder: TemporaryDirectory
let store: Store
beforeEach(async () => {
  process.on('worker', remember)
  folder = await createTemporaryDirectory()
  store = await openSqliteStore({ file: folder.file('store.db') })
})
afterEach(async () => {
  process.off('worker', remember)
  workers.length = 0
  await store.close()
  await folder.remove()
})

test('a writer that dies is followed by another, and what it had not acknowledged is told as uncertain', async () => {
  const space = await store.space('notes')
  await space.put([item('before')])
  const [writer] = workers
  const writes = Array.from({ length: 50 }, (_, index) => space.put([item(`n${index}`)]))
  const outcomes = Promise.allSettled(writes)
  await writer?.terminate()
  const lost: number[] = []
  for (const [index, outcome] of (await outcomes).entries()) {
    if (outcome.status === 'fulfilled') continue
    expect(outcome.reason).toMatchObject({ code: 'store_uncertain' })
    lost.push(index)
  }
  expect(lost.length).toBeGreaterThan(0)
  await space.put([item('after')])
  for (const id of ['before', 'after']) expect(await space.get(id)).toMatchObject({ id })
  for (let index = 0; index < 50; index++) {
    if (!lost.includes(index)) expect(await space.get(`n${index}`)).toMatchObject({ id: `n${index}` })
  }
  expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
})

test('a reader that dies is followed by another', async () => {
  const space = await store.space('notes')
  await space.put([item('a')])
  const reads = Promise.allSettled(Array.from({ length: 20 }, () => space.get('a')))
  // The first one is the writer, which reads as long as that is enough.
  const reader = await waitFor(() => workers[1])
  await reader.terminate()
  for (const outcome of await reads) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store_unavailable' })
  }
  for (let time = 0; time < 5; time++) expect(await space.get('a')).toMatchObject({ id: 'a' })
})

test('no more writes than there is room for wait in the thread, all are done, and the others take their turn', async () => {
  const [one, two] = [await store.space('one'), await store.space('two')]
  const flood = Array.from({ length: 3_000 }, (_, index) => one.put([item(`n${index}`)]))
  const { waiting } = await store.status()
  expect(waiting).toBeGreaterThan(1_000)
  // It came last, and is not the last to be served.
  let isFloodDone = false
  const all = Promise.all(flood).then(() => {
    isFloodDone = true
  })
  await two.put([item('polite')])
  expect(isFloodDone).toBe(false)
  await all
  expect(await store.status()).toMatchObject({ items: { one: 3_000, two: 1 }, waiting: 0 })
})

test('a store that is closed in the middle does what was asked for before', async () => {
  const space = await store.space('notes')
  const writes = Promise.allSettled(Array.from({ length: 100 }, (_, index) => space.put([item(`n${index}`)])))
  await store.close()
  const done = (await writes).filter(({ status }) => status === 'fulfilled').length
  expect(await catchRejection(space.get('n0'))).toMatchObject({ code: 'store_unavailable' })
  store = await openSqliteStore({ file: folder.file('store.db') })
  expect((await store.status()).items).toEqual({ notes: done })
  expect(done).toBe(100)
})

test('a reader beside what takes the writer no time starts no thread of its own', async () => {
  await (await store.space('notes')).put([item('a')])
  const [status, other, found] = await Promise.all([
    store.status(),
    store.space('tasks'),
    store.space('notes').then((space) => space.get('a')),
  ])
  expect(status.items).toMatchObject({ notes: 1 })
  expect(await other.get('a')).toBeUndefined()
  expect(found).toMatchObject({ id: 'a' })
  expect(workers).toHaveLength(1)
})
