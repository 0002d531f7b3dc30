import type { CallReport } from '@switchboard/gateway'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { formatMetrics } from '@switchboard/telemetry'
import { expect, it } from 'vitest'
import { CallMetrics } from '../../src/metrics/call-metrics.ts'
import { measureContent } from '../../src/metrics/measure-content.ts'

const CALL: CallReport['call'] = {
  id: '1',
  traceId: 't',
  caller: { era: 'legacy', capabilities: {} },
  signal: new AbortController().signal,
}

function report(more: Partial<CallReport>): CallReport {
  const common = { tool: 'files_read', provider: 'files', params: {}, call: CALL, outcome: 'ok' } as const
  return { ...common, begun: 0, durationMs: 4, ...more }
}

it('counts calls by server and end, sums their time in growing buckets, and their results', () => {
  const metrics = new CallMetrics()
  const record = (one: CallReport): void =>
    metrics.record(one, one.result === undefined ? 0 : measureContent(one.result))
  record(report({ result: { content: [{ type: 'text', text: 'hello' }] } }))
  record(report({ durationMs: 40, outcome: 'tool_error', result: { content: [] } }))
  record(report({ durationMs: 90_000, outcome: 'failed', error: new SwitchboardError('timeout', 'Too slow') }))
  record(report({ provider: 'git' }))
  const envelope = { ok: false, type: 'error', error: { code: 'E_NO_SESSION' } }
  const failed = { outcome: 'tool_error', result: { isError: true, content: [], structuredContent: envelope } } as const
  record(report({ provider: 'git', ...failed }))
  record(report({ provider: 'pack:debug', ...failed }))
  const lines = formatMetrics(metrics.collect()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'switchboard_calls_total{server="files",code="ok"} 1',
      'switchboard_calls_total{server="files",code="tool_error"} 1',
      'switchboard_calls_total{server="files",code="timeout"} 1',
      'switchboard_calls_total{server="git",code="ok"} 1',
      // What a server says in its own results makes no series; what a pack declares does.
      'switchboard_calls_total{server="git",code="tool_error"} 1',
      'switchboard_calls_total{server="pack:debug",code="E_NO_SESSION"} 1',
      'switchboard_call_duration_seconds_bucket{server="files",le="0.0025"} 0',
      'switchboard_call_duration_seconds_bucket{server="files",le="0.005"} 1',
      'switchboard_call_duration_seconds_bucket{server="files",le="0.05"} 2',
      'switchboard_call_duration_seconds_bucket{server="files",le="60"} 2',
      'switchboard_call_duration_seconds_bucket{server="files",le="+Inf"} 3',
      'switchboard_call_duration_seconds_sum{server="files"} 90.044',
      'switchboard_call_duration_seconds_count{server="files"} 3',
      'switchboard_result_bytes_total{server="files"} 5',
    ]),
  )
})

it('has nothing to show before the first call', () => {
  expect(new CallMetrics().collect().flatMap(({ samples }) => samples)).toEqual([])
})
