/** The export as people have it: `switchboard serve`, its configuration and environment, real servers, and a collector. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { readJournal, waitFor, waitForJournal } from '@switchboard/testkit'
import { connectAgent, ERAS, exchange } from '@switchboard/testkit/http'
import { type CollectedSpan, type Collector, startCollector } from '@switchboard/testkit/otlp'
import { beforeEach, describe, expect, it } from 'vitest'
import { useWorkbench, WITH_MEMORY, waitUntilReady } from '../helpers/workbench.ts'

const bench = useWorkbench()
let collector: Collector

beforeEach(async () => {
  collector = await startCollector()
  bench.defer(() => collector.close())
})

const SOON = { OTEL_BSP_SCHEDULE_DELAY: '50' }
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

/** A fresh one of every configuration; the collector is the one of this test. */
const on = (more: JsonObject = {}): { telemetry: JsonObject } => ({
  telemetry: { endpoint: collector.url, metrics: false, ...more },
})

/** Spans of requests, by the method, when so many have come. */
function spansOf(method: string, least = 1): Promise<CollectedSpan[]> {
  return waitFor(
    () => {
      const found = collector.spans.filter((span) => span.attributes['mcp.method.name'] === method)
      return found.length >= least ? found : undefined
    },
    { what: `${least} spans of ${method}`, timeout: 30_000 },
  )
}

const ofKind = (spans: readonly CollectedSpan[], kind: CollectedSpan['kind']): CollectedSpan[] =>
  spans.filter((span) => span.kind === kind)

describe('what is loaded', () => {
  async function modulesWith(env: Record<string, string>): Promise<string[]> {
    const noted = bench.home.file(`modules-${Object.keys(env).length}-${Math.random()}`)
    const hooks = fileURLToPath(new URL('./note-modules.mjs', import.meta.url))
    const config = { mcpServers: { fx: bench.fixture('fx') } }
    const serve = await bench.serve(config, [], {
      ...env,
      NODE_OPTIONS: `--import=${hooks}`,
      NOTED_MODULES: noted,
    })
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent('modern', serve.mcp)
    expect((await agent.call('fx_echo', { text: 'x' })).result).toMatchObject({ content: [{ text: 'x' }] })
    await agent.close()
    expect(await serve.stop()).toBe(0)
    return (await readFile(noted, 'utf8')).trim().split('\n').sort()
  }

  it('is nothing of the export while nobody has named a collector, and one file more once somebody has', async () => {
    const off = await modulesWith({})
    const disabled = await modulesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' })
    const exporting = await modulesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    expect(off.filter((name) => /otlp|opentelemetry/i.test(name))).toEqual([])
    expect(disabled).toEqual(off)
    const more = exporting.filter((name) => !off.includes(name) && !name.startsWith('node:'))
    expect(more.map((name) => name.slice(name.lastIndexOf('/') + 1))).toEqual(['otlp-exporter.mjs'])
    expect(collector.spans.length).toBeGreaterThan(0)
  })
})

