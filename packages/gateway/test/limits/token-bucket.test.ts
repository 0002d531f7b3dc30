import { describe, expect, it } from 'vitest'
import { TokenBucket } from '../../src/limits/token-bucket.ts'

describe('a bucket', () => {
  it('gives its burst at once, then says how long the next takes', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 3 }, 0)
    expect([1, 2, 3].map(() => bucket.take(0))).toEqual([0, 0, 0])
    expect(bucket.take(0)).toBe(100)
    expect(bucket.take(40)).toBe(60)
    expect(bucket.take(100)).toBe(0)
    expect(bucket.take(100)).toBe(100)
  })

  it('fills up with time, to its burst and no further', () => {
    const bucket = new TokenBucket({ perSecond: 1, burst: 2 }, 0)
    expect(bucket.isFull(0)).toBe(true)
    bucket.take(0)
    bucket.take(0)
    expect(bucket.isFull(1_999)).toBe(false)
    expect(bucket.isFull(2_000)).toBe(true)
    expect([1, 2].map(() => bucket.take(1_000_000))).toEqual([0, 0])
    expect(bucket.take(1_000_000)).toBe(1_000)
  })

  it('is refilled by nothing when it is asked in vain', () => {
    const bucket = new TokenBucket({ perSecond: 1, burst: 1 }, 0)
    bucket.take(0)
    for (let now = 0; now < 1_000; now += 10) expect(bucket.take(now)).toBe(1_000 - now)
  })

  it('keeps its word: after the wait it named, there is one', () => {
    for (const perSecond of [0.1, 1 / 3, 2, 3, 7, 9.99, 10, 333]) {
      const bucket = new TokenBucket({ perSecond, burst: 1 }, 0)
      let now = 0
      for (let round = 0; round < 200; round++) {
        now += round * 0.37
        const wait = bucket.take(now)
        if (wait === 0) continue
        now += wait
        expect(bucket.take(now), `${perSecond} a second, round ${round}`).toBe(0)
      }
    }
  })
})
