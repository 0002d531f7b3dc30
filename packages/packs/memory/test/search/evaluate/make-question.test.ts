import type { StoredItem } from '@switchboard/store'
import { expect, test } from 'vitest'
import { makeQuestion } from '../../../src/search/evaluate/make-question.ts'

const item = (text: string, data: StoredItem['data'] = {}): StoredItem => ({
  id: 'a',
  kind: 'note',
  scope: 'here',
  text,
  data,
  tags: [],
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
})

const BODY = 'The parser reads the whole file first, which is slow for large ones.'

test('a checkpoint is asked for by its first sentence, which it then does not have', () => {
  expect(makeQuestion('checkpoints', item(`The parser is done. Next: errors\n${BODY}`))).toEqual({
    text: 'The parser is done.',
    rest: ` Next: errors\n${BODY}`,
  })
  expect(makeQuestion('checkpoints', item(`Made the parser faster\n${BODY}`))).toEqual({
    text: 'Made the parser faster',
    rest: `\n${BODY}`,
  })
})

test('a remediation is asked for by its error', () => {
  const text = 'TypeError: cannot read properties of undefined'
  const errorMessage = "TypeError: Cannot read properties of undefined (reading 'x')\n  at a.js:1"
  expect(makeQuestion('remediations', item(text, { errorMessage }))).toEqual({
    text: "TypeError: Cannot read properties of undefined (reading 'x')",
    rest: text,
  })
})

test.each([
  ['//', '// Reads a file and counts its lines\n// in one go.\nfunction f() { return readFileSync(path).split() }'],
  ['#', '# Reads a file and counts its lines\n# in one go.\ndef f(path): return open(path).read().splitlines()'],
  [
    '/**',
    '/**\n * Reads a file and counts its lines\n * in one go.\n */\nfunction f() { return readFileSync(path) + 1234 }',
  ],
])('code is asked for by its comment: %s', (_sign, text) => {
  const question = makeQuestion('code', item(`src/a.ts f\n${text}`))
  expect(question?.text).toBe('Reads a file and counts its lines in one go.')
  expect(question?.rest).toContain('src/a.ts f\n')
  expect(question?.rest).not.toContain('counts')
})

test.each([
  ['code without a comment', 'code', `a.ts\nfunction f() { ${'return 1;'.repeat(20)} }`],
  ['a summary alone', 'checkpoints', 'Parser is done and all tests pass'],
  ['one word', 'checkpoints', `Done.\n${BODY.slice(0, 20)}`],
  ['nothing', 'skills', ''],
] as const)('%s asks for nothing', (_name, space, text) => {
  expect(makeQuestion(space, item(text))).toBeUndefined()
})
