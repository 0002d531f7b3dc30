import { describe, expect, it } from 'vitest'
import { PRIVATE_POLICY, SHARED_POLICY, waitBeforeRestart } from '../../src/supervision/policy.ts'

describe('the supervision policies', () => {
  it('repeat the last wait of a shared server for ever', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((restart) => waitBeforeRestart(SHARED_POLICY, restart))
    expect(waits).toEqual([0, 1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 60_000])
  })

  it('never give a shared server up and restart a private one once', () => {
    expect(SHARED_POLICY.maxRestarts).toBe(Number.POSITIVE_INFINITY)
    expect(PRIVATE_POLICY).toMatchObject({ maxRestarts: 1, firstTries: [] })
  })

  it('restart at once where a schedule is empty', () => {
    expect(waitBeforeRestart({ ...SHARED_POLICY, schedule: [] }, 1)).toBe(0)
  })
})
