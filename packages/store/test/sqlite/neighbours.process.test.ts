/** Others at the same file: a second process, many readers, and a disk without room. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { catchRejection, createTemporaryDirectory, watchProgram } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { openSqliteStore, type Space } from '../../src/index.ts'
import { item } from '../contract.ts'

const WRITE_SOME = fileURLToPath(new URL('../fixtures/write-some.ts', import.meta.url))

const startWriter = (file: string, prefix: string, count: number) =>
  watchProgram(
    spawn(process.execPath, ['--conditions=switchboard-source', WRITE_SOME, file, prefix, String(count)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

test('a second process writes to the same store while the first writes without a pause, and both see everything', async () => {
  await using folder = await createTemporaryDirectory()
  const file = folder.file('store.db')
  const store = await openSqliteStore({ file })
  try {
    const space = await store.space('notes')
    const other = startWriter(file, 'b', 100)
    let isOtherDone = false
    const ended = other.ended.then((code) => {
      isOtherDone = true
      return code
    })
    let written = 0
    const writeOn = async (writer: number): Promise<void> => {
      for (let number = 0; !isOtherDone; number++) {
        await space.put([item(`a${writer}-${number}`), item(`a${writer}-${number}x`)])
        written += 2
      }
    }
    await Promise.all([1, 2, 3].map(writeOn))
    expect(await ended, other.err()).toBe(0)
    expect(other.out()).toBe('open\ndone\n')
    expect(await store.status()).toMatchObject({ items: { notes: written + 100 } })
    const { hits } = await space.search({ text: 'item 99 of b', scopes: ['here'], limit: 1 })
    expect(hits).toMatchObject([{ item: { id: 'b99' } }])
    await space.put([item('after')])
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
  } finally {
    await store.close()
  }
})

test('two processes that open a new store at once both have it', async () => {
  await using folder = await createTemporaryDirectory()
  const file = folder.file('store.db')
  const writers = ['a', 'b', 'c'].map((prefix) => startWriter(file, prefix, 20))
  for (const writer of writers) expect(await writer.ended, writer.err()).toBe(0)
  const store = await openSqliteStore({ file })
  expect(await store.status()).toMatchObject({ items: { notes: 60 } })
  expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
  await store.close()
})

test("fifty readers and a writer at full speed do not stand in each other's way", { timeout: 120_000 }, async () => {
  await using folder = await createTemporaryDirectory()
  const store = await openSqliteStore({ file: folder.file('store.db'), readers: 50 })
  try {
    const space = await store.space('notes')
    await space.put(Array.from({ length: 500 }, (_, number) => item(`n${number}`, { text: `item ${number} to find` })))
    let isDone = false
    let reads = 0
    const readOn = async (reader: number): Promise<void> => {
      for (let number = reader; !isDone || number < reader + 100; number += 50) {
        const { hits } = await space.search({ text: `${number % 500} find`, scopes: ['here'], limit: 3 })
        expect(hits).toHaveLength(3)
        expect((await space.list({ scopes: ['here'], limit: 2 })).items).toHaveLength(2)
        reads += 2
      }
    }
    const write = async (): Promise<void> => {
      for (let batch = 0; batch < 60; batch++) {
        await space.put(Array.from({ length: 100 }, (_, number) => item(`w${batch}-${number}`)))
      }
      isDone = true
    }
    await Promise.all([write(), ...Array.from({ length: 50 }, (_, reader) => readOn(reader))])
    expect(reads).toBeGreaterThanOrEqual(200)
    expect((await store.status()).items).toEqual({ notes: 6_500 })
  } finally {
    await store.close()
  }
})

function canMount(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Resolves with how many were stored before the disk was full. */
async function fill(space: Space): Promise<{ stored: number; error: unknown }> {
  for (let number = 0; ; number++) {
    try {
      await space.put([item(`n${number}`, { text: `number ${number} ${'of a long text '.repeat(2_000)}` })])
    } catch (error) {
      return { stored: number, error }
    }
  }
}

test('on a full disk writes fail, reads go on, and all is well once there is room', async ({ skip }) => {
  await using folder = await createTemporaryDirectory()
  const disk = folder.file('disk')
  await mkdir(disk)
  if (!canMount(disk)) skip('this machine does not let us mount a small disk')
  await writeFile(`${disk}/ballast`, Buffer.alloc(2 * 1024 * 1024))
  const store = await openSqliteStore({ file: `${disk}/store.db` })
  try {
    const space = await store.space('notes')
    const { stored, error } = await fill(space)
    expect(error).toMatchObject({ code: 'store_full' })
    expect(stored).toBeGreaterThan(3)
    const search = async (number: number) =>
      (await space.search({ text: `number ${number}`, scopes: ['here'], limit: 1 })).hits[0]?.item.id
    expect(await search(stored - 1)).toBe(`n${stored - 1}`)
    expect(await space.get(`n${stored}`)).toBeUndefined()
    const again = space.put([item('large', { text: 'x y z '.repeat(100_000) })])
    expect(await catchRejection(again)).toMatchObject({ code: 'store_full' })
    expect((await store.status()).items).toEqual({ notes: stored })
    await rm(`${disk}/ballast`)
    await space.put([item('after', { text: 'there is room' })])
    expect(await search(0)).toBe('n0')
    expect(await space.get('after')).toMatchObject({ text: 'there is room' })
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
  } finally {
    await store.close()
    execFileSync('umount', ['-l', disk])
  }
})
