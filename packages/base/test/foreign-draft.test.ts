import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ForeignDraft } from '../src/foreign-draft.ts'

let folder: string
let root: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-draft-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  root = join(folder, 'root')
  await mkdir(root)
  await mkdir(join(folder, 'outside'))
})

async function write(name: string, text: string, overwrite = false): Promise<boolean> {
  const draft = await ForeignDraft.open(join(root, name), { root })
  await draft.handle.write(text)
  return draft.commit({ overwrite })
}

test('a file is there when it is whole, for its owner alone, in folders that are made for it', async () => {
  const draft = await ForeignDraft.open(join(root, 'new/deep/a'), { root })
  await draft.handle.write('one')
  expect((await readdir(join(root, 'new/deep'))).some((name) => name === 'a')).toBe(false)
  expect(await draft.commit({ overwrite: false })).toBe(true)
  expect(await readFile(join(root, 'new/deep/a'), 'utf8')).toBe('one')
  expect(await readdir(join(root, 'new/deep'))).toEqual(['a'])
  if (process.platform !== 'win32') expect((await lstat(join(root, 'new/deep/a'))).mode & 0o777).toBe(0o600)
})

test('one that is there stays, or is replaced where that is wanted; nothing is left beside it', async () => {
  await write('a', 'one')
  expect(await write('a', 'two')).toBe(false)
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('one')
  expect(await write('a', 'two', true)).toBe(true)
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('two')
  const draft = await ForeignDraft.open(join(root, 'b'), { root })
  await draft.discard()
  expect(await readdir(root)).toEqual(['a'])
})

test('a link under its name is not followed, be it to a file or to nothing', async () => {
  await writeFile(join(folder, 'outside/secret'), 'secret')
  await symlink('../outside/secret', join(root, 'link'))
  await symlink('../outside/new', join(root, 'dangling'))
  for (const name of ['link', 'dangling']) {
    expect(await write(name, 'own')).toBe(false)
    expect(await write(name, 'own', true)).toBe(true)
    expect((await lstat(join(root, name))).isFile()).toBe(true)
  }
  expect(await readFile(join(folder, 'outside/secret'), 'utf8')).toBe('secret')
  expect(await readdir(join(folder, 'outside'))).toEqual(['secret'])
})

test('no link on the way leads out, and none that dangles is filled', async () => {
  await symlink('../outside', join(root, 'exit'))
  await symlink('../outside/new', join(root, 'dangling'))
  await expect(write('exit/a', 'x')).rejects.toMatchObject({ problem: 'outside' })
  await expect(write('exit/new/a', 'x')).rejects.toMatchObject({ problem: 'outside' })
  await expect(write('../outside/a', 'x')).rejects.toMatchObject({ problem: 'outside' })
  await expect(write('dangling/a', 'x')).rejects.toThrow()
  expect(await readdir(join(folder, 'outside'))).toEqual([])
})
