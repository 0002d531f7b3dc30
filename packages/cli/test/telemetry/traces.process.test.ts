/** One call's spans at a real collector: from an SDK's client through the front and the daemon to real servers. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { SwitchboardInput } from '@switchboard/daemon/configuration'
import { readAudit } from '@switchboard/telemetry'
import { type JournalEntry, readJournal, startRemoteFixture, waitFor } from '@switchboard/testkit'
import { type CollectedSpan, type Collector, startCollector } from '@switchboard/testkit/otlp'
import { beforeEach, describe, expect, test } from 'vitest'
import { useFrontBench } from '../front/support/front-bench.ts'

const bench = useFrontBench()
let collector: Collector

beforeEach(async () => {
  collector = await startCollector()
  bench.defer(() => collector.close())
})

/** Batches leave soon, so that no test waits long. */
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '50' }

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = {
  traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
  tracestate: 'rojo=00f067aa0ba902b7',
  baggage: 'user=alice',
}

async function connect(config: SwitchboardInput, env: Record<string, string> = {}): Promise<Client> {
  await bench.configure({ telemetry: { endpoint: collector.url, metrics: false }, ...config })
  const { command, args, cwd } = bench.command()
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: bench.env({ ...SOON, ...env }),
    stderr: 'ignore',
  })
  const client = new Client({ name: 'sdk-agent', version: '1' })
  await client.connect(transport)
  bench.defer(() => client.close())
  return client
}

const isCall = ({ attributes }: CollectedSpan): boolean => attributes['mcp.method.name'] === 'tools/call'

/** Those of calls of tools, when so many have come. */
function spansOf(count: number, fits: (span: CollectedSpan) => boolean = isCall): Promise<CollectedSpan[]> {
  return waitFor(
    () => {
      const found = collector.spans.filter(fits)
      return found.length >= count ? found : undefined
    },
    { what: `${count} spans at the collector`, timeout: 30_000 },
  )
}

const find = (spans: readonly CollectedSpan[], fits: Partial<CollectedSpan>): CollectedSpan => {
  const found = spans.find((span) =>
    Object.entries(fits).every(([key, value]) => span[key as keyof CollectedSpan] === value),
  )
  if (found === undefined) throw new Error(`No span fits ${JSON.stringify(fits)} among ${show(spans)}`)
  return found
}

const show = (spans: readonly CollectedSpan[]): string =>
  spans.map(({ service, name, kind }) => `${service}: ${kind} ${name}`).join(', ')

async function callAt(server: string): Promise<JournalEntry['message']> {
  const entries = await readJournal(bench.journal(server))
  return entries.find(({ message }) => message?.method === 'tools/call')?.message
}

const metaOf = (message: JournalEntry['message']): Record<string, unknown> =>
  (message?.params?._meta ?? {}) as Record<string, unknown>

