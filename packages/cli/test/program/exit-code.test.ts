import { ERROR_CODES, SwitchboardError } from '@switchboard/protocol/errors'
import { expect, test } from 'vitest'
import { EXIT_CODES, exitCodeOf, exitCodeOfInterruption } from '../../src/program/exit-code.ts'

test('every error of the catalogue ends with a code of the table, and none with 0', () => {
  const known = new Set<number>(EXIT_CODES.map(({ code }) => code))
  const wrong = ERROR_CODES.filter((code) => {
    const exit = exitCodeOf(new SwitchboardError(code, ''))
    return exit === 0 || !known.has(exit)
  })
  expect(wrong).toEqual([])
})

test.each([
  ['invalid_configuration', {}, 64],
  ['unknown_tool', {}, 2],
  ['invalid_arguments', {}, 2],
  ['not_installed', {}, 69],
  ['restart_in_progress', {}, 75],
  ['restart_failed', { retryAfterMs: 1000 }, 75],
  ['restart_failed', { retryable: false }, 69],
  ['timeout', {}, 1],
  ['cancelled', {}, 130],
] as const)('%s %j ends with %i', (code, options, exit) => {
  expect(exitCodeOf(new SwitchboardError(code, '', options))).toBe(exit)
})

test('a signal ends with 128 and its number, a reader that went away with 0', () => {
  expect(exitCodeOfInterruption({ kind: 'signal', signal: 'SIGINT' })).toBe(130)
  expect(exitCodeOfInterruption({ kind: 'signal', signal: 'SIGTERM' })).toBe(143)
  expect(exitCodeOfInterruption({ kind: 'signal', signal: 'SIGHUP' })).toBe(129)
  expect(exitCodeOfInterruption({ kind: 'broken_pipe' })).toBe(0)
})
