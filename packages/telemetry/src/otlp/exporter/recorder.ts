/** Opens the span of a request as it comes in: whose trace it is, whether that is recorded, and what is known of it by then. */
import { createHash } from 'node:crypto'
import type { RequestId } from '@switchboard/protocol'
import {
  type CallSpan,
  readTraceparent,
  type SpanAttributes,
  type TracedRequest,
  type TraceParent,
} from '@switchboard/protocol/tracing'
import { FrontSpans } from './front-spans.ts'
import type { OperationDurations } from './operation-durations.ts'
import { RecordedSpan, type SpanHost, type SpanStart } from './recorded-span.ts'
import type { Sampler } from './sampler.ts'

export interface RecorderOptions {
  readonly sampler: Sampler
  readonly keepsContent: boolean
  readonly durations: OperationDurations
  /** A sampled span is over. `instance`: it is one of that window's front. */
  onSpan(span: RecordedSpan, instance?: string): void
}

/** Asked often, and by themselves they do nothing; or they last as long as their caller. */
const UNTRACED: ReadonlySet<string> = new Set(['ping', 'server/discover', 'subscriptions/listen', 'logging/setLevel'])

/** W3C wants no more passed on. */
const MOST_STATE = 512

export class Recorder implements SpanHost {
  readonly keepsContent: boolean
  readonly fronts: FrontSpans
  readonly #options: RecorderOptions
  readonly #timed = new WeakMap<RecordedSpan, { readonly instance: string; readonly id: RequestId }>()

  constructor(options: RecorderOptions) {
    this.#options = options
    this.keepsContent = options.keepsContent
    this.fronts = new FrontSpans((front) =>
      options.onSpan(front, String(front.attributes['switchboard.instance'] ?? '')),
    )
  }

  begin(request: TracedRequest): CallSpan | undefined {
    const { method, traceId, begun } = request
    if (UNTRACED.has(method)) return undefined
    const { parent, tracestate, beside } = readContext(request)
    const isSampled = this.#options.sampler(traceId, parent)
    const common = { name: method, kind: 'server', traceId, isSampled, tracestate } as const
    const front = this.#openFront(request, { ...common, parentId: parent?.spanId, isParentRemote: true })
    const start: SpanStart = {
      ...common,
      begun,
      attributes: describe(request),
      parentId: front?.spanId ?? parent?.spanId,
      isParentRemote: front !== undefined || parent !== undefined,
    }
    const span = new RecordedSpan(start, this)
    if (beside !== undefined) span.link(beside)
    const { instance, id } = request
    if (front !== undefined && instance !== undefined) {
      this.#timed.set(span, { instance, id })
      this.fronts.await(instance, id, front, span)
    }
    return span
  }

  onEnded(span: RecordedSpan): void {
    this.#options.durations.observe(span)
    if (!span.start.isSampled) return
    this.#options.onSpan(span)
    const timed = this.#timed.get(span)
    if (timed !== undefined) this.fronts.onEnded(timed.instance, timed.id, span)
  }

  #openFront({ isTimed, instance }: TracedRequest, start: SpanStart): RecordedSpan | undefined {
    if (isTimed !== true || instance === undefined || !start.isSampled) return undefined
    return new RecordedSpan({ ...start, attributes: { 'switchboard.hop': 'front' } }, this)
  }
}

interface Context {
  readonly parent: TraceParent | undefined
  readonly tracestate: string | undefined
  /** What the HTTP request says where the message says something else: they need not be of one trace. */
  readonly beside: string | undefined
}

function readContext({ params, carrier }: TracedRequest): Context {
  const meta = params._meta as { traceparent?: unknown; tracestate?: unknown } | undefined
  const own = readTraceparent(meta?.traceparent)
  if (own !== undefined) {
    const isOther = carrier !== undefined && readTraceparent(carrier.traceparent)?.spanId !== own.spanId
    return { parent: own, tracestate: readState(meta?.tracestate), beside: isOther ? carrier.traceparent : undefined }
  }
  const parent = readTraceparent(carrier?.traceparent)
  return { parent, tracestate: parent === undefined ? undefined : readState(carrier?.tracestate), beside: undefined }
}

function readState(state: unknown): string | undefined {
  return typeof state === 'string' && state !== '' && state.length <= MOST_STATE ? state : undefined
}

function describe(request: TracedRequest): SpanAttributes {
  const { id, method, params, transport, session, version, instance, profile, client } = request
  return {
    'mcp.method.name': method,
    'mcp.protocol.version': version,
    'mcp.session.id': session === undefined ? undefined : hashSession(session),
    'jsonrpc.request.id': String(id),
    'mcp.resource.uri': method.startsWith('resources/') ? textOf(params.uri) : undefined,
    'gen_ai.operation.name': method === 'tools/call' ? 'execute_tool' : undefined,
    ...describeTransport(transport),
    'switchboard.instance': instance,
    'switchboard.profile': profile,
    'switchboard.client': client,
  }
}

function describeTransport(transport: string): SpanAttributes {
  switch (transport) {
    case 'http':
    case 'sse':
      return { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
    case 'websocket':
      return { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' }
    default:
      return { 'network.transport': 'pipe' }
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

let hashed: { readonly session: string; readonly hash: string } | undefined

/** Who knows the id of a session may speak in it, so no collector is told it: what tells sessions apart is enough. */
function hashSession(session: string): string {
  if (hashed?.session !== session) {
    hashed = { session, hash: createHash('sha256').update(session).digest('hex').slice(0, 16) }
  }
  return hashed.hash
}