describe('one call', () => {
  test('has its spans in front, gateway and at the server under one trace, each within the one above', async () => {
    const client = await connect({ mcpServers: { fx: bench.fixture('fx') } })
    await client.callTool({ name: 'fx_echo', arguments: { text: 'hello' }, _meta: PARENT })
    const spans = await spansOf(3)
    expect(show(spans.filter(({ traceId }) => traceId !== TRACE))).toBe('')
    const front = find(spans, { service: 'switchboard-front', kind: 'server' })
    const gateway = find(spans, { service: 'switchboard', kind: 'server' })
    const server = find(spans, { kind: 'client' })
    expect(front.parentSpanId).toBe('00f067aa0ba902b7')
    expect(gateway.parentSpanId).toBe(front.spanId)
    expect(server.parentSpanId).toBe(gateway.spanId)
    for (const [outer, inner] of [
      [front, gateway],
      [gateway, server],
    ] as const) {
      expect(inner.start >= outer.start && inner.end <= outer.end && inner.start < inner.end).toBe(true)
    }
    expect(gateway.traceState).toBe('rojo=00f067aa0ba902b7')
    const meta = metaOf(await callAt('fx'))
    expect(meta).toMatchObject({ ...PARENT, traceparent: `00-${TRACE}-${server.spanId}-01` })
    expect(collector.problems).toEqual([])
    // The time of day, and no time of the process.
    const age = Date.now() - Number(front.start / 1_000_000n)
    expect(age).toBeGreaterThanOrEqual(-50)
    expect(age).toBeLessThan(60_000)
  })

  test('is described after the conventions for MCP, without what it was called with and what it returned', async () => {
    const client = await connect({ mcpServers: { fx: bench.fixture('fx') } })
    await client.callTool({ name: 'fx_echo', arguments: { text: 'what-only-we-know' } })
    const spans = await spansOf(3)
    expect(find(spans, { service: 'switchboard', kind: 'server' })).toMatchObject({
      name: 'tools/call fx_echo',
      status: undefined,
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2025-11-25',
        'mcp.session.id': expect.stringMatching(/^[0-9a-f]{16}$/),
        'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'fx_echo',
        'network.transport': 'pipe',
        'switchboard.provider': 'fx',
        'switchboard.client': 'sdk-agent',
      },
    })
    expect(find(spans, { kind: 'client' })).toMatchObject({
      name: 'tools/call echo',
      attributes: { 'gen_ai.tool.name': 'echo', 'network.transport': 'pipe', 'switchboard.provider': 'fx' },
    })
    expect(find(spans, { service: 'switchboard-front' })).toMatchObject({
      name: 'tools/call fx_echo',
      resource: { 'service.instance.id': expect.stringMatching(/^[0-9a-z]{4}-[0-9a-f]{6}$/) },
    })
    expect(collector.received.map(({ text }) => text).join('')).not.toContain('what-only-we-know')
  })

  test('to a remote server carries its trace in the headers as well', async () => {
    await using remote = await startRemoteFixture({ marker: bench.marker, journal: bench.journal('web') }, 'http')
    const client = await connect({ mcpServers: { web: { url: remote.url } } })
    await client.callTool({ name: 'web_echo', arguments: { text: 'hello' }, _meta: PARENT })
    const server = find(await spansOf(3), { kind: 'client' })
    const url = new URL(remote.url)
    expect(server.attributes).toMatchObject({
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': url.hostname,
      'server.port': Number(url.port),
    })
    const traceparent = `00-${TRACE}-${server.spanId}-01`
    expect(metaOf(await callAt('web'))).toMatchObject({ traceparent, tracestate: PARENT.tracestate })
    const posts = (await readJournal(bench.journal('web'))).filter(({ event }) => event === 'http')
    expect(posts.map(({ headers }) => headers)).toContainEqual(
      expect.objectContaining({ traceparent, tracestate: PARENT.tracestate }),
    )
  })

  test('that no client has given a trace begins one, which its errors and its log lines name', async () => {
    const client = await connect({ mcpServers: { fx: bench.fixture('fx') } })
    const answer = await client.callTool({ name: 'fx_echo', arguments: { nonsense: true } })
    const gateway = find(await spansOf(2), { service: 'switchboard', kind: 'server' })
    expect(answer.structuredContent).toMatchObject({ meta: { traceId: gateway.traceId } })
    expect(gateway.attributes['error.type']).toBe('invalid_arguments')
    expect(gateway.status).toContain('text')
    const audit = () => readAudit({ directory: bench.home.file('traces'), traceId: gateway.traceId, limit: 10 })
    const [noted] = await waitFor(async () => ((await audit()).length > 0 ? audit() : undefined), { what: 'the audit' })
    expect(noted).toMatchObject({ trace_id: gateway.traceId, tool: 'fx_echo', code: 'invalid_arguments' })
  })
})

test('what failed says so: by a tool, by us, by a server that died', async () => {
  const client = await connect({
    mcpServers: {
      fx: bench.fixture('fx', {
        tools: [
          { name: 'wrong', result: { isError: true, content: [{ type: 'text', text: 'No such row' }] } },
          { name: 'dies', reaction: { do: 'exit' } },
          { name: 'odd', reaction: { do: 'error', error: { code: -32050, message: 'odd' } } },
        ],
      }),
    },
  })
  const call = (name: string) => client.callTool({ name, arguments: {} }).catch((error: unknown) => error)
  await call('fx_wrong')
  await call('fx_odd')
  await call('fx_dies')
  await call('fx_made_up')
  const spans = await spansOf(4, (span) => span.service === 'switchboard' && span.kind === 'server' && isCall(span))
  const types = Object.fromEntries(spans.map(({ attributes, name }) => [name, attributes['error.type']]))
  expect(types).toMatchObject({
    'tools/call fx_wrong': 'tool_error',
    'tools/call fx_odd': 'upstream_error',
    'tools/call fx_dies': 'server_exited',
    // What a caller made up is no name of a span.
    'tools/call': 'unknown_tool',
  })
  const odd = spans.find(({ name }) => name === 'tools/call fx_odd')
  expect(odd?.attributes['rpc.response.status_code']).toBe('-32050')
  expect(spans.find(({ name }) => name === 'tools/call fx_wrong')?.status).toBe('No such row')
})