describe.each(ERAS)('over HTTP, in the %s era', (era) => {
  it('a call belongs to the trace of its headers, and of its message where that tells one', async () => {
    const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent(era, serve.mcp, { headers: { traceparent: PARENT, tracestate: 'a=1' } })
    bench.defer(() => agent.close().catch(() => undefined))
    await agent.call('fx_echo', { text: 'by header' })
    const own = `00-${'7'.repeat(32)}-${'8'.repeat(16)}-01`
    await agent.request('tools/call', { name: 'fx_echo', arguments: { text: 'own' }, _meta: { traceparent: own } })
    const spans = await spansOf('tools/call', 4)
    const [header, message] = ofKind(spans, 'server')
    expect(header).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', traceState: 'a=1', links: [] })
    expect(message).toMatchObject({ traceId: '7'.repeat(32), parentSpanId: '8'.repeat(16) })
    expect(message?.links).toEqual([{ traceId: TRACE, spanId: '00f067aa0ba902b7' }])
    expect(header?.attributes).toMatchObject({ 'network.transport': 'tcp', 'network.protocol.name': 'http' })
    const sent = (await readJournal(bench.journal('fx'))).filter((entry) => entry.message?.method === 'tools/call')
    const told = sent.map((entry) => (entry.message?.params?._meta as JsonObject | undefined)?.traceparent)
    expect(told).toEqual(ofKind(spans, 'client').map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`))
  })

  it('one that its client has not sampled leaves no span, and its server hears that', async () => {
    const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent(era, serve.mcp, { headers: { traceparent: PARENT.replace(/01$/, '00') } })
    bench.defer(() => agent.close().catch(() => undefined))
    await agent.call('fx_echo', { text: 'x' })
    const entry = await waitForJournal(bench.journal('fx'), ({ message }) => message?.method === 'tools/call')
    const meta = entry.message?.params?._meta as JsonObject | undefined
    expect(meta?.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
    expect(await serve.stop()).toBe(0)
    expect(collector.spans).toEqual([])
  })

  it('resources and prompts have their spans, and say which', async () => {
    const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent(era, serve.mcp)
    bench.defer(() => agent.close().catch(() => undefined))
    await agent.request('resources/read', { uri: 'fixture://text' })
    await agent.request('prompts/get', { name: 'fx_greet', arguments: { name: 'you' } })
    await agent.request('resources/read', { uri: 'other://none' })
    const reads = await spansOf('resources/read', 4)
    expect(ofKind(reads, 'client')[0]?.attributes['mcp.resource.uri']).toBe('fixture://text')
    expect(reads.filter(({ attributes }) => attributes['rpc.response.status_code'] === '-32002')).toHaveLength(2)
    const prompts = await spansOf('prompts/get', 2)
    expect(prompts.map(({ name }) => name).sort()).toEqual(['prompts/get fx_greet', 'prompts/get greet'])
    expect(ofKind(prompts, 'server')[0]?.attributes).not.toHaveProperty('gen_ai.operation.name')
  })

  it('a call that is cancelled ends its spans, and says so', async () => {
    const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent(era, serve.mcp)
    bench.defer(() => agent.close().catch(() => undefined))
    const over = agent.call('fx_slow', { ms: 60_000 }, { id: 'long' }).catch(() => undefined)
    await waitForJournal(bench.journal('fx'), ({ message }) => message?.method === 'tools/call')
    await agent.cancel('long')
    const spans = await spansOf('tools/call', 2)
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['cancelled', 'cancelled'])
    await serve.stop()
    await over
  })
})

it('a call that waits for answers has a span for each of its requests, and one at the server for all of it', async () => {
  const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('modern', serve.mcp, { capabilities: { elicitation: { form: {} } } })
  bench.defer(() => agent.close().catch(() => undefined))
  const { result } = await agent.request(
    'tools/call',
    { name: 'fx_ask', arguments: { kind: 'elicitation' } },
    { answer: () => ({ action: 'accept', content: { who: 'me' } }) },
  )
  expect(JSON.stringify(result)).toContain('me')
  const spans = await spansOf('tools/call', 3)
  const [first, second] = ofKind(spans, 'server')
  const [server] = ofKind(spans, 'client')
  expect(first?.events).toContain('switchboard.input_required')
  expect(second?.links).toEqual([{ traceId: first?.traceId, spanId: first?.spanId }])
  expect(server?.parentSpanId).toBe(first?.spanId)
  expect(server !== undefined && second !== undefined && server.end <= second.end).toBe(true)
})

it('the work of a pack is a hop, and a call by way of a search is the tool that it is', async () => {
  const profiles = { default: { search: true } }
  const serve = await bench.serve(
    { ...WITH_MEMORY, ...on(), profiles, mcpServers: { fx: bench.fixture('fx') } },
    [],
    SOON,
  )
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('legacy', serve.mcp)
  bench.defer(() => agent.close().catch(() => undefined))
  await agent.call('tool_call', { name: 'fx_echo', arguments: { text: 'x' } })
  await agent.call('tool_search', { query: 'memory' })
  await agent.call('tool_call', { name: 'memory_status', arguments: {} })
  const spans = await spansOf('tools/call', 4)
  expect(ofKind(spans, 'server').map(({ name }) => name)).toEqual([
    'tools/call fx_echo',
    'tools/call tool_search',
    'tools/call memory_status',
  ])
  const pack = await waitFor(() => collector.spans.find(({ name }) => name.startsWith('execute_tool')), {
    what: 'the span of the pack',
  })
  const asked = spans.find(({ name }) => name === 'tools/call memory_status')
  expect(pack).toMatchObject({ kind: 'internal', parentSpanId: asked?.spanId, traceId: asked?.traceId })
})

it('a call that waits for its turn has a span for that, between its arrival and its request', async () => {
  const fx = bench.fixture('fx', {}, { concurrency: 1 })
  const serve = await bench.serve({ ...on(), mcpServers: { fx } }, [], SOON)
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('legacy', serve.mcp)
  bench.defer(() => agent.close().catch(() => undefined))
  const slow = agent.call('fx_slow', { ms: 2_000 })
  await waitForJournal(bench.journal('fx'), ({ message }) => message?.method === 'tools/call')
  await agent.call('fx_echo', { text: 'x' })
  await slow
  const spans = await spansOf('tools/call', 4)
  const wait = await waitFor(() => collector.spans.find(({ name }) => name === 'wait'), { what: 'the wait' })
  const waited = spans.find(({ spanId }) => spanId === wait.parentSpanId)
  const sent = spans.find(({ parentSpanId, kind }) => parentSpanId === waited?.spanId && kind === 'client')
  expect(waited?.events).toContain('switchboard.wait')
  expect(wait.end).toBe(sent?.start)
  expect(wait.end - wait.start).toBeGreaterThan(50_000_000n)
})

it('a collector that is not there, or mute, keeps no call waiting, and no end', async () => {
  collector.answer(() => ({ isSilent: true }))
  const serve = await bench.serve({ ...on({ metrics: true }), mcpServers: { fx: bench.fixture('fx') } }, [], SOON)
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('modern', serve.mcp)
  bench.defer(() => agent.close().catch(() => undefined))
  for (let index = 0; index < 200; index++) await agent.call('fx_echo', { text: 'x' })
  await waitFor(() => collector.received.length > 0, { what: 'an export' })
  const before = performance.now()
  await agent.call('fx_echo', { text: 'x' })
  // An attempt takes ten seconds, and the next one has not even begun.
  expect(performance.now() - before).toBeLessThan(5_000)
  const { text } = await exchange(`${serve.url}/metrics`, { method: 'GET' })
  expect(text).toContain('switchboard_telemetry_dropped_total{signal="traces"} 0')
  expect(await serve.stop()).toBe(0)
  expect(performance.now() - before).toBeLessThan(15_000)
})

it('spans that are left are sent when it stops', async () => {
  const serve = await bench.serve({ ...on(), mcpServers: { fx: bench.fixture('fx') } })
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('legacy', serve.mcp)
  await agent.call('fx_echo', { text: 'x' })
  await agent.close()
  expect(await serve.stop()).toBe(0)
  expect(collector.spans.filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')).toHaveLength(2)
})

it('the configuration turns it on, elsewhere, and off while it runs, whatever the environment says', async () => {
  const other = await startCollector()
  bench.defer(() => other.close())
  const mcpServers = { fx: bench.fixture('fx') }
  const env = { ...SOON, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const serve = await bench.serve({ telemetry: false, mcpServers }, [], env)
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('modern', serve.mcp)
  bench.defer(() => agent.close().catch(() => undefined))
  const call = () => agent.call('fx_echo', { text: 'x' })
  await call()
  await bench.writeConfig({ telemetry: { serviceName: 'mine' }, mcpServers })
  await waitFor(async () => (await call()) && collector.spans.some(({ service }) => service === 'mine'), {
    what: 'spans at the collector of the environment',
    timeout: 30_000,
  })
  await bench.writeConfig({ telemetry: { endpoint: other.url }, mcpServers })
  await waitFor(async () => (await call()) && other.spans.length > 0, { what: 'spans at the other', timeout: 30_000 })
  await bench.writeConfig({ telemetry: false, mcpServers })
  await waitFor(
    async () => !(await exchange(`${serve.url}/metrics`, { method: 'GET' })).text.includes('switchboard_telemetry'),
    { what: 'the export to end', timeout: 30_000 },
  )
  const before = other.received.length
  await call()
  expect(await serve.stop()).toBe(0)
  expect(other.received).toHaveLength(before)
})

it('measurements are those of /metrics, and reach the collector too', async () => {
  const config = { ...on({ metrics: true, interval: '200ms' }), mcpServers: { fx: bench.fixture('fx') } }
  const serve = await bench.serve(config, [], SOON)
  await waitUntilReady(serve, ['fx'])
  const agent = await connectAgent('legacy', serve.mcp)
  bench.defer(() => agent.close().catch(() => undefined))
  await agent.call('fx_echo', { text: 'x' })
  await agent.call('fx_made_up')
  const calls = () => collector.metrics.get('switchboard.calls')?.points ?? []
  await waitFor(() => calls().length >= 2, { what: 'both calls', timeout: 30_000 })
  expect(calls().map(({ attributes, value }) => ({ ...attributes, value }))).toEqual(
    expect.arrayContaining([
      { server: 'fx', code: 'ok', value: 1 },
      expect.objectContaining({ code: 'unknown_tool', value: 1 }),
    ]),
  )
  expect([...collector.metrics.keys()]).toEqual(
    expect.arrayContaining([
      'switchboard.call_duration',
      'switchboard.server_processes',
      'switchboard.server_restarts',
      'switchboard.server_queued',
      'switchboard.sessions',
      'switchboard.result',
      'mcp.server.operation.duration',
      'mcp.client.operation.duration',
    ]),
  )
  expect(collector.problems).toEqual([])
})
