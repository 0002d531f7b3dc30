import { FairQueue } from '@switchboard/base'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'

function lineUp(queue: FairQueue, callers: string): { order: string[]; leave(index: number): void } {
  const order: string[] = []
  const places = [...callers].map((caller, index) => queue.lineUp(caller, () => order.push(`${caller}${index}`)))
  return { order, leave: (index) => places[index]?.leave() }
}

describe('FairQueue', () => {
  it('lets in up to its limit, and no more', () => {
    const queue = new FairQueue(2)
    expect([queue.tryEnter(), queue.tryEnter(), queue.tryEnter()]).toEqual([true, true, false])
    expect(queue.active).toBe(2)
  })

  it('lets callers take turns and keeps the order of each', () => {
    const queue = new FairQueue(1)
    queue.tryEnter()
    const { order } = lineUp(queue, 'aaaabcab')
    for (let index = 0; index < 8; index++) queue.exit()
    expect(order).toEqual(['a0', 'b4', 'c5', 'a1', 'b7', 'a2', 'a3', 'a6'])
    expect(queue.waiting).toBe(0)
    expect(queue.active).toBe(1)
  })

  it('forgets whoever leaves the line, and leaving after being admitted changes nothing', () => {
    const queue = new FairQueue(1)
    queue.tryEnter()
    const { order, leave } = lineUp(queue, 'aab')
    leave(0)
    leave(0)
    expect(queue.waiting).toBe(2)
    queue.exit()
    leave(1)
    queue.exit()
    expect(order).toEqual(['a1', 'b2'])
    expect(queue.active).toBe(1)
  })

  it('admits at once when there is more room, and nobody until there is room again', () => {
    const queue = new FairQueue(1)
    queue.tryEnter()
    const { order } = lineUp(queue, 'abc')
    queue.setLimit(3)
    expect(order).toEqual(['a0', 'b1'])
    queue.setLimit(1)
    queue.exit()
    queue.exit()
    expect(order).toEqual(['a0', 'b1'])
    queue.exit()
    expect(order).toEqual(['a0', 'b1', 'c2'])
  })

  it('passes over whoever may not enter, and lets it in when it may', () => {
    const barred = new Set(['a'])
    const queue = new FairQueue(2, { mayEnter: (caller) => !barred.has(caller) })
    queue.tryEnter()
    queue.tryEnter()
    const { order } = lineUp(queue, 'aabb')
    queue.exit()
    queue.exit()
    queue.exit()
    expect(order).toEqual(['b2', 'b3'])
    expect(queue.active).toBe(1)
    barred.clear()
    expect(order).toHaveLength(2)
    queue.reconsider()
    expect(order).toEqual(['b2', 'b3', 'a0'])
    queue.exit()
    expect(order).toEqual(['b2', 'b3', 'a0', 'a1'])
    expect(queue.waiting).toBe(0)
  })

  it('gives a caller what it is owed, though no place is free and others come before it', () => {
    const held = new Map<string, number>()
    const heldBy = (caller: string): number => held.get(caller) ?? 0
    const queue = new FairQueue(1, {
      isOwed: (caller) => heldBy(caller) < 1,
      onEntered: (caller) => held.set(caller, heldBy(caller) + 1),
    })
    expect([queue.tryEnter('a'), queue.tryEnter('a'), queue.tryEnter('b'), queue.tryEnter('b')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    const { order } = lineUp(queue, 'ab')
    held.set('b', 0)
    queue.exit('b')
    expect({ order, active: queue.active }).toEqual({ order: ['b1'], active: 2 })
  })

  it('asks what shares say of whoever comes also when no place is free', () => {
    const asked: string[] = []
    const queue = new FairQueue(1, { mayEnter: (caller) => asked.push(caller) > 0 })
    expect([queue.tryEnter('a'), queue.tryEnter('b')]).toEqual([true, false])
    expect(asked).toEqual(['a', 'b'])
  })

  describe('waiting', () => {
    const createAbortError = (reason: unknown): Error => new Error(`aborted: ${reason}`)

    it('ends with the place, and then neither the clock nor the signal matters', async () => {
      const clock = new FakeClock()
      const queue = new FairQueue(1, {}, clock)
      queue.tryEnter('a')
      const controller = new AbortController()
      const turn = queue.wait('b', { signal: controller.signal, timeout: 100, createAbortError })
      queue.exit('a')
      clock.advance(1_000)
      controller.abort()
      await turn
      expect({ active: queue.active, waiting: queue.waiting, timers: clock.pendingTimers().length }).toEqual({
        active: 1,
        waiting: 0,
        timers: 0,
      })
    })

    it('is given up when its time is over or its signal says so, also one that said so before', async () => {
      const clock = new FakeClock()
      const queue = new FairQueue(1, {}, clock)
      queue.tryEnter('a')
      const controller = new AbortController()
      const createTimeoutError = (): Error => new Error('too late')
      const turns = [
        queue.wait('b', { timeout: 100, createAbortError, createTimeoutError }),
        queue.wait('c', { signal: controller.signal, createAbortError }),
        queue.wait('d', { signal: AbortSignal.abort('before'), createAbortError }),
      ]
      clock.advance(100)
      controller.abort('now')
      const outcomes = await Promise.allSettled(turns)
      expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
        'Error: too late',
        'Error: aborted: now',
        'Error: aborted: before',
      ])
      expect(queue.waiting).toBe(0)
      queue.exit('a')
      expect(queue.active).toBe(0)
    })

    it('tells how long somebody else has waited', () => {
      const clock = new FakeClock()
      const queue = new FairQueue(1, {}, clock)
      queue.tryEnter('a')
      queue.lineUp('a', () => {})
      clock.advance(5)
      const { leave } = queue.lineUp('b', () => {})
      clock.advance(7)
      queue.lineUp('b', () => {})
      expect([queue.waitedMs('a'), queue.waitedMs('b')]).toEqual([7, 12])
      leave()
      expect(queue.waitedMs('a')).toBe(0)
    })
  })
})
