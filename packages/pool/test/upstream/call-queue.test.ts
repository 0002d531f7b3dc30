import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { CallQueue } from '../../src/upstream/call-queue.ts'

/** Fills the queue, lets everybody wait, and returns the order in which they get their turn. */
async function admitAll(queue: CallQueue, callers: readonly string[]): Promise<string[]> {
  const order: string[] = []
  let holder = ''
  const waits = callers.map((caller, index) =>
    queue.acquire({ timeout: 60_000, caller }).then(() => {
      order.push(`${caller}${index}`)
      holder = caller
    }),
  )
  for (let index = 0; index < callers.length; index++) {
    queue.release(holder)
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

  it('knows how long a caller waits for the place of another, and does not count its own', async () => {
    const clock = new FakeClock()
    const queue = new CallQueue('q', 1, clock)
    queue.tryAcquire('a')
    void queue.acquire({ timeout: 60_000, caller: 'a' })
    clock.advance(100)
    expect([queue.waitedMs('a'), queue.waitedMs('b')]).toEqual([0, 100])
    const controller = new AbortController()
    const impatient = queue.acquire({ timeout: 60_000, caller: 'b', signal: controller.signal })
    clock.advance(20)
    void queue.acquire({ timeout: 60_000, caller: 'c' })
    clock.advance(3)
    expect(queue.waitedMs('a')).toBe(23)
    controller.abort()
    await expect(impatient).rejects.toMatchObject({ code: 'cancelled' })
    expect(queue.waitedMs('a')).toBe(3)
    queue.release('a')
    expect(queue.waitedMs('a')).toBe(3)
    queue.release('a')
    expect(queue.waitedMs('a')).toBe(0)
  })

  describe('with several places', () => {
    const QUICK = 1
    const LONG = 5_000
    /** Between quick calls of a caller that has more of them, while another is calling. */
    const REST = 2

    /** As many as a caller gets at once, each waiting for its place. */
    function flood(queue: CallQueue, caller: string, calls: number): { admitted(): number } {
      let admitted = 0
      for (let index = 0; index < calls; index++) {
        void queue.acquire({ timeout: 600_000, caller }).then(() => admitted++)
      }
      return { admitted: () => admitted }
    }

    function createQueue() {
      const clock = new FakeClock()
      return { clock, queue: new CallQueue('q', 16, clock) }
    }

    /** Makes it known how long the calls of a caller take. */
    function callOnce(queue: CallQueue, caller: string, heldMs: number): void {
      expect(queue.tryAcquire(caller)).toBe(true)
      queue.release(caller, heldMs)
    }

    it('gives all of them to a caller that is alone', async () => {
      const { clock, queue } = createQueue()
      callOnce(queue, 'a', QUICK)
      const { admitted } = flood(queue, 'a', 100)
      await clock.advanceAsync(0)
      expect(admitted()).toBe(16)
    })

    it('leaves places free beside a flood while another caller uses the server, and fewer are held where calls are quick', async () => {
      for (const [heldMs, share] of [
        [QUICK, 1],
        [12, 3],
        [LONG, 8],
      ] as const) {
        const { clock, queue } = createQueue()
        callOnce(queue, 'polite', QUICK)
        callOnce(queue, 'flood', heldMs)
        const { admitted } = flood(queue, 'flood', 100)
        await clock.advanceAsync(0)
        expect(admitted()).toBe(share)
        // A polite call never waits, however many of the flood have come and gone.
        for (let index = 0; index < 50; index++) {
          expect(queue.tryAcquire('polite')).toBe(true)
          queue.release('flood', heldMs)
          await clock.advanceAsync(REST)
          expect(queue.active).toBe(share + 1)
          queue.release('polite', QUICK)
        }
        expect(admitted()).toBe(share + 50)
      }
    })

    it('takes back what a flood holds as its calls end, once another caller comes', async () => {
      const { clock, queue } = createQueue()
      const { admitted } = flood(queue, 'flood', 100)
      const polite = queue.acquire({ timeout: 60_000, caller: 'polite' })
      await clock.advanceAsync(0)
      expect(admitted()).toBe(16)
      queue.release('flood', QUICK)
      await polite
      expect(admitted()).toBe(16)
      for (let index = 0; index < 15; index++) queue.release('flood', QUICK)
      await clock.advanceAsync(0)
      expect({ admitted: admitted(), active: queue.active }).toEqual({ admitted: 16 + 8, active: 8 + 1 })
      // The other turns out to be polite.
      queue.release('polite', QUICK)
      for (let index = 0; index < 8; index++) queue.release('flood', QUICK)
      await clock.advanceAsync(REST)
      expect({ admitted: admitted(), active: queue.active }).toEqual({ admitted: 16 + 8 + 1, active: 1 })
    })

    it('keeps two floods busy, each with its part and without a rest, when nobody else is there', async () => {
      const { clock, queue } = createQueue()
      const one = flood(queue, 'one', 100)
      const other = flood(queue, 'other', 100)
      await clock.advanceAsync(0)
      expect(one.admitted() + other.admitted()).toBe(16)
      for (let index = 0; index < 16; index++) queue.release('one', QUICK)
      await clock.advanceAsync(0)
      expect({ one: one.admitted(), other: other.admitted() }).toEqual({ one: 16 + 8, other: 8 })
      queue.release('one', QUICK)
      await clock.advanceAsync(0)
      expect({ one: one.admitted(), active: queue.active }).toEqual({ one: 16 + 8 + 1, active: 16 })
    })

    it('lets a flood of quick calls rest between them while another caller is calling, and only then', async () => {
      const { clock, queue } = createQueue()
      callOnce(queue, 'polite', QUICK)
      callOnce(queue, 'flood', QUICK)
      const { admitted } = flood(queue, 'flood', 100)
      await clock.advanceAsync(0)
      queue.release('flood', QUICK)
      await clock.advanceAsync(REST - 1)
      expect({ admitted: admitted(), active: queue.active }).toEqual({ admitted: 1, active: 0 })
      // Meanwhile everything is free for the other, which itself never rests: it has no more in line.
      for (let index = 0; index < 5; index++) callOnce(queue, 'polite', QUICK)
      await clock.advanceAsync(1)
      expect({ admitted: admitted(), active: queue.active }).toEqual({ admitted: 2, active: 1 })
      await clock.advanceAsync(1_000)
      queue.release('flood', QUICK)
      await clock.advanceAsync(0)
      expect({ admitted: admitted(), active: queue.active }).toEqual({ admitted: 2 + 8, active: 8 })
    })

    it('never leaves a caller whose calls take long less than a quarter, however many others there are', async () => {
      const { clock, queue } = createQueue()
      for (let index = 0; index < 100; index++) callOnce(queue, `caller ${index}`, LONG)
      const { admitted } = flood(queue, 'flood', 100)
      await clock.advanceAsync(0)
      expect(admitted()).toBe(4)
    })

    it('gives a flood all places again when nobody else has come for a while, though none of its calls ends', async () => {
      const { clock, queue } = createQueue()
      callOnce(queue, 'polite', QUICK)
      callOnce(queue, 'flood', LONG)
      const { admitted } = flood(queue, 'flood', 100)
      await clock.advanceAsync(5_000)
      expect(admitted()).toBe(8)
      await clock.advanceAsync(10_000)
      expect(admitted()).toBe(16)
      expect(queue.active).toBe(16)
    })

    it('leaves no timer behind when nobody waits any more', async () => {
      const { clock, queue } = createQueue()
      callOnce(queue, 'polite', QUICK)
      callOnce(queue, 'flood', QUICK)
      const { admitted } = flood(queue, 'flood', 6)
      await clock.advanceAsync(0)
      while (queue.active > 0) {
        queue.release('flood', QUICK)
        await clock.advanceAsync(REST)
      }
      expect(admitted()).toBe(6)
      expect(clock.pendingTimers()).toEqual([])
    })
  })
})
