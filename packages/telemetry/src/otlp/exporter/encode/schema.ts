/** Numbers and types of the members that we write, from the .proto files of OTLP (collector, common, resource, trace, metrics). */

/** `hex`: bytes, a text of hex digits in JSON. A name in capitals: a message. */
export type WireType =
  | 'string'
  | 'bool'
  | 'enum'
  | 'int64'
  | 'fixed32'
  | 'fixed64'
  | 'double'
  | 'hex'
  | 'fixed64s'
  | 'doubles'
  | MessageName

export type MessageName = keyof typeof SHAPES

const POINT = { attributes: [7, 'KeyValue'], startTimeUnixNano: [2, 'fixed64'], timeUnixNano: [3, 'fixed64'] } as const

const SHAPES = {
  TracesRequest: { resourceSpans: [1, 'ResourceSpans'] },
  ResourceSpans: { resource: [1, 'Resource'], scopeSpans: [2, 'ScopeSpans'] },
  ScopeSpans: { scope: [1, 'Scope'], spans: [2, 'Span'] },
  Span: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    parentSpanId: [4, 'hex'],
    name: [5, 'string'],
    kind: [6, 'enum'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue'],
    events: [11, 'Event'],
    links: [13, 'Link'],
    status: [15, 'Status'],
    flags: [16, 'fixed32'],
  },
  Event: { timeUnixNano: [1, 'fixed64'], name: [2, 'string'], attributes: [3, 'KeyValue'] },
  Link: { traceId: [1, 'hex'], spanId: [2, 'hex'], flags: [6, 'fixed32'] },
  Status: { message: [2, 'string'], code: [3, 'enum'] },
  MetricsRequest: { resourceMetrics: [1, 'ResourceMetrics'] },
  ResourceMetrics: { resource: [1, 'Resource'], scopeMetrics: [2, 'ScopeMetrics'] },
  ScopeMetrics: { scope: [1, 'Scope'], metrics: [2, 'Metric'] },
  Metric: {
    name: [1, 'string'],
    description: [2, 'string'],
    unit: [3, 'string'],
    gauge: [5, 'Gauge'],
    sum: [7, 'Sum'],
    histogram: [9, 'Histogram'],
  },
  Gauge: { dataPoints: [1, 'NumberPoint'] },
  Sum: { dataPoints: [1, 'NumberPoint'], aggregationTemporality: [2, 'enum'], isMonotonic: [3, 'bool'] },
  Histogram: { dataPoints: [1, 'HistogramPoint'], aggregationTemporality: [2, 'enum'] },
  NumberPoint: { ...POINT, asDouble: [4, 'double'] },
  HistogramPoint: {
    ...POINT,
    attributes: [9, 'KeyValue'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    bucketCounts: [6, 'fixed64s'],
    explicitBounds: [7, 'doubles'],
  },
  Resource: { attributes: [1, 'KeyValue'] },
  Scope: { name: [1, 'string'], version: [2, 'string'] },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  AnyValue: { stringValue: [1, 'string'], boolValue: [2, 'bool'], intValue: [3, 'int64'], doubleValue: [4, 'double'] },
} as const

export type MessageShape = Readonly<Record<string, readonly [number: number, type: WireType]>>

export const MESSAGES: Readonly<Record<MessageName, MessageShape>> = SHAPES
