/** The exporter against a collector that reads with OpenTelemetry's own protobuf, in any state that a collector may be in. */
import { createServer } from 'node:net'
import type { TracedRequest } from '@switchboard/protocol/tracing'
import { createMemoryLogger, Histogram, type MemoryLogger, type Metric } from '@switchboard/telemetry'
import { findFreePort, waitFor } from '@switchboard/testkit'
import { type Collector, startCollector } from '@switchboard/testkit/otlp'
import { useBench } from '@switchboard/testkit/suite'
import { beforeEach, describe, expect, it } from 'vitest'
import { startExporter } from '../../src/otlp/exporter/main.ts'
import type { Exporter } from '../../src/otlp/index.ts'
import type { TelemetryConfig } from '../../src/otlp/telemetry-config.ts'

const bench = useBench({ name: 'otlp' })
let collector: Collector
let log: MemoryLogger

beforeEach(async () => {
  log = createMemoryLogger({ level: 'info' })
  collector = await startCollector()
  bench.defer(() => collector.close())
})

const ON: TelemetryConfig = { traces: true, metrics: false, content: false }

interface StartOptions {
  readonly config?: Partial<TelemetryConfig>
  readonly env?: Record<string, string>
  readonly metrics?: readonly Metric[]
}

function start({ config = {}, env = {}, metrics = [] }: StartOptions = {}): Exporter {
  const exporter = startExporter({
    config: { ...ON, endpoint: collector.url, ...config },
    env: { OTEL_BSP_SCHEDULE_DELAY: '20', ...env },
    version: '9.9.9',
    log,
    collect: () => metrics,
  })
  bench.defer(() => exporter.close(0))
  return exporter
}

let calls = 0

function request(more: Partial<TracedRequest> = {}): TracedRequest {
  calls++
  return {
    id: calls,
    method: 'tools/call',
    params: { name: 'x' },
    traceId: calls.toString(16).padStart(32, 'a'),
    begun: performance.now(),
    transport: 'stdio',
    profile: 'default',
    era: 'legacy',
    version: '2025-11-25',
    ...more,
  }
}

/** A call with one hop, over at once. */
function record(exporter: Exporter, more: Partial<TracedRequest> = {}): void {
  const span = exporter.begin(request(more))
  span?.open({ name: 'hop', kind: 'client' }).end()
  span?.end()
}

const told = (text: string): number => log.entries.filter(({ msg }) => msg.includes(text)).length

const count = (exporter: Exporter, name: string, signal = 'traces'): number =>
  exporter
    .metrics()
    .find((metric) => metric.name === `switchboard_telemetry_${name}_total`)
    ?.samples.find(({ labels }) => labels?.signal === signal)?.value ?? 0

