import { describe, expect, it } from 'vitest'
import { estimatePattern, stepsOf } from '../../src/arguments/pattern-cost.ts'

const steps = (pattern: string, characters: number): number => stepsOf(estimatePattern(pattern), characters)

describe('estimatePattern', () => {
  it.each([
    '^[a-z0-9-]{1,64}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(foo|bar|baz)$',
    '^\\p{L}\\u{1f600}[\\]a]+$',
    '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    // What zod writes for a date.
    '^((\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48])-02-29|\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])))$',
  ])('takes %s for cheap on a text of everyday length', (pattern) => {
    expect(steps(pattern, 100)).toBeLessThan(1_000_000)
  })

  it.each([
    '^(a+)+$',
    '(a|a)*b',
    '^(\\w+\\s?)*$',
    '(?:a?){30}a{30}',
    '(.*)\\1',
    '(?<x>a+)\\k<x>',
    '(?:(?:a*)*)*',
    '^([a-z]+)*$',
    '(',
    '(?i:a)',
    'x'.repeat(2_000),
  ])('takes %s for unbounded', (pattern) => {
    expect(steps(pattern, 28)).toBeGreaterThan(1e9)
  })

  it('counts what is tried at every character, and what is tried for every choice of another', () => {
    expect(steps('\\s+$', 10_000)).toBeGreaterThan(1e8)
    expect(steps('^.*a.*b.*c$', 1_000)).toBeGreaterThan(1e9)
    expect(steps(`${'a?'.repeat(30)}b`, 30)).toBeGreaterThan(1e9)
    expect(steps(`${'a'.repeat(900)}b`, 1_000_000)).toBeGreaterThan(1e8)
  })
})
