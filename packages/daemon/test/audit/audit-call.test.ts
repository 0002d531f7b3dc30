import type { CallReport } from '@switchboard/gateway'
import { type Caller, type CallTimes, createCallTimes } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { AuditTrail } from '@switchboard/telemetry'
import { expect, it } from 'vitest'
import { auditCall } from '../../src/audit/audit-call.ts'

const caller: Caller = { era: 'legacy', capabilities: {} }

type Entry = Parameters<AuditTrail['record']>[0]

function audit(report: Partial<CallReport>): unknown {
  const entries: Entry[] = []
  const trail: AuditTrail = {
    record: (entry) => void entries.push(entry),
    flush: async () => {},
    close: async () => {},
  }
  auditCall(
    trail,
    {
      tool: 'files_read',
      provider: 'files',
      params: {},
      call: {
        id: '1',
        traceId: 't',
        caller,
        signal: new AbortController().signal,
      },
      outcome: 'ok',
      begun: 1_000,
      durationMs: 4,
      ...report,
    },
    0,
  )
  const [entry] = entries
  // As it is written: without what is undefined.
  return JSON.parse(JSON.stringify(typeof entry === 'function' ? entry() : entry))
}

function failWith(code: string): Pick<CallReport, 'outcome' | 'result'> {
  const structuredContent = { ok: false, type: 'error', error: { code } }
  return { outcome: 'tool_error', result: { isError: true, content: [], structuredContent } }
}

it('notes how far a call came when, since it came in', () => {
  const call = (times: CallTimes) => ({ id: '1', traceId: 't', caller, signal: new AbortController().signal, times })
  const answered = { queuedAt: 1_000.4, sentAt: 1_002, answeredAt: 1_003.6 }
  expect(audit({ call: call(answered) })).toMatchObject({ queued_ms: 0, sent_ms: 2, answered_ms: 4 })
  const refused = audit({ call: call(createCallTimes()) })
  for (const name of ['queued_ms', 'sent_ms', 'answered_ms']) expect(refused).not.toHaveProperty(name)
})

it.each<[string, Partial<CallReport>, object]>([
  ['what succeeded', {}, { outcome: 'ok' }],
  ["a tool's own failure", { outcome: 'tool_error', result: { isError: true } }, { outcome: 'tool_error' }],
  ['a code that a server has in its result', failWith('x'), { outcome: 'tool_error' }],
  ['the code of a pack', { provider: 'pack:debug', ...failWith('E_X') }, { outcome: 'error', code: 'E_X' }],
  [
    'the code of our own tools',
    { provider: 'switchboard', ...failWith('unknown_mode') },
    { outcome: 'error', code: 'unknown_mode' },
  ],
  [
    'a call of a pack that was cancelled',
    { provider: 'pack:debug', ...failWith('E_CANCELLED') },
    { outcome: 'cancelled', code: 'E_CANCELLED' },
  ],
  [
    'a failure on the way',
    { outcome: 'failed', error: new SwitchboardError('timeout', 'm') },
    { outcome: 'error', code: 'timeout' },
  ],
  [
    'what was cancelled',
    { outcome: 'failed', error: new SwitchboardError('cancelled', 'm') },
    { outcome: 'cancelled', code: 'cancelled' },
  ],
])('notes %s', (_what, report, expected) => {
  const entry = audit(report)
  expect(entry).toMatchObject(expected)
  if (!('code' in expected)) expect(entry).not.toHaveProperty('code')
})
