import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readJournal, waitForJournal } from '../src/journal-reader.ts'
import { createTemporaryDirectory } from '../src/temporary-directory.ts'

test('a journal that does not exist yet is empty', async () => {
  await using directory = await createTemporaryDirectory()
  expect(await readJournal(directory.file('none'))).toEqual([])
})

test('a line that is still being written is left out', async () => {
  await using directory = await createTemporaryDirectory()
  const path = directory.file('journal')
  writeFileSync(path, '{"event":"start"}\n{"event":"mess')
  expect((await readJournal(path)).map((entry) => entry.event)).toEqual(['start'])
})

test('waiting returns the first entry that fits, also when it comes later', async () => {
  await using directory = await createTemporaryDirectory()
  const path = directory.file('journal')
  const waiting = waitForJournal(path, (entry) => entry.event === 'eof')
  appendFileSync(path, '{"event":"start"}\n{"event":"eof","n":1}\n{"event":"eof","n":2}\n')
  expect(await waiting).toEqual({ event: 'eof', n: 1 })
})

test('waiting in vain says what was looked for', async () => {
  await using directory = await createTemporaryDirectory()
  const waiting = waitForJournal(directory.file('none'), (entry) => entry.event === 'never', { timeout: 1 })
  await expect(waiting).rejects.toThrow(/a journal entry that fits .*never/)
})
