import { SwitchboardError } from '@switchboard/protocol/errors'
import { META_KEY } from '@switchboard/protocol/modern'
import { FakeClock, waitFor } from '@switchboard/testkit'
import { callTool, createCall, exchange, JSON_HEADERS, modern, openStream } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { FakeProvider, tool } from '../helpers/fake-provider.ts'
import { createToolProvider, text, untilCancelled } from './support/tool-provider.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

const createTools = () =>
  createToolProvider({
    echo: ({ text: said }) => text(String(said)),
    steps: ({ count }, call) => {
      for (let step = 1; step <= Number(count); step++) call.progress?.({ progress: step })
      return text('done')
    },
    hang: (_, call) => untilCancelled(call),
  })

describe('the headers of a modern request', () => {
  it.each([
    ['a method that is not the body’s', { 'mcp-method': 'tools/list' }],
    ['a name that is not the body’s', { 'mcp-name': 'other' }],
    ['another version than the body’s', { 'mcp-protocol-version': '2025-11-25' }],
    ['base64 that is none', { 'mcp-name': '=?base64?%%%?=' }],
  ])('with %s are refused', async (_, headers) => {
    const { url } = await bench.open([createTools()])
    const answer = await exchange(`${url}/mcp`, modern(callTool(7, 'echo', { text: 'hi' }), { headers }))
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ id: 7, error: { code: -32020 } })
  })

  it('are refused when they are missing', async () => {
    const { url } = await bench.open([createTools()])
    const { body } = modern(callTool(7, 'echo', { text: 'hi' }))
    const answer = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ id: 7, error: { code: -32020 } })
  })

  it('are compared with arguments that the tool wants repeated', async () => {
    const inputSchema = {
      type: 'object' as const,
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    }
    const provider = new FakeProvider('tools', {
      naming: { prefix: false },
      catalog: { tools: [tool('deploy', { inputSchema })] },
      answers: { 'tools/call': () => text('deployed') },
    })
    const { url } = await bench.open([provider])
    const call = (headers: Record<string, string>) =>
      exchange(`${url}/mcp`, modern(callTool(1, 'deploy', { region: 'eu' }), { headers }))
    expect((await call({ 'mcp-param-region': 'eu', 'mcp-param-unknown': 'x' })).status).toBe(200)
    const wrong = await call({ 'mcp-param-region': 'us' })
    expect([wrong.status, wrong.json.error]).toMatchObject([400, { code: -32020 }])
  })
})

describe('a modern request', () => {
  it('is answered with JSON when the result comes first', async () => {
    const { url, http } = await bench.open([createTools()])
    const answer = await exchange(`${url}/mcp`, modern(callTool('a', 'echo', { text: 'hi' })))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(answer.json).toMatchObject({ id: 'a', result: { resultType: 'complete', content: [{ text: 'hi' }] } })
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(http.stats()).toMatchObject({ sessions: 0, inFlight: 0 })
  })

  it('is answered with events when progress comes first, all of it in order before the result', async () => {
    const { url } = await bench.open([createTools()])
    const stream = await openStream(`${url}/mcp`, modern(callTool(1, 'steps', { count: 100 }, { progressToken: 't' })))
    await stream.waitForMessage(({ id }) => id === 1)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    const messages = stream.messages()
    expect(messages).toHaveLength(101)
    expect(messages.slice(0, 100).map(({ params }) => (params as { progress: number }).progress)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
    expect(stream.events.every(({ id }) => id === undefined)).toBe(true)
    await waitFor(() => stream.ended)
  })

  it('is answered with JSON when the client takes no events, and with events when it takes nothing else', async () => {
    const { url } = await bench.open([createTools()])
    const body = callTool(1, 'steps', { count: 3 }, { progressToken: 't' })
    const plain = await exchange(`${url}/mcp`, modern(body, { headers: { accept: 'application/json' } }))
    expect(plain.json).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    const events = await exchange(
      `${url}/mcp`,
      modern(callTool(1, 'echo', { text: 'hi' }), { headers: { accept: 'text/event-stream' } }),
    )
    expect(events.headers['content-type']).toBe('text/event-stream')
    expect(events.text).toContain('"text":"hi"')
  })

  it('of an unknown or removed method is not found', async () => {
    const { url } = await bench.open([createTools()])
    for (const method of ['no/such', 'ping', 'initialize', 'logging/setLevel', 'resources/subscribe']) {
      const answer = await exchange(`${url}/mcp`, modern(createCall(1, method)))
      expect([method, answer.status]).toEqual([method, 404])
      expect(answer.json).toMatchObject({ id: 1, error: { code: -32601 } })
    }
  })

  it('without its envelope is refused', async () => {
    const { url } = await bench.open([createTools()])
    const { headers } = modern(createCall(1, 'tools/list'))
    const answer = await exchange(`${url}/mcp`, { headers, body: createCall(1, 'tools/list') })
    expect([answer.status, answer.json]).toMatchObject([400, { id: 1, error: { code: -32602 } }])
    const halfBody = createCall(1, 'tools/list', { _meta: { [META_KEY.protocolVersion]: '2026-07-28' } })
    const half = await exchange(`${url}/mcp`, { headers, body: halfBody })
    expect([half.status, half.json]).toMatchObject([400, { id: 1, error: { code: -32602 } }])
  })

  it('of a version that nobody knows is told the known ones, whether its body says so or only its header', async () => {
    const { url } = await bench.open([createTools()])
    const expected = { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } }
    const both = await exchange(`${url}/mcp`, modern(createCall(1, 'tools/list'), { version: '2099-01-01' }))
    expect([both.status, both.json]).toMatchObject([400, expected])
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2099-01-01' }
    const header = await exchange(`${url}/mcp`, { headers, body: createCall(1, 'tools/list') })
    expect([header.status, header.json]).toMatchObject([400, expected])
  })

  it('ignores a session id', async () => {
    const { url } = await bench.open([createTools()])
    const headers = { 'mcp-session-id': 'whatever', 'last-event-id': '1-1' }
    const answer = await exchange(`${url}/mcp`, modern(callTool(1, 'echo', { text: 'hi' }), { headers }))
    expect(answer.status).toBe(200)
  })

  it('fails in its result with status 200, and for a missing capability with 400', async () => {
    const rpc = { code: -32021, message: 'Missing', data: { requiredCapabilities: { sampling: {} } } }
    const provider = createToolProvider({
      ask: () => {
        throw new SwitchboardError('upstream_error', 'Missing', { details: { rpc } })
      },
    })
    const { url } = await bench.open([provider])
    const unknown = await exchange(`${url}/mcp`, modern(callTool(1, 'nothing')))
    expect([unknown.status, unknown.json]).toMatchObject([200, { error: { code: -32602 } }])
    const missing = await exchange(`${url}/mcp`, modern(callTool(1, 'ask')))
    expect([missing.status, missing.json]).toMatchObject([400, { error: rpc }])
  })

  it('that is only a notification is accepted', async () => {
    const { url } = await bench.open([createTools()])
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/cancelled' }
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect((await exchange(`${url}/mcp`, { headers, body })).status).toBe(202)
  })

  it('cannot be a response', async () => {
    const { url } = await bench.open([createTools()])
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28' }
    const answer = await exchange(`${url}/mcp`, { headers, body: { jsonrpc: '2.0', id: 1, result: {} } })
    expect(answer.status).toBe(400)
  })

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('by %s without a session is not allowed', async (method) => {
    const { url } = await bench.open([createTools()])
    const answer = await exchange(`${url}/mcp`, { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, GET, DELETE'])
  })
})

describe('a modern client that goes away', () => {
  it('cancels its call, before anything was answered and in the middle of a stream', async () => {
    const provider = createToolProvider({
      hang: (_, call) => untilCancelled(call),
      begin: (_, call) => {
        call.progress?.({ progress: 1 })
        return untilCancelled(call)
      },
    })
    const { url, http } = await bench.open([provider])
    const silent = new AbortController()
    const { headers, body } = modern(callTool(1, 'hang'))
    const waiting = fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body), signal: silent.signal })
    await waitFor(() => provider.requests.length === 1)
    silent.abort()
    await expect(waiting).rejects.toThrow()
    await waitFor(() => provider.requests[0]?.call.signal.aborted)

    const stream = await openStream(`${url}/mcp`, modern(callTool(1, 'begin', {}, { progressToken: 1 })))
    await stream.waitForMessage(({ method }) => method === 'notifications/progress')
    expect(http.stats().inFlight).toBe(1)
    stream.destroy()
    await waitFor(() => provider.requests[1]?.call.signal.aborted)
    expect(provider.requests[1]?.call.signal.reason).toMatchObject({ code: 'cancelled' })
    await waitFor(() => http.stats().inFlight === 0)
  })
})

