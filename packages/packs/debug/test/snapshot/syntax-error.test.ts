import { writeFileSync } from 'node:fs'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describePlace } from '../../src/snapshot/syntax-error.ts'

let folder: TemporaryDirectory
beforeAll(async () => {
  folder = await createTemporaryDirectory()
})
afterAll(() => folder.remove())

const paths = { show: () => 'a.js' }

test.each([
  ['x = 1\n  return a\n', 2, 10, 'a.js:2\nreturn a\n       ^'],
  ['\t\tif (\tx y)\n', 1, 10, 'a.js:1\nif (\tx y)\n    \t  ^'],
  ['f(\n', 1, 3, 'a.js:1\nf(\n  ^'],
  ['f(\n', 7, 1, 'a.js:7'],
])('in %j the place %i:%i is shown with a caret', (text, line, column, shown) => {
  const path = folder.file('a.js')
  writeFileSync(path, text)
  expect(describePlace({ path, line, column }, paths)).toBe(shown)
})

test('of a long line what is around the caret is shown', () => {
  const path = folder.file('long.js')
  writeFileSync(path, `${'a'.repeat(5_000)}?${'b'.repeat(5_000)}`)
  const [, text = '', caret = ''] = describePlace({ path, line: 1, column: 5_001 }, paths).split('\n')
  expect(text).toHaveLength(100)
  expect(text[caret.indexOf('^')]).toBe('?')
})
