import { expect, test } from 'vitest'
import { FakeClock } from '../src/fake-clock.ts'

test('timers fire in the order of their due time, and those due together in the order they were set', () => {
  const clock = new FakeClock()
  const fired: string[] = []
  clock.setTimer(20, () => fired.push('late'))
  clock.setTimer(10, () => fired.push('first of two'))
  clock.setTimer(10, () => fired.push('second of two'))
  clock.advance(20)
  expect(fired).toEqual(['first of two', 'second of two', 'late'])
})

test('a timer sees its own due time, and one that it sets within the same advance fires too', () => {
  const clock = new FakeClock({ now: 100 })
  const times: number[] = []
  clock.setTimer(5, () => {
    times.push(clock.now())
    clock.setTimer(5, () => times.push(clock.now()))
  })
  clock.advance(50)
  expect(times).toEqual([105, 110])
  expect(clock.now()).toBe(150)
})

test('a timer that is not due yet or was cancelled does not fire', () => {
  const clock = new FakeClock()
  const fired: string[] = []
  const cancelled = clock.setTimer(5, () => fired.push('cancelled'))
  clock.setTimer(11, () => fired.push('not yet'))
  cancelled.cancel()
  clock.advance(10)
  expect(fired).toEqual([])
  expect(clock.pendingTimers()).toEqual([1])
})

test('a timer can cancel another one that is due at the same time', () => {
  const clock = new FakeClock()
  const fired: string[] = []
  clock.setTimer(5, () => other.cancel())
  const other = clock.setTimer(5, () => fired.push('other'))
  clock.advance(5)
  expect(fired).toEqual([])
})

test('advanceAsync lets a chain of promises set the next timer in between', async () => {
  const clock = new FakeClock()
  const times: number[] = []
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.setTimer(ms, resolve))
  const loop = async () => {
    for (let turn = 0; turn < 3; turn++) {
      await Promise.resolve()
      await sleep(10)
      times.push(clock.now())
    }
  }
  void loop()
  await clock.advanceAsync(30)
  expect(times).toEqual([10, 20, 30])
  expect(clock.pendingTimers()).toEqual([])
})

test('a jump of the wall clock fires nothing and leaves the monotonic time alone', () => {
  const clock = new FakeClock({ wallTime: 1_000_000 })
  const fired: string[] = []
  clock.setTimer(10, () => fired.push('timer'))
  clock.jumpWallTime(3_600_000)
  expect(clock.now()).toBe(0)
  expect(clock.wallTime()).toBe(4_600_000)
  clock.advance(5)
  expect(clock.wallTime()).toBe(4_600_005)
  expect(fired).toEqual([])
})