describe.each([
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
] as const)('over %s', (protocol, contentType) => {
  it('a span arrives as it was recorded, whatever it holds', async () => {
    const exporter = start({
      config: { protocol, serviceName: 'mine', resource: { team: 'ü' }, headers: { 'x-key': 'k' } },
    })
    const span = exporter.begin(request({ id: 'a-1', params: { name: 'x', _meta: { tracestate: 'ignored=1' } } }))
    span?.rename('tools/call ünï 🙂')
    span?.set({ int: -5, large: 2 ** 40, double: 0.25, yes: true, no: false, none: undefined, text: 'ü' })
    span?.note('moment', { n: 1 })
    span?.link(`00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`)
    span?.link('no traceparent')
    span?.fail('timeout', 'Too slow', -32001)
    span?.fail('later', 'is not what counts')
    span?.end()
    span?.end()
    await waitFor(() => collector.spans.length > 0, { what: 'the span' })
    expect(collector.problems).toEqual([])
    expect(collector.spans).toHaveLength(1)
    expect(collector.received[0]?.headers).toMatchObject({ 'content-type': contentType, 'x-key': 'k' })
    expect(collector.spans[0]).toMatchObject({
      service: 'mine',
      resource: { team: 'ü', 'service.version': '9.9.9', 'process.pid': process.pid },
      name: 'tools/call ünï 🙂',
      kind: 'server',
      parentSpanId: '',
      traceState: '',
      status: 'Too slow',
      events: ['moment'],
      links: [{ traceId: 'b'.repeat(32), spanId: 'c'.repeat(16) }],
      attributes: {
        int: -5,
        large: 2 ** 40,
        double: 0.25,
        yes: true,
        no: false,
        text: 'ü',
        'jsonrpc.request.id': 'a-1',
        'error.type': 'timeout',
        'rpc.response.status_code': '-32001',
      },
    })
    expect(collector.spans[0]?.attributes).not.toHaveProperty('none')
  })

  it('ten thousand spans arrive, each once, in batches', async () => {
    const exporter = start({ config: { protocol }, env: { OTEL_BSP_MAX_QUEUE_SIZE: '20000' } })
    for (let index = 0; index < 5_000; index++) record(exporter)
    await waitFor(() => collector.spans.length >= 10_000, { what: 'all spans', timeout: 30_000 })
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(10_000)
    expect(Math.max(...collector.received.map(({ bytes }) => bytes))).toBeLessThan(1_000_000)
    await waitFor(() => count(exporter, 'exported') === 10_000, { what: 'all of them to be counted' })
    expect(count(exporter, 'dropped')).toBe(0)
  })

  it('measurements arrive with their types and units, and those of requests beside them', async () => {
    const durations = new Histogram([0.1, 1])
    for (const seconds of [0.05, 0.5, 50]) durations.observe(seconds)
    const metrics: Metric[] = [
      { name: 'switchboard_calls_total', help: 'c', type: 'counter', samples: [{ labels: { server: 'a' }, value: 3 }] },
      { name: 'switchboard_sessions', help: 's', type: 'gauge', samples: [{ value: 2 }] },
      {
        name: 'switchboard_call_duration_seconds',
        help: 'd',
        type: 'histogram',
        samples: [...durations.samples({ server: 'a' }), ...new Histogram([0.1, 1]).samples({ server: 'b' })],
      },
    ]
    const exporter = start({ config: { protocol, metrics: true, interval: 50 }, metrics })
    record(exporter)
    await waitFor(() => collector.metrics.has('mcp.server.operation.duration'), { what: 'the measurements' })
    expect(collector.problems).toEqual([])
    expect(collector.metrics.get('switchboard.calls')).toMatchObject({
      type: 'sum',
      unit: '1',
      points: [{ attributes: { server: 'a' }, value: 3 }],
    })
    expect(collector.metrics.get('switchboard.sessions')).toMatchObject({ type: 'gauge', points: [{ value: 2 }] })
    const duration = collector.metrics.get('switchboard.call_duration')
    expect(duration).toMatchObject({ type: 'histogram', unit: 's' })
    expect(duration?.points.map(({ attributes, value }) => [attributes.server, value])).toEqual([
      ['a', 3],
      ['b', 0],
    ])
    expect(duration?.points[0]?.raw).toMatchObject({
      sum: 50.55,
      bucketCounts: ['1', '1', '1'],
      explicitBounds: [0.1, 1],
    })
    expect(collector.metrics.get('mcp.server.operation.duration')?.points[0]).toMatchObject({
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' },
      value: 1,
    })
    expect(collector.metrics.get('mcp.client.operation.duration')?.points[0]?.value).toBe(1)
  })
})

