import type { CallReport } from '@switchboard/gateway'
import { expect, test } from 'vitest'
import { LiveCalls, toLatencyPoint } from '../../src/dashboard/live-calls.ts'

function report(tool: string, durationMs: number, provider = 'fx'): CallReport {
  const call = { id: '1', traceId: 'f'.repeat(32), caller: { era: 'legacy', capabilities: {} } }
  // No more of a call is looked at.
  return { tool, provider, params: {}, outcome: 'ok', begun: 0, durationMs, call } as unknown as CallReport
}

test('tells the newest calls, and how many more there were', () => {
  const live = new LiveCalls({ rows: true, latency: undefined })
  for (let at = 0; at < 100; at++) live.note(report(`t${at}`, 1))
  const { calls = [], skippedCalls } = live.takeRows()
  expect({ count: calls.length, last: calls.at(-1)?.tool, skippedCalls }).toEqual({
    count: 60,
    last: 't99',
    skippedCalls: 40,
  })
  expect(live.takeRows()).toEqual({})
  expect(live.takeLatency(0)).toBeUndefined()
})

test('of calls that come too fast those that failed are told first', () => {
  const live = new LiveCalls({ rows: true, latency: undefined })
  for (let at = 0; at < 100; at++) live.note({ ...report(`t${at}`, 1), outcome: at % 10 === 0 ? 'tool_error' : 'ok' })
  const { calls = [], skippedCalls } = live.takeRows()
  expect(calls.filter(({ outcome }) => outcome !== 'ok').map(({ tool }) => tool)).toEqual(
    [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((at) => `t${at}`),
  )
  expect({ count: calls.length, last: calls.at(-1)?.tool, skippedCalls }).toEqual({
    count: 60,
    last: 't99',
    skippedCalls: 40,
  })
})

test('measures the calls of one server, or of all', () => {
  const [one, all] = [new LiveCalls({ rows: false, latency: 'fx' }), new LiveCalls({ rows: false, latency: '' })]
  for (const live of [one, all]) {
    live.note(report('a', 10))
    live.note(report('b', 30, 'other'))
  }
  expect(one.takeLatency(5_000)).toEqual({ t: 5, calls: 1, p50: 10, p95: 10 })
  expect(all.takeLatency(5_000)).toMatchObject({ calls: 2, p50: 30 })
  expect(one.takeRows()).toEqual({})
})

test('a stretch without calls has no latency', () => {
  expect(toLatencyPoint(1_000, [])).toEqual({ t: 1, calls: 0, p50: null, p95: null })
})
