/** What a server is told of the trace that a request belongs to, in `_meta` and in the headers of HTTP, and what is recorded of it. */
import { type Call, createTraceparent, type JsonObject, type RequestId } from '@switchboard/protocol'
import type { CallSpan, SpanAttributes } from '@switchboard/protocol/tracing'
import type { TransportKind } from '../transport/transport.ts'

/** Our span is the parent of what the server does. Where nobody records, its caller's is, whose context passes as it came. */
export function putTrace(meta: JsonObject, { traceId, carrier }: Call, span: CallSpan | undefined): void {
  if (span !== undefined) {
    meta.traceparent = span.traceparent
    if (span.tracestate === undefined) delete meta.tracestate
    else meta.tracestate = span.tracestate
  } else if (meta.traceparent === undefined) {
    meta.traceparent = carrier?.traceparent ?? createTraceparent(traceId)
    if (carrier?.tracestate !== undefined) meta.tracestate ??= carrier.tracestate
  }
}

export function createTraceHeaders({ traceparent, tracestate }: CallSpan): Record<string, string> {
  return tracestate === undefined || !isHeaderText(tracestate) ? { traceparent } : { traceparent, tracestate }
}

/** A caller may have written anything into it. */
const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

export function describeRequest(
  span: CallSpan,
  { id, version, transport }: { readonly id: RequestId; readonly version: string; readonly transport: TransportKind },
): void {
  span.set({
    'jsonrpc.request.id': String(id),
    'mcp.protocol.version': version === '' ? undefined : version,
    ...describeTransport(transport),
  })
}

function describeTransport(kind: TransportKind): SpanAttributes {
  if (kind === 'stdio') return { 'network.transport': 'pipe' }
  return { 'network.transport': 'tcp', 'network.protocol.name': kind === 'websocket' ? 'websocket' : 'http' }
}
