import { expect, test } from 'vitest'
import { showHidden } from '../src/index.ts'

test.each([
  ['a turn of direction', 'a\u202eb', 'a\\u202eb'],
  ['a tag', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a mark without width', 'a\u200b\ufeffb', 'a\\u200b\\ufeffb'],
  ['a control', 'a\u0007\u001bb', 'a\\u0007\\u001bb'],
  ['half of a character', 'a\ud800b', 'a\\ud800b'],
])('%s is written out', (_what, text, shown) => {
  expect(showHidden(text)).toBe(shown)
})

test('lines, tabs, joiners of languages and pictures stay', () => {
  const text = 'a\r\n\tb می\u200cخواهم क्\u200dष 👩\u200d💻 ❤\ufe0f \u200eא'
  expect(showHidden(text)).toBe(text)
})
