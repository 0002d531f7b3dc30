import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { VectorCache } from '../../src/encoders/vector-cache.ts'

let directory: TemporaryDirectory
beforeEach(async () => {
  directory = await createTemporaryDirectory()
})
afterEach(() => directory.remove())

const open = (maxBytes?: number, model = 'm') =>
  VectorCache.open({
    folder: directory.file('vectors'),
    model,
    dimension: 2,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })

async function findFile(end: string): Promise<string> {
  const names = await readdir(directory.file('vectors'))
  return join(directory.file('vectors'), names.find((name) => name.endsWith(end)) ?? 'none')
}

test('what was put is there after it was opened again', async () => {
  const first = await open()
  await first.put([
    ['one', Float32Array.of(1, 2)],
    ['two', Float32Array.of(3, 4)],
  ])
  expect(await first.get('two')).toEqual(Float32Array.of(3, 4))
  await first.close()
  const second = await open()
  expect(await second.get('one')).toEqual(Float32Array.of(1, 2))
  expect(await second.get('three')).toBeUndefined()
  await second.close()
})

test('stays below its bound, and keeps what was used last', async () => {
  // A record has 28 bytes: ten in a generation.
  const cache = await open(2 * 280)
  for (let number = 0; number < 55; number++) {
    await cache.put([[`text ${number}`, Float32Array.of(number, 1)]])
    expect(await cache.get('text 0')).toEqual(Float32Array.of(0, 1))
  }
  expect(await cache.get('text 54')).toEqual(Float32Array.of(54, 1))
  expect(await cache.get('text 20')).toBeUndefined()
  await cache.close()
  const sizes = await Promise.all(['.current', '.previous'].map(async (end) => (await stat(await findFile(end))).size))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(280)
})

test('half a record at the end, as a killed process leaves it, costs that record only', async () => {
  const first = await open()
  await first.put([['one', Float32Array.of(1, 2)]])
  await first.close()
  await appendFile(await findFile('.current'), Buffer.alloc(11, 7))
  const second = await open()
  await second.put([['two', Float32Array.of(3, 4)]])
  await second.close()
  const third = await open()
  expect(await third.get('one')).toEqual(Float32Array.of(1, 2))
  expect(await third.get('two')).toEqual(Float32Array.of(3, 4))
  await third.close()
})

test('a record that was changed is not there', async () => {
  const first = await open()
  await first.put([['one', Float32Array.of(1, 2)]])
  await first.close()
  const file = await findFile('.current')
  const bytes = await readFile(file)
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
  await writeFile(file, bytes)
  const second = await open()
  expect(await second.get('one')).toBeUndefined()
  await second.close()
})

test('two at once on one folder never give out what is wrong', async () => {
  const [first, second] = [await open(), await open()]
  const texts = Array.from({ length: 50 }, (_, number) => number)
  await Promise.all(
    texts.map((number) => (number % 2 === 0 ? first : second).put([[`text ${number}`, Float32Array.of(number, 1)]])),
  )
  for (const cache of [first, second]) {
    for (const number of texts) {
      const found = await cache.get(`text ${number}`)
      if (found !== undefined) expect(found).toEqual(Float32Array.of(number, 1))
    }
    await cache.close()
  }
})

test('another model has none of it, and takes its place', async () => {
  const first = await open()
  await first.put([['one', Float32Array.of(1, 2)]])
  await first.close()
  const other = await open(undefined, 'other')
  expect(await other.get('one')).toBeUndefined()
  await other.close()
  expect(await readdir(directory.file('vectors'))).toHaveLength(1)
})
