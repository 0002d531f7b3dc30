import { describe, expect, it } from 'vitest'
import { DURATION_PATTERN, parseDuration } from '../src/duration.ts'

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['1500ms', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0.5s', 500],
    ['0.1ms', 1],
    ['168h', 604_800_000],
    [250, 250],
    [0.5, 1],
  ])('reads %j as %d ms', (value, expected) => {
    expect(parseDuration(value)).toBe(expected)
  })

  it.each(['', '0s', '0.0m', '-1s', '90', '90 s', '1d', '1e3s', '.5s', '5.s', 's', '169h', 'Infinity', ' 1s', '1S'])(
    'refuses the text %j',
    (value) => {
      expect(parseDuration(value)).toBeUndefined()
    },
  )

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 604_800_001, null, true, undefined, {}])(
    'refuses the value %s',
    (value) => {
      expect(parseDuration(value)).toBeUndefined()
    },
  )

  it('agrees with the pattern of the JSON Schema, but for the upper limit', () => {
    const pattern = new RegExp(DURATION_PATTERN, 'u')
    for (const text of ['90s', '0.5s', '10m', '0s', '0.00h', '1', '5.s', '1d', '']) {
      expect(pattern.test(text), text).toBe(parseDuration(text) !== undefined)
    }
  })

  it('counts a text without a unit in the unit that it is told', () => {
    expect(parseDuration('90', { bareUnit: 's' })).toBe(90_000)
    expect(parseDuration('1500ms', { bareUnit: 's' })).toBe(1500)
    expect(parseDuration('1d', { bareUnit: 's' })).toBeUndefined()
    expect(parseDuration('700000', { bareUnit: 's' })).toBeUndefined()
  })

  it('takes nothing at all for a duration where that is allowed', () => {
    expect(parseDuration('0s', { allowZero: true })).toBe(0)
    expect(parseDuration(0, { allowZero: true })).toBe(0)
    expect(parseDuration(-1, { allowZero: true })).toBeUndefined()
  })
})
