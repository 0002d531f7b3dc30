import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Budget } from '../../src/backend/budget.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('ends once its time is over, and stands still while it is paused', () => {
  const onOver = vi.fn()
  const budget = new Budget(100, onOver)
  vi.advanceTimersByTime(60)
  budget.pause()
  budget.pause()
  vi.advanceTimersByTime(1000)
  budget.resume()
  vi.advanceTimersByTime(1000)
  expect(onOver).not.toHaveBeenCalled()
  budget.resume()
  vi.advanceTimersByTime(39)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test('is over for good once it is cleared, also when it was paused', () => {
  const onOver = vi.fn()
  const budget = new Budget(100, onOver)
  budget.pause()
  budget.clear()
  budget.resume()
  vi.advanceTimersByTime(1000)
  expect(onOver).not.toHaveBeenCalled()
})
