import { expect, it } from 'vitest'
import { explainEnd } from '../src/explain-end.ts'

it.each(['stopped', 'running'])('a session that is %s ends with the command that began it', (event) => {
  expect(explainEnd({ sessionId: 's1', event })).toContain('The debug session s1 has ended with this command')
})

it.each([{}, { sessionId: 's1', event: 'terminated' }, { sessionId: 's1' }, { event: 'stopped' }])(
  'of %j nothing has ended',
  (data) => {
    expect(explainEnd(data)).toBeUndefined()
  },
)
