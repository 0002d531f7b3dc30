import { describe, expect, it } from 'vitest'
import { readJsonText, removeProperty, replaceTexts } from '../../src/text/json-text.ts'

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

describe('replaceTexts', () => {
  it('puts other texts in place of texts, and changes nothing else', () => {
    const text = '\uFEFF{ "a": ["x", "y"], // "x"\n  "b": { "x": "z", },}'
    const replaced = replaceTexts(text, (value, path) => (path?.at(-1) === 1 || value === 'z' ? 'new "one"' : value))
    expect(replaced).toBe('\uFEFF{ "a": ["x", "new \\"one\\""], // "x"\n  "b": { "x": "new \\"one\\"", },}')
  })

  it('reaches numbers and comments, which are no members', () => {
    const text = '// one\n{ "a": 1, /* two */ "b": 2, "url": "http://x" } // three'
    const seen: unknown[] = []
    const replaced = replaceTexts(text, (value, path) => {
      seen.push([value, path])
      return value === '2' || value === '/* two */' ? '/**/' : value
    })
    expect(replaced).toBe('// one\n{ "a": 1, /**/ "b": "/**/", "url": "http://x" } // three')
    expect(seen).toEqual(
      expect.arrayContaining([
        ['1', ['a']],
        ['// one', undefined],
        ['// three', undefined],
      ]),
    )
  })

  it('of a large text too, with something to replace on every line', () => {
    const text = JSON.stringify(
      Array.from({ length: 60_000 }, (_, index) => `line ${index} ${'x'.repeat(80)}`),
      null,
      2,
    )
    expect(replaceTexts(text, () => 'y')).toHaveLength(60_000 * 7 + 2)
  })
})
