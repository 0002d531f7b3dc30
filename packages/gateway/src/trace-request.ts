/** From a request as it came in to the span that it has where somebody records; and how that one ends. */
import {
  type Call,
  createTraceId,
  isJsonObject,
  type JsonObject,
  type Provider,
  readTraceId,
} from '@switchboard/protocol'
import {
  readFailureCode,
  readUpstreamRpcError,
  type SwitchboardError,
  toSwitchboardError,
} from '@switchboard/protocol/errors'
import { isPackProvider } from '@switchboard/protocol/naming'
import type { CallSpan, TraceCarrier, TracedRequest, Tracer } from '@switchboard/protocol/tracing'
import type { Identity } from './identity.ts'
import type { Incoming, IncomingRequest } from './incoming.ts'

type Conversation = Pick<TracedRequest, 'era' | 'version' | 'session' | 'client'>

export function openSpan(
  tracer: Tracer,
  { id, method, params, traceId, begun, carrier }: IncomingRequest,
  { transport, profile, instance, isTimed }: Identity,
  conversation: Conversation,
): CallSpan | undefined {
  return tracer.begin({
    id,
    method,
    params,
    traceId,
    begun,
    carrier,
    transport,
    profile,
    instance,
    isTimed,
    ...conversation,
  })
}

/** The headers of its HTTP request tell the trace of a request that tells none itself. */
export function withCarrier(
  incoming: Incoming,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Incoming {
  const { traceparent, tracestate } = headers
  if (traceparent === undefined || incoming.kind !== 'request') return incoming
  const traceId = readTraceId(traceparent)
  if (traceId === undefined || typeof traceparent !== 'string') return incoming
  const carrier: TraceCarrier = { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined }
  const { _meta: meta } = incoming.params
  const hasOwn = isJsonObject(meta) && readTraceId(meta.traceparent) !== undefined
  return { ...incoming, carrier, traceId: hasOwn ? incoming.traceId : traceId }
}

export function traceIdOf({ _meta: meta }: JsonObject): string {
  return (isJsonObject(meta) ? readTraceId(meta.traceparent) : undefined) ?? createTraceId()
}

/** What is known once the tool was found. A name that a caller has made up is no name of a span. */
export function describeTool(
  span: CallSpan,
  { tool, provider, isKnown }: { readonly tool: string; readonly provider: string; readonly isKnown: boolean },
): void {
  span.set({ 'switchboard.provider': provider, ...(isKnown ? { 'gen_ai.tool.name': tool } : {}) })
  if (isKnown) span.rename(`tools/call ${tool}`)
}

/** A server is a hop that is opened where it is spoken to; the work of a pack is one from here. */
export function requestTool(span: CallSpan, provider: Provider, params: JsonObject, call: Call): Promise<JsonObject> {
  return isPackProvider(provider.name)
    ? runPack(span, provider, params, call)
    : provider.request('tools/call', params, call)
}

async function runPack(span: CallSpan, provider: Provider, params: JsonObject, call: Call): Promise<JsonObject> {
  const begun = performance.now()
  const { times } = call
  const tool = String(params.name)
  if (times?.queuedAt !== undefined) span.open({ name: 'wait', kind: 'internal', begun: times.queuedAt }).end(begun)
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'switchboard.provider': provider.name,
  }
  const hop = span.open({ name: `execute_tool ${tool}`, kind: 'internal', attributes, begun })
  try {
    const result = await provider.request('tools/call', params, call)
    if (result.isError === true) hop.fail(readFailureCode(result) ?? 'tool_error', readFirstText(result))
    return result
  } catch (thrown) {
    const error = toSwitchboardError(thrown)
    hop.fail(error.code, error.message)
    throw thrown
  } finally {
    hop.end()
  }
}

/** What a tool answered, by which it may say that it failed. */
export function noteResult(span: CallSpan, provider: string, result: JsonObject): void {
  span.setContent('result', result)
  if (result.isError !== true) return
  const own = isPackProvider(provider) ? readFailureCode(result) : undefined
  span.fail(own ?? 'tool_error', readFirstText(result))
}

/** `error`: the request was answered with it. */
export function endSpan(span: CallSpan | undefined, error?: SwitchboardError): void {
  if (span === undefined) return
  if (error !== undefined) span.fail(error.code, error.message, readUpstreamRpcError(error)?.code ?? error.rpcCode)
  span.end()
}

function readFirstText({ content }: JsonObject): string {
  const [first] = Array.isArray(content) ? content : []
  return isJsonObject(first) && typeof first.text === 'string' ? first.text.slice(0, 1_000) : ''
}
