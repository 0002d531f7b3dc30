import { expect, test } from 'vitest'
import { type Collection, type Ranked, rank } from '../../src/text/rank.ts'
import { readQuery } from '../../src/text/text-query.ts'
import { tokenize } from '../../src/text/tokenize.ts'

function rankTexts(query: string, texts: readonly string[]): Ranked[] {
  const candidates = texts.map((text, key) => ({ key, terms: tokenize(text) }))
  const frequencyOf = (term: string): number => candidates.filter(({ terms }) => terms.includes(term)).length
  const collection: Collection = {
    size: texts.length,
    meanLength: candidates.reduce((sum, { terms }) => sum + terms.length, 0) / texts.length,
    frequenciesOf: (terms) => new Map(terms.map((term) => [term, frequencyOf(term)])),
  }
  return rank(readQuery(query, collection.frequenciesOf), candidates, collection)
}

/** The places of the texts, the best first. */
const order = (query: string, texts: readonly string[]): number[] => rankTexts(query, texts).map(({ key }) => key)

test('a rare word counts more than a common one', () => {
  const texts = ['the server answers', 'the server listens', 'the server restarts', 'a zombie stays']
  expect(order('zombie server', texts)[0]).toBe(3)
})

test('words that stand side by side count more than the same words apart', () => {
  const texts = ['pool of a file and the handle that was lost', 'the file handle of a pool that was lost there']
  expect(order('file handle', texts)).toEqual([1, 0])
})

test('a short text with the words comes before a long one', () => {
  expect(order('socket closed', [`socket closed ${'and much more '.repeat(50)}`, 'socket closed'])).toEqual([1, 0])
})

test('an exact name comes first, whatever else the others share with the query', () => {
  const texts = [
    'compile error in the build of the parser, an error in the build',
    'an error in the build of the parser',
    'E0308: types',
    ...Array.from({ length: 60 }, (_, index) => `something else ${index}`),
  ]
  expect(order('error build parser E0308', texts)[0]).toBe(2)
})

test('equal texts keep their order', () => {
  expect(order('same', ['same', 'same', 'same'])).toEqual([0, 1, 2])
})

test('nothing to put in order is no mistake', () => {
  const nothing: Collection = { size: 0, meanLength: 0, frequenciesOf: () => new Map() }
  expect(rank(readQuery('', nothing.frequenciesOf), [], nothing)).toEqual([])
})

test('a share tells how much of the query stands in a text, a rare word being more of it than a common one', () => {
  const texts = ['zombie process', 'process of a server', ...Array.from({ length: 20 }, () => 'process of its own')]
  const shares = new Map(rankTexts('the zombie process', texts).map(({ key, share }) => [key, share]))
  expect(shares.get(0)).toBeCloseTo(1, 10)
  expect(shares.get(1)).toBeLessThan(0.2)
  expect(shares.get(1)).toBeGreaterThan(0)
})

test('a word that stands nowhere lessens the share of every text', () => {
  const [best] = rankTexts('zombie unicorn', ['zombie process', 'another text', 'one more'])
  expect(best?.share).toBeGreaterThan(0.2)
  expect(best?.share).toBeLessThan(0.5)
})
