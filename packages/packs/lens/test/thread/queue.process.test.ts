/** What is still to be done, in a table. */
import { join } from 'node:path'
import { TablesDatabase } from '@switchboard/store/tables'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { VERSIONS } from '../../src/tables/versions.ts'
import { HIGH, NORMAL, Queue } from '../../src/thread/writer/queue.ts'

async function openQueue() {
  const directory = await createTemporaryDirectory()
  const { database } = TablesDatabase.open({
    file: join(directory.path, 'index.db'),
    role: 'writer',
    versions: VERSIONS,
  })
  return {
    database,
    queue: new Queue(database),
    async [Symbol.asyncDispose]() {
      database.close()
      await directory.remove()
    },
  }
}

it('gives out what is urgent first, each path once, and again what changed while it was read', async () => {
  await using opened = await openQueue()
  const { queue } = opened
  expect(queue.add(1, 'a', 'file', NORMAL)).toBe(true)
  expect(queue.add(1, 'a', 'file', NORMAL)).toBe(false)
  queue.add(1, 'b', 'file', HIGH)
  expect(queue.nextFile()).toMatchObject({ path: 'b', priority: HIGH })
  // What is urgent does not wait for what is not.
  const urgent = queue.leaseFiles()
  expect(urgent.map(({ path }) => path)).toEqual(['b'])
  const items = [...urgent, ...queue.leaseFiles()]
  expect(items.map(({ path }) => path)).toEqual(['b', 'a'])
  expect(queue.counts).toEqual({ pending: 0, running: 2, failed: 0 })
  expect(queue.add(1, 'a', 'file', NORMAL)).toBe(true)
  // Nobody else gets it meanwhile.
  expect(queue.leaseFiles()).toEqual([])
  for (const { id } of items) queue.finish(id)
  expect(queue.counts).toEqual({ pending: 1, running: 0, failed: 0 })
  expect(queue.leaseFiles().map(({ path }) => path)).toEqual(['a'])
})

it('tries three times, each time alone, and keeps the reason', async () => {
  await using opened = await openQueue()
  const { queue, database } = opened
  queue.addFiles(
    1,
    [
      { path: 'bad', size: 1 },
      { path: 'good', size: 1 },
    ],
    NORMAL,
  )
  const [first] = queue.leaseFiles()
  expect(queue.fail(first?.id ?? 0, 'broken')).toBe(false)
  const [second, ...others] = queue.leaseFiles()
  expect([second?.path, others]).toEqual(['bad', []])
  expect(queue.fail(second?.id ?? 0, 'broken')).toBe(false)
  expect(queue.fail(queue.leaseFiles()[0]?.id ?? 0, 'broken for good')).toBe(true)
  expect(queue.counts).toMatchObject({ failed: 1 })
  expect(database.handle.prepare("SELECT path, reason FROM kept_queue WHERE state = 'failed'").all()).toEqual([
    { path: 'bad', reason: 'broken for good' },
  ])
  // It is tried again once it has changed.
  queue.add(1, 'bad', 'file', NORMAL)
  expect(queue.counts).toMatchObject({ failed: 0, pending: 1 })
})

it('gives out again what a dead process had, alone after a while, and in the end not at all', async () => {
  await using opened = await openQueue()
  const { queue } = opened
  queue.addFiles(
    1,
    [
      { path: 'a', size: 1 },
      { path: 'b', size: 1 },
    ],
    NORMAL,
  )
  for (let death = 0; death < 3; death++) {
    expect(queue.leaseFiles()).toHaveLength(2)
    queue.reclaim()
  }
  for (let death = 3; death < 10; death++) {
    expect(queue.leaseFiles().map(({ path }) => path)).toEqual(['a'])
    queue.reclaim()
  }
  expect(queue.leaseFiles().map(({ path }) => path)).toEqual(['b'])
  expect(queue.counts).toEqual({ pending: 0, running: 1, failed: 1 })
})