describe('a trace', () => {
  const parent = (flags: string) => ({
    name: 'x',
    _meta: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-${flags}` },
  })

  it('that its client has not sampled is not recorded, and says so to the next hop; it is measured all the same', async () => {
    const exporter = start({ config: { metrics: true, interval: 50 } })
    const span = exporter.begin(request({ traceId: '1'.repeat(32), params: parent('00') }))
    const hop = span?.open({ name: 'hop', kind: 'client' })
    expect(hop?.traceparent).toMatch(/^00-1{32}-[0-9a-f]{16}-00$/)
    hop?.end()
    span?.end()
    await waitFor(() => collector.metrics.get('mcp.server.operation.duration')?.points[0]?.value === 1, {
      what: 'the measurement',
    })
    expect(collector.spans).toEqual([])
  })

  it('that begins here is recorded by its share; one that its client has sampled in any case', async () => {
    const exporter = start({ config: { sample: 0 } })
    record(exporter)
    record(exporter, { traceId: '1'.repeat(32), params: parent('01') })
    await waitFor(() => collector.spans.length >= 2, { what: 'the spans' })
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set(['1'.repeat(32)]))
  })

  it.each([
    ['a message', { params: parent('01') }, '2'.repeat(16), 0],
    ['its HTTP request', { carrier: { traceparent: `00-${'1'.repeat(32)}-${'3'.repeat(16)}-01` } }, '3'.repeat(16), 0],
    [
      'both: the message counts, the other is linked',
      { params: parent('01'), carrier: { traceparent: `00-${'4'.repeat(32)}-${'3'.repeat(16)}-01` } },
      '2'.repeat(16),
      1,
    ],
  ])('has the parent that it was given by %s', async (_by, more, expected, links) => {
    record(start(), { traceId: '1'.repeat(32), ...more })
    await waitFor(() => collector.spans.length >= 2, { what: 'the spans' })
    const server = collector.spans.find(({ kind }) => kind === 'server')
    expect(server?.parentSpanId).toBe(expected)
    expect(server?.links).toHaveLength(links)
  })

  it('has no spans for what asks all the time, and none without somewhere to send to', () => {
    const exporter = start()
    expect(exporter.begin(request({ method: 'ping' }))).toBeUndefined()
    expect(exporter.begin(request({ method: 'subscriptions/listen' }))).toBeUndefined()
  })
})

describe('secrets', () => {
  it('of names, addresses and messages are masked before they leave', async () => {
    const secret = 'sk-abcdefghijklmnop1234567890'
    const exporter = start()
    const span = exporter.begin(
      request({
        method: 'resources/read',
        id: secret,
        params: { uri: `https://me:${secret}@host/x?token=${secret}` },
        session: 'who-knows-this-may-speak',
        client: secret,
      }),
    )
    span?.rename(`tools/call ${secret}`)
    span?.set({ 'gen_ai.tool.name': secret })
    span?.note('moment', { text: `Bearer ${secret}` })
    span?.setContent('arguments', { password: 'hunter2hunter2' })
    span?.fail('upstream_error', `Login failed: password=${secret}`)
    span?.end()
    await waitFor(() => collector.spans.length > 0, { what: 'the span' })
    const text = collector.received.map((one) => one.text).join('')
    expect(text).not.toContain(secret)
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('who-knows-this-may-speak')
    expect(collector.spans[0]?.status).toContain('Login failed')
  })

  it('of what tools are called with and return are masked where a person wants those to be sent', async () => {
    const exporter = start({ config: { content: true } })
    const span = exporter.begin(request())
    span?.setContent('arguments', { city: 'Bremen', password: 'hunter2hunter2' })
    span?.setContent('result', { content: [{ type: 'text', text: 'x'.repeat(100_000) }] })
    span?.end()
    await waitFor(() => collector.spans.length > 0, { what: 'the span' })
    const { 'gen_ai.tool.call.arguments': args, 'gen_ai.tool.call.result': result } =
      collector.spans[0]?.attributes ?? {}
    expect(args).toContain('Bremen')
    expect(args).not.toContain('hunter2')
    expect(String(result).length).toBeLessThan(10_000)
  })
})

