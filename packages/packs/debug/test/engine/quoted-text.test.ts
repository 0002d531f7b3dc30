import { expect, test } from 'vitest'
import { cutQuoted, readQuoted, shortenQuoted } from '../../src/engine/quoted-text.ts'

test.each([
  ['"abc"', 'abc'],
  ["'it\"s'", 'it"s'],
  ["b'z'", 'z'],
  ['0x00005555 "abc"...', 'abc'],
  ['&"abc"', 'abc'],
  ['"abc"…(+12)', 'abc'],
  ['""', ''],
  ['"', ''],
])('%s is a text', (value, inside) => {
  expect(readQuoted(value)?.inside).toBe(inside)
})

test.each(['12', '[1, "a"]', '{a: "b"}', 'None', '0x7ff0', 'Some("a")'])('%s is none', (value) => {
  expect(readQuoted(value)).toBeUndefined()
})

test('a part is counted in characters, an escape as one, and keeps its quotes', () => {
  const text = readQuoted('b"a\\n\\x00\\u{1f600}é🙂z"')
  expect(text).toBeDefined()
  if (text === undefined) return
  expect(cutQuoted(text, 1, 3)).toEqual({ text: 'b"\\n\\x00\\u{1f600}"', length: 7 })
  expect(cutQuoted(text, 5, 9)).toEqual({ text: 'b"🙂z"', length: 7 })
  expect(cutQuoted(text, 99, 1)).toEqual({ text: 'b""', length: 7 })
})

test('what is left out is counted in what the language counts', () => {
  const text = readQuoted(`"é${'x'.repeat(500)}"`)
  expect(text).toBeDefined()
  if (text === undefined) return
  expect(shortenQuoted(text, 1000, false)).toMatch(/^"éx{399}"…\(\+600\)$/)
  expect(shortenQuoted(text, 1000, true)).toMatch(/^"éx{399}"…\(\+599\)$/)
})
