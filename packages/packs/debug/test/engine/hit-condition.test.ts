import { describe, expect, test } from 'vitest'
import { parseHitCondition } from '../../src/engine/hit-condition.ts'

const hits = (text: string) => [1, 2, 3, 4, 5, 6].filter((hit) => parseHitCondition(text).isMet(hit))

describe('a hit condition', () => {
  test.each([
    ['3', [3]],
    ['== 3', [3]],
    ['=3', [3]],
    ['>= 4', [4, 5, 6]],
    ['> 4', [5, 6]],
    ['<3', [1, 2]],
    ['<= 3', [1, 2, 3]],
    [' % 2 ', [2, 4, 6]],
  ])('"%s" is met by the hits %j of six', (text, expected) => {
    expect(hits(text)).toEqual(expected)
  })

  test.each(['', 'three', '% 0', '3 4', '!= 2', '-1', '>= x', '12345678901'])(
    '"%s" is refused, with examples',
    (text) => {
      expect(() => parseHitCondition(text)).toThrow(
        expect.objectContaining({
          code: 'E_BREAKPOINT_INVALID',
          message: expect.stringContaining('Examples: 5, >= 3, % 10'),
        }),
      )
    },
  )
})
