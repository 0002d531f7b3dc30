import { FairQueue } from '@switchboard/protocol'
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
    const queue = new FairQueue(2, (caller) => !barred.has(caller))
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
})
