/** An error of the protocol says where and when like every other failure, in both eras and on every transport. */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { META_KEY } from '@switchboard/protocol/modern'
import { LineAgent, waitFor } from '@switchboard/testkit'
import { callTool, createCall, exchange, modern, openSession, openStream } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serveStdio } from '../../src/stdio/stdio-server.ts'
import { createToolProvider, text, untilCancelled } from './support/tool-provider.ts'
import { type OpenGateway, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACED = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` }
const HELLO = createCall('hello', 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

/** Sends a message and has its answer. */
type Ask = (message: JsonObject) => Promise<JsonObject>

function openStdio({ gateway }: OpenGateway): LineAgent {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const server = serveStdio({ gateway, identity: { profile: 'default', transport: 'stdio' }, input, output })
  bench.defer(() => server.close('the test is over'))
  return new LineAgent(output, input)
}

const askOn =
  (agent: LineAgent): Ask =>
  (message) => {
    const answer = agent.answerTo(message.id)
    agent.send(message)
    return answer
  }

const CARRIERS: Readonly<Record<string, (open: OpenGateway) => Promise<Ask>>> = {
  'the legacy era over HTTP': async ({ url }) => {
    const headers = await openSession(`${url}/mcp`)
    return async (body) => (await exchange(`${url}/mcp`, { headers, body })).json
  },
  'the modern era over HTTP':
    async ({ url }) =>
    async (message) =>
      (await exchange(`${url}/mcp`, modern(message))).json,
  'HTTP+SSE': async ({ url }) => {
    const stream = await openStream(`${url}/sse`, { method: 'GET' })
    bench.defer(() => stream.destroy())
    const endpoint = await waitFor(() => stream.events.find(({ event }) => event === 'endpoint')?.data)
    const ask: Ask = async (body) => {
      await exchange(url + endpoint, { body })
      return stream.waitForMessage(({ id }) => id === body.id)
    }
    await ask(HELLO)
    return ask
  },
  WebSocket: async ({ port }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp')
    bench.defer(() => socket.terminate())
    const received: JsonObject[] = []
    // What the gateway sends is an object; a test that finds it otherwise fails.
    socket.on('message', (data) => received.push(JSON.parse(String(data)) as JsonObject))
    await once(socket, 'open')
    const ask: Ask = (message) => {
      socket.send(JSON.stringify(message))
      return waitFor(() => received.find(({ id }) => id === message.id))
    }
    await ask(HELLO)
    return ask
  },
  'the legacy era on stdio': async (open) => {
    const agent = openStdio(open)
    await agent.initialize()
    return askOn(agent)
  },
  'the modern era on stdio': async (open) => {
    const ask = askOn(openStdio(open))
    return (message) => ask(modern(message).body)
  },
}

function createTools() {
  return createToolProvider({
    hang: (_args, call) => untilCancelled(call),
    talk: () => text('hi'),
    confuse: () => {
      throw new SwitchboardError('invalid_request', 'Nobody knows what that means')
    },
  })
}

/** The meta of the envelope in the error; its times are told apart from what it says of the call. */
function readMeta({ error }: JsonObject): JsonObject {
  const { timestamp, durationMs, ...rest } = (error as { data: { meta: JsonObject } }).data.meta
  expect(Math.abs(Date.now() - Date.parse(String(timestamp)))).toBeLessThan(600_000)
  expect(Number.isInteger(durationMs) && Number(durationMs) >= 0).toBe(true)
  return rest
}

describe.each(Object.keys(CARRIERS))('over %s', (name) => {
  // The name is a key of the table.
  const connect = (open: OpenGateway) => CARRIERS[name]?.(open) as Promise<Ask>

  it('a method that nobody knows', async () => {
    const ask = await connect(await bench.open([createTools()]))
    expect(readMeta(await ask(createCall('m', 'nonsense/do', { _meta: TRACED })))).toEqual({
      requestId: 'm',
      traceId: TRACE,
    })
  })

  it('a tool that nobody knows, and one whose server refuses the request', async () => {
    const open = await bench.open([createTools()])
    const ask = await connect(open)
    expect(readMeta(await ask(callTool('u', 'nowhere', {}, TRACED)))).toEqual({
      requestId: 'u',
      traceId: TRACE,
      tool: 'nowhere',
      provider: 'switchboard',
    })
    expect(readMeta(await ask(callTool('c', 'confuse', {}, TRACED)))).toEqual({
      requestId: 'c',
      traceId: TRACE,
      tool: 'confuse',
      provider: 'tools',
    })
  })

  it('names the trace that the log knows, where the client brings none', async () => {
    const open = await bench.open([createTools()])
    const ask = await connect(open)
    const { traceId } = readMeta(await ask(callTool('u', 'confuse')))
    expect(open.log.entries.map((entry) => entry.trace_id)).toContain(traceId)
  })
})

it('a message of the legacy era that cannot be used says when, and what is known of it', async () => {
  const { url } = await bench.open([createTools()])
  const headers = await openSession(`${url}/mcp`)
  const ask = async (body: unknown) => readMeta((await exchange(`${url}/mcp`, { headers, body })).json)
  expect(await ask('{')).toEqual({})
  expect(await ask({ id: 7 })).toEqual({ requestId: '7' })
  expect(readMeta((await exchange(`${url}/mcp`, { body: callTool(3, 'talk', {}, TRACED) })).json)).toEqual({
    requestId: '3',
    traceId: TRACE,
    tool: 'talk',
  })
})

it('a request of the modern era with a wrong envelope, header or version does so too', async () => {
  const { url } = await bench.open([createTools()])
  const body = callTool(1, 'talk', {}, TRACED)
  const ask = async (message: { headers: Record<string, string>; body: JsonObject }) =>
    readMeta((await exchange(`${url}/mcp`, message)).json)
  const known = { requestId: '1', traceId: TRACE, tool: 'talk' }
  expect(await ask(modern(body, { headers: { 'mcp-name': 'other' } }))).toEqual({ ...known, provider: 'tools' })
  const odd = callTool(1, 'talk', {}, { ...TRACED, [META_KEY.clientCapabilities]: 7 })
  expect(await ask(modern(odd))).toEqual(known)
  const unsupported = await exchange(`${url}/mcp`, modern(body, { version: '2099-01-01' }))
  expect(readMeta(unsupported.json)).toEqual(known)
  expect(unsupported.json).toMatchObject({
    error: {
      code: -32_022,
      data: { requested: '2099-01-01', supported: ['2026-07-28'], error: { code: 'invalid_request' } },
    },
  })
})

it.each(['the legacy era over HTTP', 'HTTP+SSE', 'the legacy era on stdio'])(
  'what is cut off by the end of Switchboard does so too (%s)',
  async (name) => {
    const tools = createTools()
    const open = await bench.open([tools])
    if (name === 'the legacy era on stdio') {
      const [input, output] = [new PassThrough(), new PassThrough()]
      const identity = { profile: 'default', transport: 'stdio' }
      const server = serveStdio({ gateway: open.gateway, identity, input, output })
      const agent = new LineAgent(output, input)
      await agent.initialize()
      const answer = askOn(agent)(callTool('h', 'hang', {}, TRACED))
      await waitFor(() => tools.requests.length > 0)
      server.shutDown(new SwitchboardError('shutting_down', 'Switchboard is stopping'))
      expect(readMeta(await answer)).toMatchObject({ requestId: 'h', traceId: TRACE, tool: 'hang' })
      return
    }
    const ask = (await CARRIERS[name]?.(open)) as Ask
    const answer = ask(callTool('h', 'hang', {}, TRACED))
    await waitFor(() => tools.requests.length > 0)
    await open.http.close()
    expect(readMeta(await answer)).toMatchObject({ requestId: 'h', traceId: TRACE, tool: 'hang' })
  },
)
