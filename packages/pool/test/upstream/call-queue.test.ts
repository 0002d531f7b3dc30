import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { CallQueue } from '../../src/upstream/call-queue.ts'

/** Fills the queue, lets everybody wait, and returns the order in which they get their turn. */
async function admitAll(queue: CallQueue, callers: readonly string[]): Promise<string[]> {
  const order: string[] = []
  const waits = callers.map((caller, index) =>
    queue.acquire({ timeout: 60_000, caller }).then(() => order.push(`${caller}${index}`)),
  )
  for (let index = 0; index < callers.length; index++) {
    queue.release()
    await Promise.resolve()
  }
  await Promise.all(waits)
  return order
}

describe('CallQueue', () => {
  it('lets callers take turns, so that a flood does not starve another', async () => {
    const queue = new CallQueue('q', 1, new FakeClock())
    queue.tryAcquire()
    expect(await admitAll(queue, ['a', 'a', 'a', 'a', 'b', 'c', 'a', 'b'])).toEqual([
      'a0',
      'b4',
      'c5',
      'a1',
      'b7',
      'a2',
      'a3',
      'a6',
    ])
  })

  it('keeps the order of one caller', async () => {
    const queue = new CallQueue('q', 1, new FakeClock())
    queue.tryAcquire()
    expect(await admitAll(queue, ['a', 'a', 'a'])).toEqual(['a0', 'a1', 'a2'])
  })

  it('forgets whoever gives up waiting', async () => {
    const clock = new FakeClock()
    const queue = new CallQueue('q', 1, clock)
    queue.tryAcquire()
    const controller = new AbortController()
    const aborted = queue.acquire({ timeout: 60_000, caller: 'a', signal: controller.signal })
    const late = queue.acquire({ timeout: 1000, caller: 'b' })
    const patient = queue.acquire({ timeout: 60_000, caller: 'c' })
    expect(queue.waiting).toBe(3)
    controller.abort()
    clock.advance(1000)
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled', executed: false })
    await expect(late).rejects.toMatchObject({ code: 'queue_timeout', executed: false })
    expect(queue.waiting).toBe(1)
    queue.release()
    await patient
    expect(queue.active).toBe(1)
    expect(queue.waiting).toBe(0)
  })
})
