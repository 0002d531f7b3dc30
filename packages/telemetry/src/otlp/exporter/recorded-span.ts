/** A span while it is under way. What becomes of it when it ends is the business of whoever made it. */
import {
  type CallSpan,
  createSpanId,
  type Hop,
  readTraceparent,
  type SpanAttributes,
} from '@switchboard/protocol/tracing'

export interface SpanHost {
  readonly keepsContent: boolean
  onEnded(span: RecordedSpan): void
}

export interface SpanStart extends Hop {
  readonly traceId: string
  readonly parentId: string | undefined
  readonly isSampled: boolean
  readonly tracestate: string | undefined
  readonly isParentRemote: boolean
}

export interface SpanMoment {
  readonly name: string
  readonly at: number
  readonly attributes: SpanAttributes
}

/** A server that asks back for ever, or a progress for every byte, fills no memory. */
const MOST_MOMENTS = 32
const MOST_LINKS = 32

export class RecordedSpan implements CallSpan {
  readonly spanId = createSpanId()
  readonly start: SpanStart
  begun: number
  readonly moments: SpanMoment[] = []
  readonly links: string[] = []
  name: string
  attributes: Record<string, string | number | boolean | undefined>
  content: { arguments?: unknown; result?: unknown } | undefined
  failure: { readonly code: string; readonly message: string } | undefined
  /** Undefined while it is under way. */
  ended: number | undefined
  readonly #host: SpanHost

  constructor(start: SpanStart, host: SpanHost) {
    this.start = start
    this.name = start.name
    this.begun = start.begun ?? performance.now()
    this.attributes = { ...start.attributes }
    this.#host = host
  }

  get traceparent(): string {
    return `00-${this.start.traceId}-${this.spanId}-${this.start.isSampled ? '01' : '00'}`
  }

  get tracestate(): string | undefined {
    return this.start.tracestate
  }

  rename(name: string): void {
    if (this.ended === undefined) this.name = name
  }

  set(attributes: SpanAttributes): void {
    if (this.ended === undefined) Object.assign(this.attributes, attributes)
  }

  setContent(part: 'arguments' | 'result', value: unknown): void {
    if (!this.#host.keepsContent || !this.start.isSampled || this.ended !== undefined) return
    this.content ??= {}
    this.content[part] = value
  }

  fail(code: string, message: string, rpcCode?: number): void {
    if (this.ended !== undefined) return
    this.failure ??= { code, message }
    if (rpcCode !== undefined) this.attributes['rpc.response.status_code'] = String(rpcCode)
  }

  note(name: string, attributes: SpanAttributes = {}): void {
    if (!this.start.isSampled || this.ended !== undefined || this.moments.length >= MOST_MOMENTS) return
    this.moments.push({ name, at: performance.now(), attributes })
  }

  link(traceparent: string): void {
    if (this.links.length < MOST_LINKS && readTraceparent(traceparent) !== undefined) this.links.push(traceparent)
  }

  open(hop: Hop): CallSpan {
    const { traceId, isSampled, tracestate } = this.start
    const start = { ...hop, traceId, isSampled, tracestate, parentId: this.spanId, isParentRemote: false }
    return new RecordedSpan(start, this.#host)
  }

  end(at: number = performance.now()): void {
    if (this.ended !== undefined) return
    this.ended = Math.max(this.begun, at)
    this.#host.onEnded(this)
  }
}
