import { expect, it } from 'vitest'
import { queryWords, wordsOf } from '../../src/extract/words.ts'

it.each([
  ['readConfig', ['readconfig', 'read', 'config']],
  ['read_config_2', ['read_config_2', 'read', 'config']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['RICE_culture_head_req', ['rice_culture_head_req', 'rice', 'culture', 'head', 'req']],
  ['plain words, plain', ['plain', 'words']],
  ['Gérard été', ['gérard', 'été']],
  ['x'.repeat(200), []],
])('%s is found by its words and their parts', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

it('a query is its words, as they stand', () => {
  expect(queryWords('readConfig "two words" conf*')).toEqual(['readconfig', 'two', 'words', 'conf'])
  expect(queryWords('+++')).toEqual([])
})
