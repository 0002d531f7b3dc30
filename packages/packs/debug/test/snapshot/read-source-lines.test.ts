import { writeFileSync } from 'node:fs'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLines, readSourceLines } from '../../src/snapshot/read-source-lines.ts'

let folder: TemporaryDirectory
beforeAll(async () => {
  folder = await createTemporaryDirectory()
})
afterAll(() => folder.remove())

function write(text: string): string {
  writeFileSync(folder.file('a'), text)
  return folder.file('a')
}

function numbersAround(path: string, line: number): number[] {
  return readSourceLines(path, line).map((entry) => entry.line)
}

test('the lines around one are shown, as many at the ends of a file', () => {
  const path = write('a\nb\nc\nd\ne\nf\ng')
  expect(numbersAround(path, 4)).toEqual([2, 3, 4, 5, 6])
  expect(numbersAround(path, 1)).toEqual([1, 2, 3, 4, 5])
  expect(numbersAround(path, 2)).toEqual([1, 2, 3, 4, 5])
  expect(numbersAround(path, 7)).toEqual([3, 4, 5, 6, 7])
  expect(numbersAround(path, 8)).toEqual([])
  expect(readSourceLines(write('  if a:\r\n    b\r\n\r\n'), 2)).toEqual([
    { line: 1, text: 'if a:' },
    { line: 2, text: '  b' },
    { line: 3, text: '' },
  ])
})

test('lines are counted, whatever they end with', () => {
  expect(['', 'a', 'a\n', 'a\nb', 'a\r\nb\r\n', 'a\rb', '\n\n'].map((text) => countLines(write(text)))).toEqual([
    0, 1, 1, 2, 2, 2, 2,
  ])
})
