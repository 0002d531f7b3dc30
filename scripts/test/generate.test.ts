import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findStaleFiles } from '../generate.mjs'
import { ExpectedFailure } from '../run/console.mjs'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-generate-'))
  mkdirSync(join(directory, 'docs'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const generator = {
  source: 'source.mjs',
  exportName: 'createPage',
  files: async (createPage: () => string) => [{ path: 'docs/page.md', content: createPage() }],
}

test('a missing file and a file with another text are stale, one with the same text is not', async () => {
  writeFileSync(join(directory, 'source.mjs'), "export const createPage = () => 'new\\n'")
  expect(await findStaleFiles(directory, [generator])).toEqual([{ path: 'docs/page.md', content: 'new\n' }])
  writeFileSync(join(directory, 'docs/page.md'), 'old\n')
  expect(await findStaleFiles(directory, [generator])).toHaveLength(1)
  writeFileSync(join(directory, 'docs/page.md'), 'new\r\n')
  expect(await findStaleFiles(directory, [generator])).toEqual([])
})

test('a generator is given the current text of the files it completes', async () => {
  writeFileSync(join(directory, 'source.mjs'), 'export const createPage = (text) => text + text')
  writeFileSync(join(directory, 'docs/page.md'), 'twice ')
  const completing = {
    ...generator,
    files: async (createPage: (text: string) => string, currentText: (path: string) => string | undefined) => [
      { path: 'docs/page.md', content: createPage(currentText('docs/page.md') ?? '') },
    ],
  }
  expect(await findStaleFiles(directory, [completing])).toEqual([{ path: 'docs/page.md', content: 'twice twice ' }])
})

test('a module without the function is a failure that names both', async () => {
  writeFileSync(join(directory, 'source.mjs'), 'export const other = 1')
  await expect(findStaleFiles(directory, [generator])).rejects.toThrow('source.mjs has no function createPage')
})

test('a mistake in a declaration is a failure of its own text, any other keeps its stack', async () => {
  const failing = (name: string) =>
    `export const createPage = () => { throw Object.assign(new Error('add.meta.yaml:1:1 alias'), { name: '${name}' }) }`
  writeFileSync(join(directory, 'source.mjs'), failing('MetaError'))
  await expect(findStaleFiles(directory, [generator])).rejects.toThrow(ExpectedFailure)
  writeFileSync(join(directory, 'other.mjs'), failing('TypeError'))
  await expect(findStaleFiles(directory, [{ ...generator, source: 'other.mjs' }])).rejects.not.toThrow(ExpectedFailure)
})

test('a generator is given the root, to look for what it generates from', async () => {
  writeFileSync(join(directory, 'source.mjs'), 'export const createPage = (root) => root')
  const looking = {
    ...generator,
    files: async (createPage: (root: string) => string, _currentText: unknown, root: string) => [
      { path: 'docs/page.md', content: createPage(root) },
    ],
  }
  expect(await findStaleFiles(directory, [looking])).toEqual([{ path: 'docs/page.md', content: directory }])
})
