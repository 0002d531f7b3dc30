/** What was exported, read by the protobuf of OpenTelemetry's own package, so that the format is not as we believe it to be. */
import { createRequire } from 'node:module'
import type { Json, JsonObject } from '@switchboard/protocol'

/** As far as it is used here, of what protobufjs generates. */
interface MessageType {
  decode(bytes: Uint8Array): object
  fromObject(value: object): object
  verify(value: object): string | null
  toObject(message: object, options: object): JsonObject
}

interface Generated {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } }
        readonly metrics: { readonly v1: { readonly ExportMetricsServiceRequest: MessageType } }
      }
    }
  }
}

const require = createRequire(import.meta.url)

function typeOf(signal: 'traces' | 'metrics'): MessageType {
  // The package has no types for it.
  const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root') as Generated
  const { trace, metrics } = opentelemetry.proto.collector
  return signal === 'traces' ? trace.v1.ExportTraceServiceRequest : metrics.v1.ExportMetricsServiceRequest
}

const READABLE = { longs: String, bytes: String, defaults: true, arrays: true, oneofs: false }

/** In the form of the JSON that protobufjs makes: bytes as base64. Throws for what is no such message. */
export function decodeExport(signal: 'traces' | 'metrics', body: Buffer, contentType: string): JsonObject {
  const type = typeOf(signal)
  if (contentType === 'application/x-protobuf') return type.toObject(type.decode(body), READABLE)
  if (contentType !== 'application/json') throw new Error(`An export of the type ${contentType}`)
  const message = type.fromObject(withBytes(JSON.parse(body.toString())) as object)
  const problem = type.verify(message)
  if (problem !== null) throw new Error(problem)
  return type.toObject(message, READABLE)
}

const IDS: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId'])

/** JSON of OTLP has ids as hex digits, where that of protobuf would have base64. */
function withBytes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!IDS.has(key)) return [key, withBytes(member as Json)]
      if (typeof member !== 'string' || !/^([0-9a-f]{2})+$/.test(member)) throw new Error(`${key} is ${String(member)}`)
      return [key, Buffer.from(member, 'hex').toString('base64')]
    }),
  )
}
