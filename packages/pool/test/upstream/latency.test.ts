import { describe, expect, it } from 'vitest'
import { Latency } from '../../src/upstream/latency.ts'

describe('Latency', () => {
  it('knows nothing before anything was measured', () => {
    expect(new Latency().percentile(0.5)).toBeUndefined()
  })

  it('gives the value that the fraction of all measurements does not exceed', () => {
    const latency = new Latency()
    for (let ms = 100; ms >= 1; ms--) latency.record(ms)
    expect([0.01, 0.5, 0.95, 1].map((fraction) => latency.percentile(fraction))).toEqual([1, 50, 95, 100])
  })

  it('gives the one value there is for every fraction', () => {
    const latency = new Latency()
    latency.record(7)
    expect([0.5, 0.95].map((fraction) => latency.percentile(fraction))).toEqual([7, 7])
  })

  it('sorts by size, not by text', () => {
    const latency = new Latency()
    for (const ms of [9, 10, 100]) latency.record(ms)
    expect(latency.percentile(0.5)).toBe(10)
  })

  it('forgets all but the last 512', () => {
    const latency = new Latency()
    for (let index = 0; index < 1000; index++) latency.record(5000)
    for (let index = 0; index < 512; index++) latency.record(1)
    expect(latency.percentile(1)).toBe(1)
    expect(latency.count).toBe(1512)
  })
})
