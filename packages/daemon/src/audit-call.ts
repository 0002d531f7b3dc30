import type { CallReport } from '@switchboard/gateway'
import { type AuditTrail, summarizeParams } from '@switchboard/telemetry'

/**
 * One entry of the audit trail for every tool call that went through the gateway. The answer leaves before it is made, and
 * until then only what it says is held: by its result or its call a whole answer or request would stay.
 */
export function auditCall(trail: AuditTrail, report: CallReport, bytes: number): void {
  const { tool, provider, params, outcome, error, durationMs } = report
  const { traceId, caller } = report.call
  const { session = null, clientInfo } = caller
  const client = clientInfo?.name ?? null
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
