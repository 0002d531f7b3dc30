import { describe, expect, test } from 'vitest'
import { tidyFrameName, tidyValue } from '../../src/window/js-debug-values.ts'

describe('values of js-debug', () => {
  test.each([
    ['string', "'cup'", '"cup"'],
    ['string', '\'line\nbreak "q"\'', '"line\\nbreak \\"q\\""'],
    ['string', '"it\'s"', '"it\'s"'],
    ['number', '42', '42'],
    ['Object', "{name: 'cup', tags: Array(2), f: ƒ, …}", '{name: "cup", tags: Array(2), f: ƒ, …}'],
    ['Array', '(3) [1, 2, 3]', '[1, 2, 3]'],
    ['Array', "(2) ['a', \"b'c\"]", '["a", "b\'c"]'],
    [
      'Array',
      `(200) [${Array.from({ length: 100 }, (_, index) => index).join(', ')}, …]`,
      '(200) [0, 1, 2, 3, 4, 5, 6, 7, …]',
    ],
    [
      'Array',
      "(9) [{a: 1, b: 2}, '1, 2', [3, 4], 4, 5, 6, 7, 8, 9]",
      '(9) [{a: 1, b: 2}, "1, 2", [3, 4], 4, 5, 6, 7, 8, …]',
    ],
    ['Map', 'Map(1) {size: 1, k => 1}', 'Map(1) {k → 1}'],
    ['Set', 'Set(0) {size: 0}', 'Set(0) {}'],
    ['RangeError', 'RangeError: bad\n    at price (/a.js:1:1)', 'RangeError: bad'],
    ['Function', 'ƒ price(count) {\n  return 1\n}', 'ƒ price'],
    ['Function', 'ƒ () => 1', 'ƒ'],
    ['Function', 'class Shop { constructor() {} }', 'class Shop'],
  ])('%s %s', (type, shown, tidy) => {
    expect(tidyValue(shown, type)).toBe(tidy)
  })

  test.each([
    ['global.price', 'price'],
    ['Till.ring', 'ring'],
    ['<anonymous>', '<anonymous>'],
    ["function Module(id = '', parent) {.executeUserEntryPoint", 'executeUserEntryPoint'],
    ['price', 'price'],
  ])('the frame %s', (name, tidy) => {
    expect(tidyFrameName(name)).toBe(tidy)
  })
})
