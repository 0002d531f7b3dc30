import { createLeakCheck, fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a real call is found again with every step of its way', async () => {
  await using home = await TestHome.create({ mcpServers: { fx: fixtureCommand({}) } })
  const env = { SWITCHBOARD_LOG_LEVEL: 'debug' }
  const called = await home.run(['call', 'fx_echo', '{"text":"hello"}'], { env })
  expect(called.code).toBe(0)
  const { calls } = JSON.parse((await home.run(['trace', '--last', '--json'])).out)
  expect(calls).toMatchObject([{ tool: 'fx_echo', outcome: 'ok' }])
  const { code, out } = await home.run(['trace', calls[0].trace_id.slice(0, 10)])
  expect(code).toBe(0)
  expect(out).toMatch(/pool\.call {2}fx: sent/)
  expect(out).toMatch(/pool\.call {2}fx: answered[\s\S]+audit +fx_echo: ok/)
})
