import { expect, test } from 'vitest'
import { tokenize, tokenizeQuery } from '../../src/text/tokenize.ts'

test.each([
  ['Connections are refused', ['connect', 'ar', 'refus']],
  ['readFileSync', ['readfilesync', 'read', 'file', 'sync']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['MAX_SIZE', ['max_size', 'max', 'size']],
  ['E0308', ['e0308']],
  ['über Straße', ['über', 'straße']],
  ['"; DROP TABLE x -- AND NEAR(', ['drop', 'tabl', 'x', 'and', 'near']],
  ['___', ['___']],
  ['', []],
])('%s is found by its stems, its parts and its whole name', (text, terms) => {
  expect(tokenize(text)).toEqual(terms)
})

test('a word that never ends is cut', () => {
  expect(tokenize('a'.repeat(1_000_000)).map(({ length }) => length)).toEqual([64])
})

test('words that tell nothing are left out of a query, unless there are no others', () => {
  expect([...tokenizeQuery('how to read the file').keys()]).toEqual(['read', 'file'])
  expect([...tokenizeQuery('to be or not to be').keys()]).toEqual(['to', 'be', 'or', 'not'])
})

test('a query knows names from words, and how often it says a word', () => {
  const terms = tokenizeQuery('file E0308 file readFile')
  expect(terms.get('file')).toEqual({ isName: false, count: 3 })
  expect(terms.get('e0308')).toEqual({ isName: true, count: 1 })
  expect(terms.get('readfile')).toEqual({ isName: true, count: 1 })
})
