import { createLeakCheck, fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('of a real call is always known when it was sent and answered', async () => {
  await using home = await TestHome.create({ mcpServers: { fx: fixtureCommand({}) } })
  expect((await home.run(['call', 'fx_echo', '{"text":"hello"}'])).code).toBe(0)
  const { calls } = JSON.parse((await home.run(['trace', '--last', '--json'])).out)
  const [{ sent_ms, answered_ms, duration_ms, trace_id }] = calls
  expect(sent_ms).toBeLessThanOrEqual(answered_ms)
  expect(answered_ms).toBeLessThanOrEqual(duration_ms)
  const { out } = await home.run(['trace', trace_id])
  expect(out).toMatch(/came in\n[\s\S]*sent to fx\n[\s\S]*fx has answered\n[\s\S]*fx_echo: ok/)
})

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
