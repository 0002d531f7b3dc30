/**
 * What gateway and pool know of tracing: a request may have a span, and a hop may be opened below it. Whoever records is behind
 * this interface and is loaded only when somebody wants the spans; without one a call has no span, and its caller's own context
 * passes as it came.
 */
import type { JsonObject, RequestId } from '../json-rpc.ts'
import type { Era } from '../versions.ts'

/** Undefined: left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client'

/** Times are monotonic milliseconds, of `performance.now()`. */
export interface Hop {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes
  /** Default: now. */
  readonly begun?: number
}

/** One span under way. Its sampled-out twin looks the same, and leaves nothing behind but its share of the measurements. */
export interface CallSpan {
  /** W3C, with this span as the parent: what the next hop is told. */
  readonly traceparent: string
  /** Of the caller, and told along with it. */
  readonly tracestate: string | undefined
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** What it was called with, or what came back: kept only where a person has asked for it, and masked then. */
  setContent(part: 'arguments' | 'result', value: unknown): void
  /** It failed; `code` becomes its `error.type`. The first time counts. `rpcCode`: of the error that the protocol tells. */
  fail(code: string, message: string, rpcCode?: number): void
  /** A moment in it. */
  note(event: string, attributes?: SpanAttributes): void
  /** It has to do with another span, which is not its parent. */
  link(traceparent: string): void
  /** A hop below it. */
  open(hop: Hop): CallSpan
  /** Once: what is said later is lost. */
  end(at?: number): void
}

/** The headers of W3C, as they came beside a request. */
export interface TraceCarrier {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/** A request as it came in, for whoever opens its span. */
export interface TracedRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  readonly traceId: string
  /** When it was read. */
  readonly begun: number
  /** Of its HTTP request. What its own `_meta` says wins. */
  readonly carrier?: TraceCarrier | undefined
  readonly transport: string
  readonly profile: string
  readonly instance?: string | undefined
  /** Its front tells how long the request was with it. */
  readonly isTimed?: boolean | undefined
  readonly session?: string | undefined
  readonly client?: string | undefined
  readonly era: Era
  /** Of the protocol. */
  readonly version: string
}

/** Whoever opens the spans of requests. */
export interface Tracer {
  /** Asked before anything is put together for it. */
  readonly isOn: boolean
  /** Undefined: of this request there is none. Never throws. */
  begin(request: TracedRequest): CallSpan | undefined
}

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** By the rules of W3C: a later version may have more behind what is known of the first. Undefined: it is none. */
export function readTraceparent(text: unknown): TraceParent | undefined {
  if (typeof text !== 'string') return undefined
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
