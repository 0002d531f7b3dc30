import type { PoolEvent } from '@switchboard/pool'
import { type AuditTrail, summarizeParams } from '@switchboard/telemetry'

/** One entry of the audit trail for every tool call of the pool. */
export function auditCall(trail: AuditTrail, event: Extract<PoolEvent, { type: 'tool_called' }>): void {
  const { call, tool, server, args, outcome, result, error, durationMs } = event
  const isCancelled = error?.code === 'cancelled'
  trail.record({
    trace_id: call.traceId,
    session: call.caller.session ?? null,
    caller: call.caller.clientInfo?.name ?? null,
    tool,
    provider: server,
    params_summary: summarizeParams(args),
    outcome: outcome === 'failed' ? (isCancelled ? 'cancelled' : 'error') : outcome,
    ...(error === undefined ? {} : { code: error.code }),
    duration_ms: Math.round(durationMs),
    bytes: result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result)),
  })
}
