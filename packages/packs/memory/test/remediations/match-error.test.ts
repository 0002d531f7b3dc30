import { describe, expect, test } from 'vitest'
import { matchError } from '../../src/remediations/match-error.ts'
import { normaliseError } from '../../src/remediations/normalise-error.ts'
import { readError } from '../../src/remediations/read-error.ts'
import { NEAR_MISSES, PAIRS } from './error-pairs.ts'

const THRESHOLD = 0.5

describe('the same error of another run and machine', () => {
  test.each(PAIRS)('fits: $language', ({ type, one, other }) => {
    const stored = readError({ message: one })
    const asked = readError({ message: other })
    expect([stored.type, asked.type]).toEqual([type, type])
    const match = matchError(asked, stored)
    expect(match.score).toBeGreaterThan(0.85)
    expect(match.isSameType).toBe(true)
  })

  test.each(PAIRS)('fits no other error: $language', ({ other, language }) => {
    const asked = readError({ message: other })
    const fitting = PAIRS.filter((pair) => matchError(asked, readError({ message: pair.one })).score >= THRESHOLD)
    expect(fitting.map((pair) => pair.language)).toEqual([language])
  })
})

test.each(NEAR_MISSES)('%s is not %s', (one, other) => {
  const [stored, asked] = [readError({ message: one }), readError({ message: other })]
  const match = matchError(asked, stored)
  expect(match.score).toBeLessThan(THRESHOLD)
  expect(match.isSure).toBe(false)
})

describe('what is sure', () => {
  test.each(PAIRS.filter(({ language }) => !/C#|C\+\+/.test(language)))('is the same error: $language', (pair) => {
    expect(matchError(readError({ message: pair.other }), readError({ message: pair.one })).isSure).toBe(true)
  })

  test.each(['Error: failed', 'Error: unknown error', 'AssertionError: expected value', 'error'])(
    'is never an error that says nothing: %s',
    (message) => {
      expect(matchError(readError({ message }), readError({ message })).isSure).toBe(false)
    },
  )

  test('is an error that says nothing where its stack is the same', () => {
    const trace = (line: number) =>
      `Error: failed\n    at load (/a/load.js:${line}:1)\n    at main (/a/main.js:${line + 1}:2)`
    expect(matchError(readError({ message: trace(7) }), readError({ message: trace(90) })).isSure).toBe(true)
  })
})

describe('a stack', () => {
  test('counts where half of it is in common', () => {
    const frames = (...names: string[]) =>
      `Error: the cart is empty\n${names.map((name) => `    at ${name} (/a/${name}.js:1:1)`).join('\n')}`
    const stored = readError({ message: frames('a', 'b', 'c', 'd') })
    const half = matchError(readError({ message: frames('a', 'b', 'x', 'y') }), stored)
    expect(half).toMatchObject({ isStackShared: true, sharedFrames: 2, frames: 4 })
    const less = matchError(readError({ message: frames('a', 'x', 'y', 'z') }), stored)
    expect(less).toMatchObject({ isStackShared: false, sharedFrames: 1 })
    expect(less.score).toBeLessThanOrEqual(half.score)
  })

  test('may be given apart from the message', () => {
    const stack = 'at total (/a/cart.js:3:1)\nat main (/a/main.js:2:2)'
    expect(readError({ message: 'TypeError: x is not iterable', stack }).frames).toEqual([
      'total@cart.js',
      'main@main.js',
    ])
  })
})

test('boosts are added, and the score ends at 1', () => {
  const error = { type: 'typeerror', normal: 'x is not a function', frames: ['a@b'] }
  const plain = { type: undefined, normal: 'x is no function', frames: [] }
  const match = matchError(plain, error)
  const typed = matchError({ ...plain, type: 'typeerror', frames: ['a@b'] }, { ...error })
  expect(match.score).toBeCloseTo(0.7 * match.semantic + 0.3 * match.letters)
  expect(typed.score).toBeCloseTo(Math.min(1, (0.7 * typed.semantic + 0.3 * typed.letters) * 1.25))
  expect(matchError(error, error).score).toBe(1)
})

test('what an encoder says of any two texts is no meaning', () => {
  const one = readError({ message: 'KeyError: the session has no user' })
  const other = readError({ message: 'disk quota exceeded while copying' })
  expect(matchError(one, other, 0).semantic).toBe(0)
  expect(matchError(one, other, 0.1).score).toBeLessThan(THRESHOLD)
  expect(matchError(one, other, 0.8).semantic).toBe(1)
  expect(matchError(one, other, 0.75).score).toBeGreaterThan(THRESHOLD)
})

test.each([
  ['open /home/ada/a/b.json', 'open b.json'],
  ['open C:\\Users\\ann\\b.json', 'open b.json'],
  ['open "C:\\Program Files\\x\\b.json"', 'open "b.json"'],
  ['at b.ts:12:5', 'at b.ts'],
  ['b.ts(12,5): error TS1005', 'error TS1005'],
  ['in b.ts(12,5) and b.ts', 'in b.ts and b.ts'],
  ['at line 12, column 5', 'at line #, column #'],
  ['2026-11-18T08:03:12.123Z it failed', 'it failed'],
  ['it failed at 2026-11-18T08:03:12.123Z', 'it failed at #'],
  ['pid 1234 died', 'pid # died'],
  ['(node:1234) warning', 'warning'],
  ['at 0x7ffd1234abcd', 'at #'],
  ['commit 1a2b3c4d5e', 'commit #'],
  ['after 3012 ms', 'after #'],
  ['request 123e4567-e89b-12d3-a456-426614174000', 'request #'],
  ['https://example.com/a/b/c', 'https://example.com/a/b/c'],
  ['connect 127.0.0.1:5432', 'connect 127.0.0.1:5432'],
  ['a/b and 1/2 or feedface', 'a/b and 1/2 or feedface'],
  ['exit code 137', 'exit code 137'],
])('%s is %s', (text, normal) => {
  expect(normaliseError(text)).toBe(normal)
})

test.each(['/a', 'a:', 'at ', 'C:\\a ', '(', '0x', '1', '# 1', 'main.', 'E ', "'", 'Error', '\n    at a (b:1:1)'])(
  'a text of nothing but %j is read in linear time',
  (piece) => {
    // Anything worse than linear does not come back within the test's time.
    const text = piece.repeat(Math.ceil(60_000 / piece.length))
    const error = readError({ message: text, stack: text })
    expect(matchError(error, error).score).toBeGreaterThanOrEqual(0)
  },
)
