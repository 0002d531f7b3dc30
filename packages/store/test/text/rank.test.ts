import { expect, test } from 'vitest'
import { type Collection, rank } from '../../src/text/rank.ts'
import { tokenize, tokenizeQuery } from '../../src/text/tokenize.ts'

/** The places of the texts, the best first. */
function order(query: string, texts: readonly string[]): number[] {
  const candidates = texts.map((text, key) => ({ key, terms: tokenize(text) }))
  const frequencyOf = (term: string): number => candidates.filter(({ terms }) => terms.includes(term)).length
  const collection: Collection = {
    size: texts.length,
    meanLength: candidates.reduce((sum, { terms }) => sum + terms.length, 0) / texts.length,
    frequenciesOf: (terms) => new Map(terms.map((term) => [term, frequencyOf(term)])),
  }
  const terms = [...tokenizeQuery(query)].map(([text, { isName, count }]) => ({
    text,
    isName,
    count,
    frequency: frequencyOf(text),
  }))
  return rank(terms, tokenize(query), candidates, collection).map(({ key }) => key)
}

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
  expect(rank([], [], [], { size: 0, meanLength: 0, frequenciesOf: () => new Map() })).toEqual([])
})
