import { toJsonSafe } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'

describe('toJsonSafe', () => {
  it('copies what JSON can hold', () => {
    const value = { a: [1, 'x', true, null], b: { c: {} } }
    expect(toJsonSafe(value)).toEqual(value)
    expect(toJsonSafe(value)).not.toBe(value)
  })

  it.each([
    [1n, '1'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Error('only the message'), 'only the message'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), null],
    [undefined, undefined],
    [() => 1, undefined],
    [Symbol('s'), undefined],
    [[undefined], [null]],
    [{ gone: undefined, kept: 1 }, { kept: 1 }],
  ])('turns %s into %j', (value, expected) => {
    expect(toJsonSafe(value)).toEqual(expected)
  })

  it('cuts circles, but not a value that is merely there twice', () => {
    const shared = { x: 1 }
    const circle: Record<string, unknown> = { first: shared, second: shared }
    circle.self = [circle]
    expect(toJsonSafe(circle)).toEqual({ first: shared, second: shared, self: ['[circular]'] })
  })

  it('cuts what is very deep', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 10_000; level++) deep = { deep }
    expect(JSON.stringify(toJsonSafe(deep))).toContain('[too deep]')
  })
})
