import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { openSqliteStore, type Store } from '@switchboard/store'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, FakeClock, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreBackups } from '../../src/store/store-backups.ts'

const DAY = 24 * 60 * 60_000

let directory: TemporaryDirectory
let store: Store
const clock = new FakeClock({ wallTime: Date.now() })

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  store = await openSqliteStore({ file: directory.file('store.db') })
})

afterEach(async () => {
  await store.close()
  await directory.remove()
})

function open({ every = DAY, lastUsed = () => -DAY }: { every?: number | undefined; lastUsed?: () => number } = {}) {
  const log = createMemoryLogger()
  const options = { directory: directory.file('backups'), clock, log, store: () => Promise.resolve(store), lastUsed }
  return { log, backups: new StoreBackups({ ...options, every: () => every }) }
}

const save = async (id: string) => {
  const space = await store.space('notes')
  const item = { id, kind: 'note', scope: 'here', text: id, tags: [], data: {}, createdAt: 1, updatedAt: 1 }
  await space.put([item])
}

test('a backup holds what was there, is its owner’s alone, and the last two stay', async () => {
  const { backups } = open()
  for (const id of ['a', 'b', 'c']) {
    await save(id)
    await backups.backUp(store)
    clock.advance(2_000)
  }
  const [newest, older, ...more] = await backups.list()
  expect(more).toEqual([])
  expect(await readdir(directory.file('backups'))).toHaveLength(2)
  if (process.platform !== 'win32') {
    expect((await stat(newest?.file ?? '')).mode & 0o777).toBe(0o600)
    expect((await stat(directory.file('backups'))).mode & 0o777).toBe(0o700)
  }
  const read = async (file: string | undefined) => {
    const copy = await openSqliteStore({ file: file ?? '' })
    try {
      return (await (await copy.space('notes')).list({ scopes: ['here'], limit: 9 })).total
    } finally {
      await copy.close()
    }
  }
  expect([await read(newest?.file), await read(older?.file)]).toEqual([3, 2])
})

test('by itself only when something changed, a day is over and nobody uses it', async () => {
  let lastUsed = clock.now()
  const { backups } = open({ lastUsed: () => lastUsed })
  const count = async () => (await backups.list()).length
  clock.advance(2 * DAY)
  await backups.backUpWhenDue()
  expect(await count()).toBe(0)
  backups.noteChange()
  lastUsed = clock.now()
  await backups.backUpWhenDue()
  expect(await count()).toBe(0)
  clock.advance(120_000)
  await backups.backUpWhenDue()
  expect(await count()).toBe(1)
  backups.noteChange()
  await backups.backUpWhenDue()
  expect(await count()).toBe(1)
  clock.advance(DAY)
  await backups.backUpWhenDue()
  expect(await count()).toBe(2)
})

test('none is made where they are switched off', async () => {
  const log = createMemoryLogger()
  const backups = new StoreBackups({
    directory: directory.file('backups'),
    clock,
    log,
    store: () => Promise.resolve(store),
    every: () => undefined,
    lastUsed: () => -DAY,
  })
  backups.noteChange()
  clock.advance(2 * DAY)
  await backups.backUpWhenDue()
  expect(await backups.list()).toEqual([])
})

test('one that cannot be made is told in the log, leaves nothing behind, and is tried again', async () => {
  const { backups, log } = open()
  await writeFile(directory.file('backups'), 'a file in the way')
  backups.noteChange()
  await backups.backUpWhenDue()
  expect(log.entries.map(({ msg }) => msg).join()).toContain('could not be backed up')
  await rm(directory.file('backups'))
  await mkdir(directory.file('backups'))
  await chmod(directory.file('backups'), 0o700)
  await backups.backUpWhenDue()
  expect(await readdir(directory.file('backups'))).toHaveLength(1)
})
