import { createMemoryLogger } from '@switchboard/telemetry'
import { expect, test } from 'vitest'
import { takeServerBack } from '../../src/mcp/deactivation.ts'

test('the registration goes first, then the server, then a tick passes, and only then the provider goes', async () => {
  const steps: string[] = []
  const log = createMemoryLogger({ inst: 'tt79-6f854d' })
  const ended = takeServerBack({
    log,
    registration: { dispose: () => void steps.push('registration') },
    provider: {
      shutdown: () => {
        steps.push('shutdown')
        // VS Code asks again in a task of its own.
        setTimeout(() => steps.push('asked again'), 0)
      },
      dispose: () => void steps.push('provider'),
    },
  })
  expect(steps).toEqual(['registration', 'shutdown'])
  await ended
  expect(steps).toEqual(['registration', 'shutdown', 'asked again', 'provider'])
  expect(log.entries.map(({ cat, msg }) => `${cat} ${msg.slice(0, 11)}`)).toEqual([
    'ext.deactivate step 1 of 4',
    'ext.mcp step 2 of 4',
    'ext.deactivate step 3 of 4',
    'ext.mcp step 4 of 4',
  ])
})
