import { expect, test, vi } from 'vitest'
import { systemClock } from '../src/clock.ts'

const HUNDRED_DAYS = 100 * 86_400_000

test('tells the wall clock apart from the time that only goes forward', () => {
  const before = systemClock.now()
  expect(Math.abs(systemClock.wallTime() - Date.now())).toBeLessThan(1_000)
  expect(systemClock.now()).toBeGreaterThanOrEqual(before)
})

test.each(['setTimer', 'setBackgroundTimer'] as const)('%s fires once', async (set) => {
  const fired = vi.fn()
  await new Promise<void>((resolve) => {
    systemClock[set](1, () => {
      fired()
      resolve()
    })
  })
  expect(fired).toHaveBeenCalledTimes(1)
})

test.each(['setTimer', 'setBackgroundTimer'] as const)('%s does not fire once it is cancelled', async (set) => {
  const fired = vi.fn()
  systemClock[set](1, fired).cancel()
  await new Promise((resolve) => systemClock.setTimer(5, () => resolve(undefined)))
  expect(fired).not.toHaveBeenCalled()
})

test.each(['setTimer', 'setBackgroundTimer'] as const)(
  '%s waits as long as it can when it is asked for longer',
  async (set) => {
    const fired = vi.fn()
    const timer = systemClock[set](HUNDRED_DAYS, fired)
    await new Promise((resolve) => systemClock.setTimer(5, () => resolve(undefined)))
    expect(fired).not.toHaveBeenCalled()
    timer.cancel()
  },
)

test('only a background timer lets the process go', () => {
  const timeouts = vi.spyOn(globalThis, 'setTimeout')
  try {
    const held = systemClock.setTimer(HUNDRED_DAYS, () => {})
    const background = systemClock.setBackgroundTimer(HUNDRED_DAYS, () => {})
    const handles = timeouts.mock.results.map(({ value }) => value as NodeJS.Timeout)
    expect(handles.map((handle) => handle.hasRef())).toEqual([true, false])
    held.cancel()
    background.cancel()
  } finally {
    timeouts.mockRestore()
  }
})
