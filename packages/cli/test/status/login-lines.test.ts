import { expect, test } from 'vitest'
import { renderStatusTable } from '../../src/status/status-table.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { CapturedStream } from '../run-main.ts'
import { createServer } from './server-fixtures.ts'

const style = createStyle(new CapturedStream(), { env: {}, noColor: true })

test.each([
  [{ state: 'auth_required', reason: 'nobody is logged in', login: 'wanted' }, '→ switchboard server login web'],
  [{ state: 'auth_required', reason: '401' }, '→ add a valid Authorization header to "headers" in its configuration'],
  [{ state: 'ready', login: 'wanted' }, 'some of its calls want a login → switchboard server login web'],
] as const)('the status of %j says what to do', (more, expected) => {
  const server = createServer({ name: 'web', transport: 'http', ...more })
  const lines = renderStatusTable([server], { style, width: 120 }).map((line) => line.trim())
  expect(lines).toContain(expected)
})

test('the status of a server that somebody is logged in to says nothing of it', () => {
  const server = createServer({ name: 'web', transport: 'http', state: 'ready', login: 'kept' })
  expect(renderStatusTable([server], { style, width: 120 }).join('\n')).not.toContain('login')
})
