import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { writeFileAtomically } from '../src/atomic-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-base-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

test('writes a new file for its owner alone, and leaves nothing beside it', async () => {
  const file = join(folder, 'a.json')
  await expect(writeFileAtomically(file, 'one')).resolves.toBe(true)
  expect(await readFile(file, 'utf8')).toBe('one')
  expect(await readdir(folder)).toEqual(['a.json'])
  if (process.platform !== 'win32') expect(await modeOf(file)).toBe(0o600)
})

test.skipIf(process.platform === 'win32')('gives the file exactly the mode that is asked for', async () => {
  const file = join(folder, 'script')
  const umask = process.umask(0o077)
  try {
    await writeFileAtomically(file, '#!/bin/sh\n', { mode: 0o755 })
  } finally {
    process.umask(umask)
  }
  expect(await modeOf(file)).toBe(0o755)
  await writeFileAtomically(file, '#!/bin/sh\n', { mode: 0o700 })
  expect(await modeOf(file)).toBe(0o700)
})

test('replaces the file by another one, so that whoever reads the old one keeps it whole', async () => {
  const file = join(folder, 'a.json')
  await writeFile(file, 'old')
  const { ino } = await stat(file)
  await writeFileAtomically(file, Buffer.from('new'), { flush: true })
  expect(await readFile(file, 'utf8')).toBe('new')
  expect((await stat(file)).ino).not.toBe(ino)
})

test('makes the folder only where it is told to, for its owner alone', async () => {
  const file = join(folder, 'deep', 'er', 'a.json')
  await expect(writeFileAtomically(file, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFileAtomically(file, 'x', { createFolder: true })
  expect(await readFile(file, 'utf8')).toBe('x')
  if (process.platform !== 'win32') expect(await modeOf(join(folder, 'deep'))).toBe(0o700)
})

test('a failure leaves the old file and nothing beside it', async () => {
  const taken = join(folder, 'taken')
  await mkdir(taken)
  await writeFile(join(taken, 'inside'), 'x')
  await expect(writeFileAtomically(taken, 'x')).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['taken'])
  expect(await readFile(join(taken, 'inside'), 'utf8')).toBe('x')
})

test('keeps a file that is there where it is told to', async () => {
  const file = join(folder, 'a.json')
  await expect(writeFileAtomically(file, 'first', { keepExisting: true })).resolves.toBe(true)
  await expect(writeFileAtomically(file, 'second', { keepExisting: true })).resolves.toBe(false)
  expect(await readFile(file, 'utf8')).toBe('first')
  expect(await readdir(folder)).toEqual(['a.json'])
})

test('of several that make the file at once, one wins and all see it whole', async () => {
  const file = join(folder, 'a.json')
  const texts = Array.from({ length: 10 }, (_, index) => String(index).repeat(10_000))
  const made = await Promise.all(texts.map((text) => writeFileAtomically(file, text, { keepExisting: true })))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await readFile(file, 'utf8')).toBe(texts[made.indexOf(true)])
})

test('throws the draft away when it may not take the place any more', async () => {
  const file = join(folder, 'a.json')
  await writeFile(file, 'old')
  const seen: string[][] = []
  const mayCommit = async (): Promise<boolean> => {
    seen.push(await readdir(folder))
    return false
  }
  await expect(writeFileAtomically(file, 'new', { mayCommit })).resolves.toBe(false)
  expect(await readFile(file, 'utf8')).toBe('old')
  expect(await readdir(folder)).toEqual(['a.json'])
  expect(seen[0]).toEqual(['a.json', expect.stringMatching(/^a\.json\.[0-9a-f-]{36}\.tmp$/)])
})
