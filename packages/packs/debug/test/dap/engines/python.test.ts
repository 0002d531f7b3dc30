import { describe, expect, test } from 'vitest'
import { PYTHON_TRAITS } from '../../../src/dap/engines/python.ts'

describe('a part of a collection of Python', () => {
  const slice = (type: string) => PYTHON_TRAITS.sliceExpression?.('x.y', type, 20, 10)

  test('of a sequence is a slice, whose elements keep their numbers', () => {
    const found = slice('list')
    expect(found?.expression).toBe('(x.y)[20:30]')
    expect([found?.nameOf?.(3), found?.expressionOf?.(3)]).toEqual(['23', 'x.y[23]'])
  })

  test('of a set has numbers but no way back', () => {
    const found = slice('set')
    expect(found?.expression).toContain('islice(x.y, 20, 30)')
    expect([found?.nameOf?.(0), found?.expressionOf]).toEqual(['20', undefined])
  })

  test('of a dictionary keeps its keys', () => {
    expect(slice('dict')?.expression).toContain('.items(), 20, 30)')
    expect(slice('dict')?.nameOf).toBeUndefined()
  })

  test('of anything else is read whole', () => {
    expect(slice('MyClass')).toBeUndefined()
  })
})
