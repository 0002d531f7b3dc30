import { readFile } from 'node:fs/promises'
import { createSeededRandom } from '@switchboard/testkit'
import { stemmer } from 'stemmer'
import { expect, test } from 'vitest'
import { termsOf } from '../../src/text/terms-of-word.ts'
import { joinTerms, tokenize, tokenizeQuery } from '../../src/text/tokenize.ts'

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

test('plain texts and others are cut into the same terms, whatever they hold', () => {
  const random = createSeededRandom(9)
  const letters = [
    'a',
    'b',
    'ing',
    's',
    'X',
    'Y',
    'Sync',
    '_',
    '0',
    '9',
    ' ',
    '.',
    '\n',
    '\u0001',
    'connections',
    'HTTP',
  ]
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random.below(30) }, () => random.pick(letters)).join('')
    // What follows the last word is no plain letter, and no part of a word.
    const terms = tokenize(`${text} \u2014`)
    expect(tokenize(text), text).toEqual(terms)
    expect(joinTerms(text), text).toEqual({ text: terms.join(' '), count: terms.length })
  }
})

test('texts that people wrote are cut into the terms that the rules alone would make of them', async () => {
  const files = [
    '../../../../README.md',
    '../../src/text/rank.ts',
    '../../src/sqlite/sqlite-store.ts',
    './tokenize.test.ts',
  ]
  for (const file of files) {
    const text = await readFile(new URL(file, import.meta.url), 'utf8')
    const terms = (text.normalize('NFKC').match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap(termsOf).map((term) => term.text)
    expect(terms.length).toBeGreaterThan(500)
    for (const given of [text, text.replaceAll(/[^\0-\x7f]/g, ' ')])
      expect(joinTerms(given).text).toBe(tokenize(given).join(' '))
    expect(tokenize(text)).toEqual(terms)
    expect(joinTerms(text)).toEqual({ text: terms.join(' '), count: terms.length })
  }
})

test('words of which all have the same hash are told from each other', () => {
  // By 31: "Aa" and "BB" are the same number, and so are all words made of them.
  const words = Array.from({ length: 4_096 }, (_, number) =>
    Array.from({ length: 12 }, (_, bit) => ((number >> bit) & 1 ? 'aa' : 'bB')).join(''),
  )
  const terms = words.flatMap(termsOf).map((term) => term.text)
  for (let round = 0; round < 2; round++) expect(tokenize(words.join(' '))).toEqual(terms)
})

test('what has no ending is the stem that it would be cut down to', () => {
  const random = createSeededRandom(3)
  const syllables = [
    'a',
    'be',
    'co',
    'ing',
    'ed',
    'ation',
    'y',
    'ss',
    'ff',
    'ix',
    'ow',
    'eth',
    'ism',
    'ful',
    'ib',
    'u',
    'ok',
    'z',
    'up',
    'av',
    '7',
  ]
  for (let round = 0; round < 5_000; round++) {
    const word = Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join('')
    expect(tokenize(word), word).toEqual([stemmer(word)])
  }
})

test('many different words are not taken for each other', () => {
  const words = Array.from({ length: 300_000 }, (_, number) => `w${number.toString(36)}q`)
  const text = words.join(' ')
  // More than are remembered: those that come again are cut anew.
  for (let round = 0; round < 2; round++) expect(joinTerms(text)).toEqual({ text, count: words.length })
  expect(tokenize(text)).toEqual(words)
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