describe('a collector', () => {
  it('that is not there costs its spans, which is told once, and nothing else; the list of them is bounded', async () => {
    const port = await findFreePort()
    const exporter = start({
      config: { endpoint: `http://127.0.0.1:${port}` },
      env: { OTEL_BSP_MAX_QUEUE_SIZE: '100', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' },
    })
    for (let index = 0; index < 1_000; index++) record(exporter)
    await waitFor(() => count(exporter, 'failures') > 0, { what: 'a failed attempt' })
    expect(count(exporter, 'dropped')).toBeGreaterThanOrEqual(1_900)
    expect(told('were dropped')).toBe(1)
    expect(told('cannot be exported')).toBe(1)
    const before = performance.now()
    await exporter.close(100)
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(count(exporter, 'dropped')).toBe(2_000)
  })

  it('that comes later gets what had waited, and that it is there again is told', async () => {
    const port = await findFreePort()
    const exporter = start({ config: { endpoint: `http://127.0.0.1:${port}` } })
    record(exporter)
    await waitFor(() => told('cannot be exported') === 1, { what: 'the failure to be told' })
    const late = await startCollector({ port })
    bench.defer(() => late.close())
    await waitFor(() => late.spans.length === 2, { what: 'the spans', timeout: 20_000 })
    await waitFor(() => told('again') === 1, { what: 'the recovery to be told' })
    expect(count(exporter, 'dropped')).toBe(0)
  })

  it.each([400, 401, 404, 413, 500])(
    'that answers with %d has refused for good: nothing is sent again',
    async (status) => {
      collector.answer(() => ({ status, body: 'no\u0007 thanks', headers: { 'content-type': 'text/plain' } }))
      const exporter = start()
      record(exporter)
      await waitFor(() => count(exporter, 'dropped') === 2, { what: 'the spans to be given up' })
      expect(collector.received).toHaveLength(1)
      expect(told(`HTTP ${status}: no thanks`)).toBe(1)
    },
  )

  it.each([
    ['in seconds', () => '1'],
    ['as a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('that asks for patience %s is asked again then, and gets everything', async (_how, retryAfter) => {
    collector.answer(() =>
      collector.received.length === 1 ? { status: 429, headers: { 'retry-after': retryAfter() } } : {},
    )
    const exporter = start()
    record(exporter)
    await waitFor(() => count(exporter, 'exported') === 2, { what: 'the spans to be taken', timeout: 20_000 })
    expect(collector.spans).toHaveLength(2)
    const [first, second] = collector.received
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900)
    expect(count(exporter, 'dropped')).toBe(0)
  })

  it('that answers with garbage has taken what it got; one that talks for ever has not', async () => {
    collector.answer(() => ({ body: Buffer.from([0xff, 0xff, 0x0a, 0x99]) }))
    const exporter = start()
    record(exporter)
    await waitFor(() => count(exporter, 'exported') === 2, { what: 'the spans to be taken' })
    collector.answer(() => ({ body: 'x'.repeat(1_000_000) }))
    record(exporter)
    await waitFor(() => count(exporter, 'failures') === 1, { what: 'the answer to be given up' })
  })

  it.each([
    ['http/protobuf', Buffer.from([0x0a, 0x06, 0x08, 0x01, 0x12, 0x02, 0x6e, 0x6f])],
    ['http/json', '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}'],
  ] as const)('that takes a part only is believed, over %s', async (protocol, body) => {
    collector.answer(() => ({ body }))
    const exporter = start({ config: { protocol } })
    record(exporter)
    await waitFor(() => count(exporter, 'dropped') === 1, { what: 'the rejected one to be counted' })
    expect(count(exporter, 'exported')).toBe(1)
    expect(told('rejected 1 of 2: no')).toBe(1)
  })

  it('that says nothing is given up after the time of an attempt, and holds up no end of ours', async () => {
    collector.answer(() => ({ isSilent: true }))
    const exporter = start({ env: { OTEL_EXPORTER_OTLP_TIMEOUT: '100' } })
    record(exporter)
    await waitFor(() => told('no answer within 100 ms') === 1, { what: 'the attempt to end' })
    const before = performance.now()
    await exporter.close(200)
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(count(exporter, 'dropped')).toBe(2)
  })

  it('that breaks the connection is tried again', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.once('data', () => socket.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    bench.defer(() => new Promise((resolve) => server.close(resolve)))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const exporter = start({ config: { endpoint: `http://127.0.0.1:${port}` } })
    record(exporter)
    await waitFor(() => connections > 1, { what: 'another attempt', timeout: 20_000 })
    expect(count(exporter, 'failures')).toBeGreaterThan(0)
  })

  it('gets what is left when everything ends', async () => {
    const exporter = start({ env: { OTEL_BSP_SCHEDULE_DELAY: '60000' }, config: { metrics: true } })
    record(exporter)
    await exporter.close(5_000)
    expect(collector.spans).toHaveLength(2)
    expect(collector.metrics.get('mcp.server.operation.duration')?.points).toHaveLength(1)
    record(exporter)
    expect(count(exporter, 'dropped')).toBe(2)
  })

  it('may have its exports compressed', async () => {
    record(start({ env: { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' } }))
    await waitFor(() => collector.spans.length === 2, { what: 'the spans' })
    expect(collector.received[0]?.headers['content-encoding']).toBe('gzip')
  })
})

it('what callers make up cannot make any number of series', async () => {
  const exporter = start({ config: { metrics: true, interval: 100 } })
  for (let index = 0; index < 3_000; index++) {
    const span = exporter.begin(request())
    span?.set({ 'gen_ai.tool.name': `tool-${index}` })
    span?.end()
  }
  await waitFor(() => collector.metrics.has('mcp.server.operation.duration'), { what: 'the measurements' })
  const points = collector.metrics.get('mcp.server.operation.duration')?.points ?? []
  expect(points.length).toBeLessThanOrEqual(1_001)
  expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(3_000)
  expect(points.filter(({ attributes }) => attributes['otel.metric.overflow'] === 'true')).toHaveLength(1)
})
