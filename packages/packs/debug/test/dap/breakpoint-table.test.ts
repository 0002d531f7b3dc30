import { describe, expect, test } from 'vitest'
import { BreakpointTable } from '../../src/dap/breakpoint-table.ts'
import { RUBY_TRAITS } from '../../src/dap/engines/ruby.ts'
import type { DapTraits } from '../../src/dap/traits.ts'

const all = { conditions: true, hitConditions: true, logpoints: true }
const native: DapTraits = {
  language: 'x',
  exceptionFilters: {},
  paging: 'range',
  logpoints: 'native',
  setVariable: 'native',
  hitCondition: (operator, count) => (operator === '>=' ? String(count) : undefined),
}
const path = '/home/you/a.x'

describe('what is sent', () => {
  test('is native where the adapter can, with a mark on log messages', () => {
    const table = new BreakpointTable(native, all)
    const sent = table.replace(path, [
      { id: 'a', line: 1, condition: 'i > 1', hitCondition: '>= 3' },
      { id: 'b', line: 2, logMessage: 'hi {i}' },
    ])
    expect(sent).toEqual([
      { line: 1, condition: 'i > 1', hitCondition: '3' },
      { line: 2, logMessage: '[[bp:b]]hi {i}' },
    ])
  })

  test('leaves out what we do ourselves', () => {
    const table = new BreakpointTable(native, all)
    expect(table.replace(path, [{ id: 'a', line: 1, hitCondition: '% 2' }])).toEqual([{ line: 1 }])
    // A logpoint whose hits we must count has to stop for it.
    expect(table.replace(path, [{ id: 'a', line: 1, hitCondition: '% 2', logMessage: 'x' }])).toEqual([{ line: 1 }])
    const without = new BreakpointTable(native, { ...all, logpoints: false })
    expect(without.replace(path, [{ id: 'a', line: 1, logMessage: 'x' }])).toEqual([{ line: 1 }])
  })

  test('is refused when the adapter knows no conditions', () => {
    const table = new BreakpointTable(native, { ...all, conditions: false })
    expect(() => table.replace(path, [{ id: 'a', line: 1, condition: 'x' }])).toThrow(
      expect.objectContaining({ code: 'E_UNSUPPORTED_CAPABILITY' }),
    )
  })
})

describe('the state of a breakpoint', () => {
  test('tells where it moved, why it is not bound, and what an event changed', () => {
    const table = new BreakpointTable(native, all)
    table.replace(path, [
      { id: 'a', line: 1 },
      { id: 'b', line: 2 },
      { id: 'c', line: 3 },
    ])
    const rows = [
      { id: 11, verified: true, line: 4 },
      { id: 12, verified: false, message: 'no code here' },
    ]
    expect(table.accept(path, { breakpoints: rows })).toEqual([
      { id: 'a', verified: true, line: 4 },
      { id: 'b', verified: false, message: 'no code here' },
      { id: 'c', verified: false, message: 'the debug adapter did not say anything about it' },
    ])
    expect(table.update({ id: 12, verified: true, line: 2 })).toEqual({ id: 'b', verified: true })
    expect(table.update({ id: 99, verified: true })).toBeUndefined()
  })
})

describe('a stop', () => {
  test('is known by the adapter’s number, else by the place', () => {
    const table = new BreakpointTable(native, all)
    table.replace(path, [{ id: 'a', line: 1 }])
    table.accept(path, { breakpoints: [{ id: 5, verified: true, line: 1 }] })
    expect(table.judge([5], undefined)).toMatchObject({ ids: ['a'], shouldStop: true })
    expect(table.judge([], { path, line: 1 })).toMatchObject({ ids: ['a'], shouldStop: true })
    expect(table.judge([], { path, line: 9 })).toMatchObject({ ids: [], shouldStop: true })
  })

  test('counts where the adapter cannot, and keeps the count when other breakpoints change', () => {
    const table = new BreakpointTable(native, all)
    const counted = { id: 'a', line: 1, hitCondition: '3' }
    table.replace(path, [counted])
    const stop = () => table.judge([], { path, line: 1 }).shouldStop
    expect([stop(), stop()]).toEqual([false, false])
    table.replace(path, [{ ...counted }, { id: 'b', line: 2 }])
    expect([stop(), stop()]).toEqual([true, false])
    table.replace(path, [{ ...counted, hitCondition: '1' }])
    expect(stop()).toBe(true)
  })

  test('at a logpoint of ours is told as a log, and does not stop', () => {
    const table = new BreakpointTable(RUBY_TRAITS, { ...all, logpoints: false })
    table.replace(path, [{ id: 'l', line: 1, logMessage: 'x {y}' }])
    expect(table.judge([], { path, line: 1 })).toEqual({
      ids: [],
      logs: [{ id: 'l', message: 'x {y}', place: { path, line: 1 } }],
      shouldStop: false,
    })
  })

  test('at a breakpoint that was taken away is no stop, at an adapter that forgets nothing', () => {
    const table = new BreakpointTable(RUBY_TRAITS, all)
    table.replace(path, [{ id: 'a', line: 1 }])
    table.replace(path, [])
    expect(table.judge([], { path, line: 1 }).shouldStop).toBe(false)
  })
})
