import { describe, expect, test } from 'vitest'
import { countElements, describeValue } from '../../src/inspector/describe-value.ts'
import type { RemoteObject } from '../../src/inspector/protocol.ts'

describe('a value', () => {
  test.each<[string, RemoteObject]>([
    ['"a\\nb"', { type: 'string', value: 'a\nb' }],
    ['5', { type: 'number', value: 5, description: '5' }],
    ['-0', { type: 'number', unserializableValue: '-0' }],
    ['12n', { type: 'bigint', unserializableValue: '12n' }],
    ['null', { type: 'object', subtype: 'null', value: null }],
    ['undefined', { type: 'undefined' }],
    ['ƒ add', { type: 'function', description: 'function add(a, b) { return a + b }' }],
    ['ƒ later', { type: 'function', description: 'async later(x) {}' }],
    ['ƒ', { type: 'function', description: '(x) => x' }],
    ['ƒ', { type: 'function', description: 'async (x) => x' }],
    ['class Point', { type: 'function', description: 'class Point extends Base { }' }],
    ['class', { type: 'function', description: 'class extends Base { }' }],
    ['TypeError: no', { type: 'object', subtype: 'error', description: 'TypeError: no\n    at f (a.js:1:1)' }],
    ['/a+/g', { type: 'object', subtype: 'regexp', description: '/a+/g' }],
    [
      '[]',
      {
        type: 'object',
        subtype: 'array',
        description: 'Array(0)',
        preview: { type: 'object', overflow: false, properties: [] },
      },
    ],
    ['(3)', { type: 'object', subtype: 'array', description: 'Array(3)' }],
    ['{…}', { type: 'object', description: 'Object' }],
  ])('is printed as %s', (text, value) => {
    expect(describeValue(value)).toBe(text)
  })

  test('that is long is cut, and says by how much', () => {
    const text = describeValue({ type: 'string', value: 'x'.repeat(25_000) })
    expect(text.endsWith('…(+15000)')).toBe(true)
    expect(text.length).toBeLessThan(10_100)
  })

  test('has elements only when it is a list, map or set', () => {
    expect(countElements({ type: 'object', subtype: 'array', description: 'Array(7)' })).toBe(7)
    expect(countElements({ type: 'object', subtype: 'typedarray', description: 'Uint8Array(2)' })).toBe(2)
    expect(countElements({ type: 'object', description: 'Odd(7)' })).toBeUndefined()
  })
})
