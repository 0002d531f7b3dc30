import type { CallReport } from '@switchboard/gateway'
import { type AuditEntry, type AuditTrail, summarizeParams } from '@switchboard/telemetry'
import { findFailureCode } from './failure-code.ts'

/** Of the gateway or a server, and of a pack. */
const CANCELLED: ReadonlySet<string> = new Set(['cancelled', 'E_CANCELLED'])

/**
 * One entry of the audit trail for every tool call that went through the gateway. The answer leaves before it is made, and
 * until then only what it says is held: by its result or its call a whole answer or request would stay.
 */
export function auditCall(trail: AuditTrail, report: CallReport, bytes: number): void {
  const { tool, provider, params, outcome, begun, durationMs } = report
  const { traceId, caller, times } = report.call
  const { session = null, clientInfo, instance } = caller
  const client = clientInfo?.name ?? null
  const code = findFailureCode(report)
  trail.record(() => ({
    inst: instance,
    trace_id: traceId,
    session,
    caller: client,
    tool,
    provider,
    params_summary: summarizeParams(params),
    outcome: toOutcome(outcome, code),
    code,
    duration_ms: Math.round(durationMs),
    queued_ms: since(begun, times?.queuedAt),
    sent_ms: since(begun, times?.sentAt),
    answered_ms: since(begun, times?.answeredAt),
    bytes,
  }))
}

export function outcomeOf({ outcome }: CallReport, code: string | undefined): AuditEntry['outcome'] {
  return toOutcome(outcome, code)
}

function toOutcome(outcome: CallReport['outcome'], code: string | undefined): AuditEntry['outcome'] {
  return code === undefined ? outcome : CANCELLED.has(code) ? 'cancelled' : 'error'
}

/** Undefined: it did not come to that. */
const since = (begun: number, at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.round(at - begun)
