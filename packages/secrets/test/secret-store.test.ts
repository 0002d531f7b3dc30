import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SecretStore } from '../src/secret-store.ts'

let directory: TemporaryDirectory
let store: SecretStore

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  store = new SecretStore({ folder: directory.file('secrets'), env: {} })
})

afterEach(() => directory.remove())

it('makes nothing until a secret is kept', async () => {
  expect(await store.get('a')).toBeUndefined()
  expect(await store.names()).toEqual([])
  expect(await store.delete('a')).toBe(false)
  expect(await readdir(directory.path)).toEqual([])
})

it('gives back what was kept, and nothing once it was deleted', async () => {
  await store.set('a', 'first')
  await store.set('a', 'ß – \u{1f511} and\nlines')
  expect(await store.get('a')).toBe('ß – \u{1f511} and\nlines')
  expect(await store.delete('a')).toBe(true)
  expect(await store.get('a')).toBeUndefined()
})

it('tells names apart that a file system would not', async () => {
  await store.set('Files', 'upper')
  await store.set('files', 'lower')
  await store.set('../../etc/passwd', 'dots')
  expect(await store.get('Files')).toBe('upper')
  expect(await store.get('files')).toBe('lower')
  expect(await store.names()).toEqual(['../../etc/passwd', 'Files', 'files'])
  expect(await readdir(directory.path)).toEqual(['secrets'])
})

it.skipIf(process.platform === 'win32')('lets nobody else read the folder and its files', async () => {
  await store.set('a', 'secret')
  const [file = ''] = await readdir(directory.file('secrets'))
  expect((await stat(directory.file('secrets'))).mode & 0o777).toBe(0o700)
  expect((await stat(directory.file('secrets', file))).mode & 0o777).toBe(0o600)
})

it('says which secret cannot be read, and nothing of what is in it', async () => {
  await store.set('a', 'secret')
  const [file = ''] = await readdir(directory.file('secrets'))
  const path = directory.file('secrets', file)
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -5))
  await expect(store.get('a')).rejects.toMatchObject({
    code: 'secret_unreadable',
    message: 'The kept secret "a" cannot be read: its file is damaged',
  })
  await store.set('a', 'new')
  expect(await store.get('a')).toBe('new')
})

it('does not take the file of one secret for that of another', async () => {
  await store.set('a', 'secret')
  await store.set('b', 'other')
  const files = await readdir(directory.file('secrets'))
  const [a = '', b = ''] = files.sort()
  await writeFile(directory.file('secrets', b), await readFile(directory.file('secrets', a)))
  await expect(store.get('b')).rejects.toMatchObject({ code: 'secret_unreadable' })
})

it.each(['', 'a\nb', 'x'.repeat(301)])('refuses the name %j', async (name) => {
  await expect(store.set(name, 'secret')).rejects.toMatchObject({ code: 'internal' })
})
