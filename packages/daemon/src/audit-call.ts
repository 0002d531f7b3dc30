import type { CallReport } from '@switchboard/gateway'
import { type AuditTrail, summarizeParams } from '@switchboard/telemetry'
import { measureContent } from './metrics/measure-content.ts'

/**
 * One entry of the audit trail for every tool call that went through the gateway. The answer leaves before it is made, and
 * until then only what it says is held: a large result is counted now, and by its call a whole request would stay.
 */
export function auditCall(trail: AuditTrail, report: CallReport): void {
  const { tool, provider, params, outcome, error, durationMs, result } = report
  const { traceId, caller } = report.call
  const { session = null, clientInfo } = caller
  const client = clientInfo?.name ?? null
  const bytes = result === undefined ? 0 : measureContent(result)
  const code = error?.code
  trail.record(() => ({
    trace_id: traceId,
    session,
    caller: client,
    tool,
    provider,
    params_summary: summarizeParams(params),
    outcome: outcome === 'failed' ? (code === 'cancelled' ? 'cancelled' : 'error') : outcome,
    ...(code === undefined ? {} : { code }),
    duration_ms: Math.round(durationMs),
    bytes,
  }))
}
