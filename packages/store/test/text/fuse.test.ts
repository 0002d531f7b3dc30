import { expect, test } from 'vitest'
import { fuse } from '../../src/text/fuse.ts'
import type { Ranked } from '../../src/text/rank.ts'

const found = (key: number, more: Partial<Ranked> = {}): Ranked => ({
  key,
  score: 1,
  share: 0.5,
  isExact: false,
  ...more,
})
const keysOf = (ranked: readonly Ranked[], near: readonly number[]): number[] =>
  fuse(
    ranked,
    near.map((key) => ({ key, similarity: 0.5 })),
  ).map(({ key }) => key)

test('what both orders have comes before what one of them has', () => {
  expect(keysOf([found(1), found(2)], [3, 2])).toEqual([2, 1, 3])
})

test('an exact name stays first, however near the others are', () => {
  expect(keysOf([found(1), found(2), found(3, { isExact: true })], [1, 2])).toEqual([3, 1, 2])
})

test('each tells what found it', () => {
  const fused = fuse(
    [found(1), found(2)],
    [
      { key: 2, similarity: 0.9 },
      { key: 3, similarity: 0.8 },
    ],
  )
  expect(fused).toMatchObject([
    { key: 2, matched: 'both', share: 0.5 },
    { key: 1, matched: 'text', share: 0.5 },
    { key: 3, matched: 'meaning', share: 0 },
  ])
})
