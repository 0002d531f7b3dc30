import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { catchRejection, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore, type Store } from '../../src/index.ts'
import { describeStore, item } from '../contract.ts'

let folder: TemporaryDirectory
beforeEach(async () => {
  folder = await createTemporaryDirectory()
})
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await folder.remove()
})

async function open(file = 'store.db'): Promise<Store> {
  const store = await openSqliteStore({ file: folder.file(file) })
  stores.push(store)
  return store
}

describeStore('the embedded store', () => open())

describe('the file of the embedded store', () => {
  test('holds everything once the store is closed, and is read again', async () => {
    const first = await open()
    await (await first.space('notes')).put([item('a', { text: 'kept' })])
    await first.close()
    await copyFile(folder.file('store.db'), folder.file('copy.db'))
    const second = await open('copy.db')
    const { hits } = await (await second.space('notes')).search({ text: 'kept', scopes: ['here'], limit: 1 })
    expect(hits).toMatchObject([{ item: { id: 'a' } }])
  })

  test('is copied whole while somebody writes', async () => {
    const store = await open()
    const space = await store.space('notes')
    await space.put(Array.from({ length: 2_000 }, (_, index) => item(`n${index}`)))
    const writes = Array.from({ length: 50 }, (_, index) => space.put([item(`m${index}`)]))
    await Promise.all([store.backup(folder.file('copy.db')), ...writes])
    const copy = await open('copy.db')
    expect(await copy.check()).toEqual({ problems: [], rebuilt: [] })
    const { total } = await (await copy.space('notes')).list({ scopes: ['here'], limit: 1 })
    expect(total).toBeGreaterThanOrEqual(2_000)
  })

  test('of a newer Switchboard is left as it is', async () => {
    const store = await open()
    await store.space('notes')
    await store.close()
    const database = new DatabaseSync(folder.file('store.db'))
    database.exec('UPDATE switchboard_spaces SET version = 99')
    database.close()
    const older = await open()
    expect(await catchRejection(older.space('notes'))).toMatchObject({ code: 'store_newer' })
  })

  test('that is none is told as damaged, and not touched', async () => {
    const bytes = Buffer.from('this is no database, '.repeat(500))
    await writeFile(folder.file('store.db'), bytes)
    expect(await catchRejection(open())).toMatchObject({ code: 'store_damaged' })
    expect(await readFile(folder.file('store.db'))).toEqual(bytes)
  })

  test('gets its search index made anew at the start, from what is stored', async () => {
    const store = await open()
    await (await store.space('notes')).put([item('a', { text: 'needle' }), item('b', { text: 'hay' })])
    await store.close()
    // Newer ones protect it from such hands.
    const database = new DatabaseSync(folder.file('store.db'), { defensive: false })
    database.exec('DELETE FROM notes_text_data WHERE id > 10')
    database.close()
    const mended = await open()
    const { hits } = await (await mended.space('notes')).search({ text: 'needle', scopes: ['here'], limit: 5 })
    expect(hits).toMatchObject([{ item: { id: 'a' } }])
    expect(await mended.check()).toEqual({ problems: [], rebuilt: [] })
  })

  test('gets a search index that lacks something made anew by a check', async () => {
    const store = await open()
    await (await store.space('notes')).put([item('a', { text: 'needle' }), item('b', { text: 'hay' })])
    await store.close()
    const database = new DatabaseSync(folder.file('store.db'))
    database.exec('DELETE FROM notes_text WHERE rowid = 1')
    database.close()
    const mended = await open()
    expect(await mended.check()).toEqual({ problems: [], rebuilt: ['notes'] })
    const { hits } = await (await mended.space('notes')).search({ text: 'needle', scopes: ['here'], limit: 5 })
    expect(hits).toMatchObject([{ item: { id: 'a' } }])
    expect(await mended.check()).toEqual({ problems: [], rebuilt: [] })
  })

  test('that is damaged is told with the last good backup, and not touched', async () => {
    const store = await open()
    const space = await store.space('notes')
    await space.put(Array.from({ length: 500 }, (_, index) => item(`n${index}`)))
    await store.backup(folder.file('copy.db'))
    await store.close()
    const bytes = await readFile(folder.file('store.db'))
    // Pages of the items are among these.
    bytes.fill(0x5a, 5 * 4_096, 12 * 4_096)
    await writeFile(folder.file('store.db'), bytes)
    const hint = expect.stringContaining(folder.file('copy.db'))
    expect(await catchRejection(open())).toMatchObject({ code: 'store_damaged', hint })
    expect(await readFile(folder.file('store.db'))).toEqual(bytes)
    // A backup that is damaged too is none.
    await writeFile(folder.file('copy.db'), bytes)
    expect(await catchRejection(open())).toMatchObject({ hint: expect.stringContaining('No backup is known') })
    await rm(folder.file('store.db'))
    await open()
  })

  test.skipIf(process.platform === 'win32')('is for its owner alone, with all that lies beside it', async () => {
    await writeFile(folder.file('store.db'), '', { mode: 0o644 })
    const store = await open()
    await (await store.space('notes')).put([item('a')])
    await store.backup(folder.file('copy.db'))
    const modes = await Promise.all(
      ['store.db', 'store.db-wal', 'store.db-shm', 'copy.db', 'store.db.last-backup'].map(async (name) => [
        name,
        (await stat(folder.file(name))).mode & 0o777,
      ]),
    )
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([])
  })

  test('is not its own backup, and a backup that fails leaves nothing behind', async () => {
    const store = await open()
    await store.space('notes')
    await catchRejection(store.backup(folder.file('store.db')))
    await expect(store.backup(folder.file('nowhere', 'copy.db'))).rejects.toThrow()
    expect((await readdir(folder.path)).filter((name) => name.includes('tmp') || name.includes('backup'))).toEqual([])
  })
})

test('of one id that comes twice in a call the later one is stored, and found', async () => {
  const space = await (await open()).space('notes')
  await space.put([item('a', { text: 'first words' }), item('b'), item('a', { text: 'second sentence' })])
  const search = async (text: string) => (await space.search({ text, scopes: ['here'], limit: 5 })).hits.length
  expect([await search('words'), await search('sentence')]).toEqual([0, 1])
  expect((await space.list({ scopes: ['here'], limit: 5 })).total).toBe(2)
})

test('one of a group of writes that fails takes no other with it', async () => {
  const store = await open()
  const space = await store.space('notes')
  const writes = Array.from({ length: 30 }, (_, index) =>
    space.put([index % 3 === 0 ? item(`n${index}`, { text: null as unknown as string }) : item(`n${index}`)]),
  )
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
  expect((await space.list({ scopes: ['here'], limit: 1 })).total).toBe(20)
})

test('who asks after the end is told that there is no store', async () => {
  const store = await open()
  const space = await store.space('notes')
  await store.close()
  expect(await catchRejection(space.put([item('a')]))).toMatchObject({ code: 'store_unavailable' })
  await store.close()
})
