import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { CallLimits } from '../../src/limits/call-limits.ts'

function refusal(run: () => void): SwitchboardError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof SwitchboardError) return error
    throw error
  }
}

describe('the rate of a tool', () => {
  function createLimits(): { limits: CallLimits; advance(ms: number): void } {
    let now = 0
    const rate = (provider: string, tool: string) =>
      provider === 'pack' ? { perSecond: tool === 'slow' ? 2 : 10, burst: tool === 'slow' ? 1 : 2 } : undefined
    return {
      limits: new CallLimits({ rate, maxInFlight: 1_000 }, () => now),
      advance: (ms) => {
        now += ms
      },
    }
  }

  it('is counted for each caller and each tool', () => {
    const { limits } = createLimits()
    limits.enter('ann', 'pack', 'slow')
    expect(refusal(() => limits.enter('ann', 'pack', 'slow'))).toMatchObject({
      code: 'rate_limited',
      executed: false,
      retryable: true,
      retryAfterMs: 500,
      details: { tool: 'slow', perSecond: 2, burst: 1 },
    })
    expect(refusal(() => limits.enter('bob', 'pack', 'slow'))).toBeUndefined()
    expect(refusal(() => limits.enter('ann', 'pack', 'other'))).toBeUndefined()
  })

  it('comes back with time', () => {
    const { limits, advance } = createLimits()
    limits.enter('ann', 'pack', 'slow')
    advance(499)
    expect(refusal(() => limits.enter('ann', 'pack', 'slow'))?.retryAfterMs).toBe(1)
    advance(1)
    expect(refusal(() => limits.enter('ann', 'pack', 'slow'))).toBeUndefined()
  })

  it('is unlimited where there is no rule', () => {
    const { limits } = createLimits()
    for (let call = 0; call < 500; call++) limits.enter('ann', 'upstream', 'slow')
    expect(limits.inFlight('ann')).toBe(500)
  })

  it('does not count a call that was refused as in flight', () => {
    const { limits } = createLimits()
    limits.enter('ann', 'pack', 'slow')
    refusal(() => limits.enter('ann', 'pack', 'slow'))
    expect(limits.inFlight('ann')).toBe(1)
  })
})

describe('calls in flight', () => {
  it('are bounded for each caller, and free when they leave', () => {
    const limits = new CallLimits({ maxInFlight: 2 })
    limits.enter('ann', 'p', 'a')
    limits.enter('ann', 'p', 'b')
    expect(refusal(() => limits.enter('ann', 'p', 'c'))).toMatchObject({
      code: 'rate_limited',
      details: { inFlight: 2, limit: 2 },
    })
    expect(refusal(() => limits.enter('bob', 'p', 'a'))).toBeUndefined()
    limits.leave('ann')
    expect(refusal(() => limits.enter('ann', 'p', 'c'))).toBeUndefined()
  })

  it('never fall below none', () => {
    const limits = new CallLimits({ maxInFlight: 1 })
    limits.leave('ann')
    expect(limits.inFlight('ann')).toBe(0)
    limits.enter('ann', 'p', 'a')
    expect(refusal(() => limits.enter('ann', 'p', 'a'))).toBeDefined()
  })

  it('that are refused cost no token of the rate', () => {
    const limits = new CallLimits({ maxInFlight: 1, rate: () => ({ perSecond: 1, burst: 2 }) }, () => 0)
    limits.enter('ann', 'p', 'a')
    expect(refusal(() => limits.enter('ann', 'p', 'a'))?.details).toMatchObject({ limit: 1 })
    limits.leave('ann')
    expect(refusal(() => limits.enter('ann', 'p', 'a'))).toBeUndefined()
  })
})

describe('the calls of all together', () => {
  it('run up to the bound and then in turns of their callers', async () => {
    const limits = new CallLimits({ maxInFlight: 100, maxRunning: 2, ownShare: 0 })
    const { signal } = new AbortController()
    const order: string[] = []
    expect(limits.enter('a', 'p', 't', signal)).toBeUndefined()
    expect(limits.enter('a', 'p', 't', signal)).toBeUndefined()
    const turns = ['a', 'a', 'b'].map((caller) =>
      limits.enter(caller, 'p', 't', signal)?.then(() => order.push(caller)),
    )
    for (let index = 0; index < 3; index++) limits.leave('a')
    await Promise.all(turns)
    expect(order).toEqual(['a', 'b', 'a'])
  })

  it('leave a share to each caller, whatever another has under way and however long', async () => {
    const limits = new CallLimits({ maxInFlight: 100, maxRunning: 3, ownShare: 2 })
    const { signal } = new AbortController()
    const order: string[] = []
    const take = (caller: string) => limits.enter(caller, 'p', 't', signal)?.then(() => order.push(caller))
    for (let call = 0; call < 3; call++) expect(take('flood')).toBeUndefined()
    const flooding = take('flood')
    expect(flooding).toBeDefined()
    expect([take('polite'), take('polite')]).toEqual([undefined, undefined])
    const third = take('polite')
    expect(third).toBeDefined()
    limits.leave('polite')
    await third
    expect(order).toEqual(['polite'])
    for (let call = 0; call < 3; call++) limits.leave('flood')
    await flooding
    expect(order).toEqual(['polite', 'flood'])
  })

  it('give up their place in the line when they are cancelled', async () => {
    const limits = new CallLimits({ maxInFlight: 100, maxRunning: 1, ownShare: 0 })
    const controller = new AbortController()
    limits.enter('a', 'p', 't', controller.signal)
    const turn = limits.enter('b', 'p', 't', controller.signal)
    controller.abort()
    await expect(turn).rejects.toMatchObject({ code: 'cancelled' })
    limits.leave('a')
    expect(limits.enter('c', 'p', 't', new AbortController().signal)).toBeUndefined()
  })
})

describe('new rules', () => {
  it('hold from the next call on; a bucket whose rule stayed keeps its account', () => {
    const slow = { perSecond: 1, burst: 1 }
    const limits = new CallLimits({ rate: () => slow, maxInFlight: 10 }, () => 0)
    limits.enter('ann', 'pack', 'kept')
    limits.enter('ann', 'pack', 'changed')
    limits.setRules({
      rate: (_provider, tool) => (tool === 'kept' ? { ...slow } : { perSecond: 1, burst: 2 }),
      maxInFlight: 4,
    })
    expect(refusal(() => limits.enter('ann', 'pack', 'kept'))).toMatchObject({ code: 'rate_limited' })
    expect(refusal(() => limits.enter('ann', 'pack', 'changed'))).toBeUndefined()
    limits.setRules({ maxInFlight: 4 })
    expect(refusal(() => limits.enter('ann', 'pack', 'kept'))).toBeUndefined()
    expect(refusal(() => limits.enter('ann', 'pack', 'kept'))).toMatchObject({ details: { inFlight: 4, limit: 4 } })
  })
})
