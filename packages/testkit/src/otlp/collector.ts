/** A collector of OpenTelemetry for tests, on 127.0.0.1: keeps what it is sent, and answers as badly as it is told to. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { JsonObject } from '@switchboard/protocol'
import { decodeExport } from './decode-export.ts'

export interface CollectedSpan {
  /** Of its resource. */
  readonly service: string
  readonly resource: JsonObject
  readonly traceId: string
  readonly spanId: string
  /** Empty: it has none. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'unknown'
  /** Nanoseconds since the epoch. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: JsonObject
  readonly events: readonly string[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** Of a failure. */
  readonly status: string | undefined
}

export interface CollectedMetric {
  readonly name: string
  readonly unit: string
  readonly type: 'gauge' | 'sum' | 'histogram'
  readonly points: readonly { readonly attributes: JsonObject; readonly value: number; readonly raw: JsonObject }[]
}

export interface ReceivedExport {
  readonly signal: 'traces' | 'metrics'
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
  /** As text, for searches in it. */
  readonly text: string
}

export interface CollectorAnswer {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Nothing is answered at all. */
  readonly isSilent?: boolean
}

export interface Collector extends AsyncDisposable {
  /** Of OTLP over HTTP, without a path. */
  readonly url: string
  readonly received: readonly ReceivedExport[]
  readonly spans: readonly CollectedSpan[]
  /** As they were exported last. */
  readonly metrics: ReadonlyMap<string, CollectedMetric>
  /** What was wrong with exports: a good exporter leaves it empty. */
  readonly problems: readonly string[]
  /** What is answered with something but success counts as not taken. */
  answer(how: (received: ReceivedExport) => CollectorAnswer): void
  close(): Promise<void>
}

const SIGNALS = { '/v1/traces': 'traces', '/v1/metrics': 'metrics' } as const

export async function startCollector({ port = 0 }: { port?: number } = {}): Promise<Collector> {
  const received: ReceivedExport[] = []
  const spans: CollectedSpan[] = []
  const metrics = new Map<string, CollectedMetric>()
  const problems: string[] = []
  let how: (received: ReceivedExport) => CollectorAnswer = () => ({})

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { headers, url = '' } = request
      const raw = Buffer.concat(parts)
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
      const signal = url in SIGNALS ? SIGNALS[url as keyof typeof SIGNALS] : undefined
      if (signal === undefined) {
        problems.push(`a request for ${url}`)
        response.writeHead(404).end()
        return
      }
      const one = { signal, at: performance.now(), headers, bytes: raw.length, text: body.toString('latin1') }
      received.push(one)
      const { status = 200, headers: more = {}, body: answer = '', isSilent = false } = how(one)
      if (isSilent) return
      if (status >= 200 && status < 300) {
        try {
          const message = decodeExport(signal, body, headers['content-type'] ?? '')
          if (signal === 'traces') spans.push(...readSpans(message))
          else for (const metric of readMetrics(message)) metrics.set(metric.name, metric)
        } catch (thrown) {
          problems.push(String(thrown))
        }
      }
      response.writeHead(status, { 'content-type': headers['content-type'] ?? 'text/plain', ...more }).end(answer)
    })
  })
  const url = await listen(server, port)
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url,
    received,
    spans,
    metrics,
    problems,
    answer(next) {
      how = next
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

const KINDS = ['unknown', 'internal', 'server', 'client'] as const

function readSpans(message: JsonObject): CollectedSpan[] {
  return objects(message.resourceSpans).flatMap((group) => {
    const resource = readAttributes(object(group.resource).attributes)
    return objects(group.scopeSpans)
      .flatMap((scoped) => objects(scoped.spans))
      .map((span) => ({
        service: String(resource['service.name']),
        resource,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        traceState: String(span.traceState),
        name: String(span.name),
        kind: KINDS[Number(span.kind)] ?? 'unknown',
        start: BigInt(String(span.startTimeUnixNano)),
        end: BigInt(String(span.endTimeUnixNano)),
        attributes: readAttributes(span.attributes),
        events: objects(span.events).map(({ name }) => String(name)),
        links: objects(span.links).map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        status: object(span.status).code === 2 ? String(object(span.status).message) : undefined,
      }))
  })
}

function readMetrics(message: JsonObject): CollectedMetric[] {
  return objects(message.resourceMetrics)
    .flatMap((group) => objects(group.scopeMetrics))
    .flatMap((scoped) => objects(scoped.metrics))
    .map((metric) => {
      const type = (['gauge', 'sum', 'histogram'] as const).find((kind) => metric[kind] !== undefined) ?? 'gauge'
      const points = objects(object(metric[type]).dataPoints).map((raw) => ({
        attributes: readAttributes(raw.attributes),
        value: Number(type === 'histogram' ? raw.count : raw.asDouble),
        raw,
      }))
      return { name: String(metric.name), unit: String(metric.unit), type, points }
    })
}

function readAttributes(list: unknown): JsonObject {
  return Object.fromEntries(
    objects(list).map(({ key, value }) => {
      const { stringValue, boolValue, intValue, doubleValue } = object(value)
      const number = intValue === undefined ? doubleValue : Number(intValue)
      return [String(key), stringValue ?? boolValue ?? number]
    }),
  )
}

const hex = (base64: unknown): string => Buffer.from(String(base64 ?? ''), 'base64').toString('hex')
// Both are members of messages that were decoded by their own types.
const object = (value: unknown): JsonObject => (value ?? {}) as JsonObject
const objects = (value: unknown): JsonObject[] => (value ?? []) as JsonObject[]
