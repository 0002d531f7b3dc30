import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdleStop } from '../../src/process/idle-stop.ts'

describe('a daemon that nobody uses', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function create(isBusy: () => boolean = () => false) {
    const stop = vi.fn()
    return { idle: new IdleStop({ isBusy, stop }), stop }
  }

  it('is never stopped while no time is set', () => {
    const { stop } = create()
    vi.advanceTimersByTime(1e9)
    expect(stop).not.toHaveBeenCalled()
  })

  it('is stopped once, when the time is over', () => {
    const { idle, stop } = create()
    idle.setLimit(1000)
    vi.advanceTimersByTime(999)
    expect(stop).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(stop).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(10_000)
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('is given the whole time again by every use', () => {
    const { idle, stop } = create()
    idle.setLimit(1000)
    for (let use = 0; use < 5; use++) {
      vi.advanceTimersByTime(900)
      idle.touch()
    }
    expect(stop).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('is used as long as somebody is there', () => {
    let isBusy = true
    const { idle, stop } = create(() => isBusy)
    idle.setLimit(1000)
    vi.advanceTimersByTime(50_000)
    expect(stop).not.toHaveBeenCalled()
    isBusy = false
    vi.advanceTimersByTime(1000)
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('can be told another time, or none, or that it is over', () => {
    const { idle, stop } = create()
    idle.setLimit(1000)
    idle.setLimit(undefined)
    vi.advanceTimersByTime(5000)
    expect(stop).not.toHaveBeenCalled()
    idle.setLimit(10_000)
    idle.close()
    vi.advanceTimersByTime(50_000)
    expect(stop).not.toHaveBeenCalled()
  })
})
