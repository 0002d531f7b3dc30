/** The messages of OTLP, in the form that its JSON has; protobuf is written from the same values (`write-protobuf.ts`). */

/** Exactly one member. */
export interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  /** 64 bits: a text in JSON. */
  readonly intValue?: string
  readonly doubleValue?: number
}

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

export interface ResourceMessage {
  readonly attributes: readonly KeyValue[]
}

export interface ScopeMessage {
  readonly name: string
  readonly version: string
}

export interface SpanMessage {
  readonly traceId: string
  readonly spanId: string
  readonly traceState?: string
  readonly parentSpanId?: string
  readonly flags: number
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events: readonly { timeUnixNano: string; name: string; attributes: readonly KeyValue[] }[]
  readonly links: readonly { traceId: string; spanId: string; flags: number }[]
  readonly status: { readonly message?: string; readonly code?: number }
}

export interface NumberPoint {
  readonly attributes: readonly KeyValue[]
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
  readonly asDouble: number
}

export interface HistogramPoint {
  readonly attributes: readonly KeyValue[]
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
  /** 64 bits: texts in JSON, as those of the buckets. */
  readonly count: string
  readonly sum: number
  readonly bucketCounts: readonly string[]
  readonly explicitBounds: readonly number[]
}

export interface MetricMessage {
  readonly name: string
  readonly description: string
  readonly unit: string
  readonly gauge?: { readonly dataPoints: readonly NumberPoint[] }
  readonly sum?: {
    readonly dataPoints: readonly NumberPoint[]
    readonly aggregationTemporality: number
    readonly isMonotonic: boolean
  }
  readonly histogram?: { readonly dataPoints: readonly HistogramPoint[]; readonly aggregationTemporality: number }
}

export const SPAN_KIND = { internal: 1, server: 2, client: 3 } as const
export const STATUS_ERROR = 2
/** Since the start of the process, all of it. */
export const CUMULATIVE = 2

/** `write`: what becomes of each text. */
export function toKeyValues(
  attributes: Readonly<Record<string, string | number | boolean | undefined>>,
  write: (text: string) => string = (text) => text,
): KeyValue[] {
  const list: KeyValue[] = []
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) list.push({ key, value: toAnyValue(typeof value === 'string' ? write(value) : value) })
  }
  return list
}

function toAnyValue(value: string | number | boolean): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Of milliseconds since the epoch; a number has not the digits for nanoseconds. */
export function toUnixNano(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${whole}${String(Math.min(999_999, Math.round((milliseconds - whole) * 1e6))).padStart(6, '0')}`
}
