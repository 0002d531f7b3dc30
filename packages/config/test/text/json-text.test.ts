import { describe, expect, it } from 'vitest'
import { readJsonText, removeProperty, replaceStrings } from '../../src/text/json-text.ts'

describe('readJsonText', () => {
  it('reads JSON with comments, trailing commas and a byte order mark', () => {
    expect(readJsonText('\uFEFF{ // one\n "a": [1, 2,], /* two */ }')).toEqual({ value: { a: [1, 2] } })
  })

  it.each([
    ['{\n "a": ', 2],
    ['{\n\n "a" 1 }', 3],
    ['', 1],
    ['{} {}', 1],
  ])('tells the line of what is wrong in %j', (text, line) => {
    expect(readJsonText(text)).toMatchObject({ problem: expect.any(String), line })
  })
})

describe('removeProperty', () => {
  it('leaves everything else as it is, to the byte', () => {
    const text = '{\r\n\t"a": {"x": 1}, // a\r\n\t"b.c": {"y": {"z": 2}, "k": 3}\r\n}\r\n'
    expect(removeProperty(text, ['b.c', 'y'])).toBe(text.replace('{"y": {"z": 2}, "k": 3}', '{ "k": 3}'))
    expect(removeProperty(text, ['a'])).toBe(text.replace('"a": {"x": 1},', ''))
  })
})

describe('replaceStrings', () => {
  it('puts other texts in place of texts, and changes nothing else', () => {
    const text = '\uFEFF{ "a": ["x", "y"], // "x"\n  "b": { "x": "z", },}'
    const replaced = replaceStrings(text, (value, path) => (path.at(-1) === 1 || value === 'z' ? 'new "one"' : value))
    expect(replaced).toBe('\uFEFF{ "a": ["x", "new \\"one\\""], // "x"\n  "b": { "x": "new \\"one\\"", },}')
  })
})