describe('subscriptions/listen', () => {
  const listen = modern(createCall('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))

  it('acknowledges, announces, and stays open with signs of life', async () => {
    const clock = new FakeClock()
    const provider = createTools()
    const { url, http } = await bench.open([provider], { clock, keepAliveMs: 15_000 })
    const stream = await openStream(`${url}/mcp`, listen)
    await stream.waitForMessage(({ method }) => method === 'notifications/subscriptions/acknowledged')
    provider.simulateCatalog({}, ['tools', 'prompts'])
    const changed = await stream.waitForMessage(({ method }) => method === 'notifications/tools/list_changed')
    expect(changed.params).toMatchObject({ _meta: { [META_KEY.subscriptionId]: 'l' } })
    expect(stream.messages()).toHaveLength(2)
    clock.advance(15_000)
    await waitFor(() => stream.comments.includes('keep-alive'))
    expect(http.stats()).toMatchObject({ streams: 1, inFlight: 0 })
    stream.destroy()
    await waitFor(() => http.stats().streams === 0)
  })

  it('needs a client that takes events', async () => {
    const { url } = await bench.open([createTools()])
    const headers = { ...listen.headers, accept: 'application/json' }
    expect((await exchange(`${url}/mcp`, { ...listen, headers })).status).toBe(406)
  })

  it('ends with its result when the gateway stops', async () => {
    const { url, http } = await bench.open([createTools()])
    const stream = await openStream(`${url}/mcp`, listen)
    await stream.waitForMessage(({ method }) => method === 'notifications/subscriptions/acknowledged')
    await http.close()
    expect(await stream.waitForMessage(({ id }) => id === 'l')).toHaveProperty('result')
  })
})

describe('a call that takes long', () => {
  it('has its connection kept alive as a stream', async () => {
    const clock = new FakeClock()
    const release = Promise.withResolvers<void>()
    const provider = createToolProvider({
      wait: async () => {
        await release.promise
        return text('at last')
      },
    })
    const { url } = await bench.open([provider], { clock, keepAliveMs: 15_000 })
    const opening = openStream(`${url}/mcp`, modern(callTool(1, 'wait')))
    await waitFor(() => provider.requests.length === 1)
    clock.advance(30_000)
    const stream = await opening
    await waitFor(() => stream.comments.length > 0)
    release.resolve()
    expect(await stream.waitForMessage(({ id }) => id === 1)).toMatchObject({
      result: { content: [{ text: 'at last' }] },
    })
  })
})
