import { describe, expect, test } from 'vitest'
import { findFailures, formatClosingLine, summarize } from '../run/summary-reporter.mjs'

type State = 'passed' | 'failed' | 'skipped' | 'pending'

function testModule(file: string, tests: Record<string, State>, broken: { file?: boolean; suite?: boolean } = {}) {
  const one = [new Error('broken')]
  return {
    relativeModuleId: file,
    errors: () => (broken.file ? one : []),
    children: {
      allSuites: () => [{ fullName: 'a suite', errors: () => (broken.suite ? one : []) }],
      allTests: () => Object.entries(tests).map(([fullName, state]) => ({ fullName, result: () => ({ state }) })),
    },
  }
}

describe('the closing line', () => {
  test('counts what passed and what failed', () => {
    const summary = summarize(
      [testModule('a', { one: 'passed', two: 'passed' }), testModule('b', { three: 'failed' })],
      [],
    )
    expect(formatClosingLine(summary)).toBe('2 passed, 1 failed')
  })

  test('names skipped tests only when there are any', () => {
    expect(formatClosingLine(summarize([testModule('a', { one: 'passed', two: 'skipped' })], []))).toBe(
      '1 passed, 0 failed, 1 skipped',
    )
  })

  test('counts a file that does not load, a broken hook, an uncaught error and an unfinished test as failed', () => {
    const modules = [testModule('a', {}, { file: true }), testModule('b', { one: 'pending' }, { suite: true })]
    expect(formatClosingLine(summarize(modules, [{ message: 'late' }]))).toBe('0 passed, 4 failed')
  })
})

describe('a run', () => {
  const passed = { passed: 3, failed: [], skipped: [] }
  const local = { exitCode: 0, refuseSkips: false }

  test('that passed has no failures', () => {
    expect(findFailures(passed, local)).toEqual([])
  })

  test('without a single test is a failure', () => {
    expect(findFailures({ passed: 0, failed: [], skipped: [] }, local).join()).toContain('No test ran')
  })

  test('with a skipped test fails in CI, and says which', () => {
    const summary = { passed: 3, failed: [], skipped: ['a.test.ts > needs a browser'] }
    expect(findFailures(summary, local)).toEqual([])
    expect(findFailures(summary, { exitCode: 0, refuseSkips: true }).join()).toContain('a.test.ts > needs a browser')
  })

  test('lists what failed', () => {
    expect(findFailures({ passed: 3, failed: ['b > c'], skipped: [] }, { ...local, exitCode: 1 }).join()).toContain(
      'b > c',
    )
  })

  test('that vitest calls a failure is one, whatever was counted', () => {
    expect(findFailures(passed, { exitCode: 1, refuseSkips: false })).toEqual(['vitest ended with exit code 1.'])
  })
})
