import { expect, test } from 'vitest'
import { readCallWords } from '../../src/call/read-call-words.ts'

test.each<[string[], object]>([
  [['a_echo'], { tool: 'a_echo', pairs: [] }],
  [['a_add', 'a=2', 'b=3'], { tool: 'a_add', pairs: ['a=2', 'b=3'] }],
  [['a_echo', 'text=x=y'], { tool: 'a_echo', pairs: ['text=x=y'] }],
  [['a_echo', '{"text":"a=b"}'], { tool: 'a_echo', json: '{"text":"a=b"}', pairs: [] }],
  [['a_echo', '-'], { tool: 'a_echo', json: '-', pairs: [] }],
  [['a_echo', '{broken', 'b=3'], { tool: 'a_echo', json: '{broken', pairs: ['b=3'] }],
  [['a', 'add'], { server: 'a', tool: 'add', pairs: [] }],
  [['a', 'add', 'a=2', 'b=3'], { server: 'a', tool: 'add', pairs: ['a=2', 'b=3'] }],
  [['a', 'echo', '{}'], { server: 'a', tool: 'echo', json: '{}', pairs: [] }],
])('%j', (words, expected) => {
  expect(readCallWords(words)).toEqual(expected)
})

test.each<[string[], string]>([
  [['a', 'echo', 'hello'], '"call" does not know what to do with "hello".'],
  [['a_add', 'a=2', '3'], '"call" does not know what to do with "3".'],
  [['a_echo', '{}', '{}'], 'The arguments are one JSON object, not several.'],
])('%j is a mistake that is named', (words, message) => {
  expect(() => readCallWords(words)).toThrow(message)
})
