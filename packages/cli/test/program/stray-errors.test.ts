import { describe, expect, it } from 'vitest'
import { StrayErrors } from '../../src/program/stray-errors.ts'

describe('an error that nobody catches', () => {
  it('is the end of a command', () => {
    expect(new StrayErrors().take(new Error('a'))).toBe(false)
  })

  it('is told by a daemon, which goes on', () => {
    const told: unknown[] = []
    const strays = new StrayErrors()
    strays.survive((error) => told.push(error))
    expect(strays.take('one')).toBe(true)
    expect(told).toEqual(['one'])
  })

  it('is the end of a daemon too when there is one after the other', () => {
    let now = 0
    const strays = new StrayErrors(() => now)
    strays.survive(() => {})
    const outcomes = Array.from({ length: 25 }, () => strays.take('again'))
    expect(outcomes.filter(Boolean)).toHaveLength(20)
    now += 60_000
    expect(strays.take('later')).toBe(true)
  })
})
