import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { StartSlots } from '../../src/upstream/start-slots.ts'

describe('StartSlots', () => {
  it('lets that many in at once and the next when one is given back', async () => {
    const clock = new FakeClock()
    const slots = new StartSlots(2, clock)
    const entered: number[] = []
    const releases: (() => void)[] = []
    for (let index = 0; index < 4; index++) {
      void slots.acquire().then((release) => {
        entered.push(index)
        releases.push(release)
      })
    }
    await clock.advanceAsync(0)
    expect(entered).toEqual([0, 1])
    releases[0]?.()
    releases[0]?.()
    await clock.advanceAsync(0)
    expect(entered).toEqual([0, 1, 2])
  })

  it('takes the place of a silent one away after a second, so that it holds up nobody for long', async () => {
    const clock = new FakeClock()
    const slots = new StartSlots(1, clock)
    const entered: number[] = []
    for (let index = 0; index < 3; index++) void slots.acquire().then(() => entered.push(index))
    await clock.advanceAsync(999)
    expect(entered).toEqual([0])
    await clock.advanceAsync(1)
    expect(entered).toEqual([0, 1])
    await clock.advanceAsync(1000)
    expect(entered).toEqual([0, 1, 2])
  })

  it('leaves no timer behind when a place is given back', async () => {
    const clock = new FakeClock()
    const release = await new StartSlots(1, clock).acquire()
    release()
    expect(clock.pendingTimers()).toEqual([])
  })
})
