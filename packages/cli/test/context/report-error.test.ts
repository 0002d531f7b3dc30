import { SwitchboardError } from '@switchboard/protocol/errors'
import { expect, test } from 'vitest'
import { OptionValues } from '../../src/command-line/option-values.ts'
import { createBareContext } from '../../src/context/command-context.ts'
import { reportError } from '../../src/context/report-error.ts'
import { createTestIo } from '../run-main.ts'

function report(error: SwitchboardError): string {
  const io = createTestIo()
  reportError(createBareContext(io, new OptionValues()), error)
  return io.stderr.plain
}

test('a person is told how long to wait, and of which server, not of the members of an answer', () => {
  const soon = new SwitchboardError('restart_in_progress', 'web is being restarted', { retryAfterMs: 2_340 })
  expect(report(soon)).toContain('hint:  Try again after 2.4 s.\n')
  expect(report(new SwitchboardError('restart_in_progress', 'no'))).toContain('hint:  Try again after a moment.\n')
  const failed = report(new SwitchboardError('restart_failed', 'no', { details: { server: 'web' } }))
  expect(failed).toContain('Read the reason and the last stderr lines; `switchboard server logs web` has all of them.')
})
