import type { CallReport } from '@switchboard/gateway'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { type AuditEntry, type AuditTrail, summarizeParams } from '@switchboard/telemetry'

/** One entry of the audit trail for every tool call that went through the gateway. The answer leaves before it is made. */
export function auditCall(trail: AuditTrail, { result, ...report }: CallReport): void {
  // Counted now, so that a large result is not held until the entry is written.
  const bytes = result === undefined ? 0 : measureContent(result)
  trail.record(() => describeCall(report, bytes))
}

function describeCall(report: Omit<CallReport, 'result'>, bytes: number): AuditEntry {
  const { call, tool, provider, params, outcome, error, durationMs } = report
  return {
    trace_id: call.traceId,
    session: call.caller.session ?? null,
    caller: call.caller.clientInfo?.name ?? null,
    tool,
    provider,
    params_summary: summarizeParams(params),
    outcome: outcome === 'failed' ? (error?.code === 'cancelled' ? 'cancelled' : 'error') : outcome,
    ...(error === undefined ? {} : { code: error.code }),
    duration_ms: Math.round(durationMs),
    bytes,
  }
}

/** Of the texts and data in the content. To write the result out once more, only to count it, would double its cost. */
function measureContent(result: JsonObject): number {
  let bytes = 0
  for (const block of Array.isArray(result.content) ? result.content : []) {
    if (!isJsonObject(block)) continue
    const inner = isJsonObject(block.resource) ? block.resource : block
    for (const part of [inner.text, inner.data, inner.blob]) if (typeof part === 'string') bytes += part.length
  }
  return bytes
}
