/** The view "Recent Calls": the newest first, each with its trace a click away. */
import type { AuditLine } from '@switchboard/telemetry'
import { formatTime } from './format-time.ts'
import type { ViewRow } from './row.ts'

/** `instance`: of this window; calls of others say whose they are. */
export function createCallRows(calls: readonly AuditLine[], instance: string): ViewRow[] {
  return calls.map((call, index) => createCallRow(call, instance, index)).reverse()
}

function createCallRow(call: AuditLine, instance: string, index: number): ViewRow {
  const { ts, inst, tool, provider, outcome, code, duration_ms, trace_id, params_summary } = call
  const isOk = outcome === 'ok'
  const whose = inst === instance ? [] : [inst]
  return {
    id: `call/${trace_id}/${ts}/${index}`,
    label: tool,
    description: [...(isOk ? [] : [code ?? outcome]), `${Math.round(duration_ms)} ms`, formatTime(ts), ...whose].join(
      ' · ',
    ),
    tooltip: [`${tool} (${provider})`, params_summary, `${ts}, window ${inst}`, `trace ${trace_id}`]
      .filter((line) => line !== '')
      .join('\n'),
    icon: isOk ? 'check' : 'error',
    color: isOk ? 'testing.iconPassed' : 'list.errorForeground',
    kind: 'call',
    subject: trace_id,
    command: { id: 'switchboard.showTrace', title: 'Show the Trace' },
  }
}
