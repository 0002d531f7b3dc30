import { existsSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryDirectory } from '../src/temporary-directory.ts'

test('the directory is there while in use, and gone with its files afterwards', async () => {
  let path: string
  {
    await using directory = await createTemporaryDirectory()
    path = directory.path
    writeFileSync(directory.file('a.txt'), 'text')
    expect(existsSync(path)).toBe(true)
    expect(basename(directory.file('sub', 'b'))).toBe('b')
  }
  expect(existsSync(path)).toBe(false)
})
