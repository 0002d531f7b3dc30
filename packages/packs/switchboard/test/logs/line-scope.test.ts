import { logFileName } from '@switchboard/telemetry'
import { expect, it } from 'vitest'
import { createLineScope } from '../../src/logs/line-scope.ts'
import type { ServerSummary } from '../../src/services.ts'

const ME = 'aaaa-000001'
const summary = (name: string): ServerSummary => ({
  name,
  state: 'ready',
  tools: 0,
  restarts: 0,
  inFlight: 0,
  queued: 0,
})
const servers = ['a', 'a-b', 'b.c'].map(summary)
const shows = createLineScope((name) => name === 'a' || name === 'b.c', servers, { instance: ME })

const line = (source: string, more: { cat?: string; msg?: string; data?: unknown } = {}) => ({
  ts: '2026-01-02T00:00:00.000Z',
  level: 'info' as const,
  cat: 'server.stderr',
  inst: 'daemon',
  msg: 'hello',
  source,
  ...more,
})

it.each([
  line('server-a'),
  line(`server-a-${ME}`),
  line(logFileName({ runtime: 'server', name: 'b.c' }).slice(0, -4)),
  line(`mcp-${ME}`),
  line('daemon', { data: { server: 'a' } }),
  line('daemon', { cat: 'mcp.tool', data: { provider: 'a' } }),
  line('daemon', { cat: 'pool.catalog', msg: 'a: could not read tools again' }),
])('shows what is of its servers and its window: $source $msg', (one) => expect(shows(one)).toBe(true))

it.each([
  line('server-a-b'),
  line('server-a-bbbb-000002'),
  line('server-gone'),
  line('mcp-bbbb-000002'),
  line('cli-bbbb-000002'),
  line('ext-bbbb-000002'),
  line('daemon', { cat: 'daemon.start', msg: 'daemon starts', data: { home: '/home/you' } }),
  line('daemon', { data: { server: 'a-b' } }),
  line('daemon', { data: { server: 7 } }),
  line('daemon', { cat: 'mcp.tool', data: { provider: 'a-b' } }),
  line('daemon', { cat: 'pool.catalog', msg: 'a-b: could not read tools again' }),
  line('daemon', { cat: 'mcp.tool', msg: 'a: start something', data: { tool: 'x' } }),
])('shows nothing else: $source $msg', (one) => expect(shows(one)).toBe(false))
