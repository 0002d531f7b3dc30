import { FakeClock, waitFor } from '@switchboard/testkit'
import {
  callTool,
  createCall,
  exchange,
  JSON_HEADERS,
  openSession,
  openStream,
  type RawStream,
} from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
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
    begin: (_, call) => {
      call.progress?.({ progress: 1 })
      return untilCancelled(call)
    },
    ask: async (_, call) => {
      const answers = await call.ask?.({ roots: { method: 'roots/list' } })
      return text(JSON.stringify(answers?.roots))
    },
  })

function progressOf(stream: RawStream): unknown[] {
  return stream
    .messages()
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => (params as { progress: number }).progress)
}

describe('a legacy session', () => {
  it('is opened by initialize, named by an unguessable id, and needed afterwards', async () => {
    const { url, http } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    expect(headers['mcp-session-id']).toMatch(/^[\x21-\x7e]{32,}$/)
    const body = callTool(1, 'echo', { text: 'hi' })
    const answer = await exchange(`${url}/mcp`, { headers, body })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, result: text('hi') })
    const without = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect([without.status, without.json]).toMatchObject([400, { error: { code: -32600 } }])
    const unknown = await exchange(`${url}/mcp`, { headers: { ...JSON_HEADERS, 'mcp-session-id': 'nobody' }, body })
    expect([unknown.status, unknown.json]).toMatchObject([
      404,
      { error: { data: { error: { code: 'unknown_session' } } } },
    ])
    expect(http.stats().sessions).toBe(1)
  })

  it('ends with DELETE, and its calls with it', async () => {
    const provider = createTools()
    const { url, http } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const waiting = exchange(`${url}/mcp`, { headers, body: callTool(1, 'hang') })
    await waitFor(() => provider.requests.length === 1)
    const listening = await openStream(`${url}/mcp`, { method: 'GET', headers })
    expect((await exchange(`${url}/mcp`, { method: 'DELETE', headers })).status).toBe(204)
    expect((await waiting).json).toMatchObject({ id: 1, error: { data: { error: { code: 'cancelled' } } } })
    expect(provider.requests[0]?.call.signal.aborted).toBe(true)
    await waitFor(() => listening.ended)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? createCall(2, 'ping') : undefined
      expect((await exchange(`${url}/mcp`, { method, headers, body })).status).toBe(404)
    }
    expect(http.stats().sessions).toBe(0)
  })

  it('is not initialized twice, and not with parameters that are none', async () => {
    const { url, http } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    expect((await exchange(`${url}/mcp`, { headers, body: createCall(5, 'initialize', params) })).status).toBe(400)
    const bad = await exchange(`${url}/mcp`, {
      headers: JSON_HEADERS,
      body: createCall(5, 'initialize', { capabilities: 1 }),
    })
    expect([bad.status, bad.json]).toMatchObject([400, { id: 5, error: { code: -32602 } }])
    expect(bad.headers['mcp-session-id']).toBeUndefined()
    expect(http.stats().sessions).toBe(1)
  })

  it('takes the protocol version in a header when it is one of its era', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { version: '2025-06-18' })
    const post = (version: string) =>
      exchange(`${url}/mcp`, { headers: { ...headers, 'mcp-protocol-version': version }, body: createCall(1, 'ping') })
    expect((await post('2025-06-18')).status).toBe(200)
    for (const version of ['1999-01-01', 'x', '2026-07-28']) expect((await post(version)).status).toBe(400)
    const get = { method: 'GET', headers: { ...headers, 'mcp-protocol-version': 'x' } }
    expect((await exchange(`${url}/mcp`, get)).status).toBe(400)
  })

  it('accepts notifications and responses without an answer', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 'nobody-asked', result: {} },
    ]) {
      const answer = await exchange(`${url}/mcp`, { headers, body })
      expect([answer.status, answer.text]).toEqual([202, ''])
    }
  })

  it('refuses a second request with an id that is under way', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const first = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'begin', {}, { progressToken: 1 }) })
    const second = await exchange(`${url}/mcp`, { headers, body: callTool(1, 'echo', { text: 'hi' }) })
    expect([second.status, second.json]).toMatchObject([400, { id: 1, error: { code: -32600 } }])
    expect(first.messages().filter(({ id }) => id === 1)).toEqual([])
  })

  it('expires after its idle time, but not while somebody listens or waits', async () => {
    const clock = new FakeClock()
    const provider = createTools()
    const { url, http } = await bench.open([provider], { clock, sessionIdleTtl: 60_000, keepAliveMs: 15_000 })
    const idle = await openSession(`${url}/mcp`)
    const listening = await openSession(`${url}/mcp`)
    const waiting = await openSession(`${url}/mcp`)
    const stream = await openStream(`${url}/mcp`, { method: 'GET', headers: listening })
    const call = exchange(`${url}/mcp`, { headers: waiting, body: callTool(1, 'hang') })
    await waitFor(() => provider.requests.length === 1)
    clock.advance(45_000)
    expect(http.stats().sessions).toBe(3)
    clock.advance(30_000)
    expect(http.stats().sessions).toBe(2)
    expect((await exchange(`${url}/mcp`, { headers: idle, body: createCall(1, 'ping') })).status).toBe(404)
    stream.destroy()
    await waitFor(() => http.stats().streams === 0)
    await exchange(`${url}/mcp`, { method: 'DELETE', headers: waiting })
    await call
    clock.advance(75_000)
    expect(http.stats().sessions).toBe(0)
  })

  it('makes room for another one when it is the longest idle; when all are in use there is none', async () => {
    const clock = new FakeClock()
    const { url } = await bench.open([createTools()], { clock, maxSessions: 2 })
    const [oldest, newer] = [await openSession(`${url}/mcp`), await openSession(`${url}/mcp`)]
    clock.advance(10)
    await exchange(`${url}/mcp`, { headers: oldest, body: createCall(1, 'ping') })
    const third = await openSession(`${url}/mcp`)
    expect((await exchange(`${url}/mcp`, { headers: newer, body: createCall(1, 'ping') })).status).toBe(404)
    await openStream(`${url}/mcp`, { method: 'GET', headers: oldest })
    await openStream(`${url}/mcp`, { method: 'GET', headers: third })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const refused = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body: createCall(0, 'initialize', params) })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  })
})

describe('a batch', () => {
  it('is taken from a session of 2025-03-26 alone', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { version: '2025-03-26' })
    const body = [callTool(1, 'echo', { text: 'a' }), { jsonrpc: '2.0', method: 'notifications/x' }]
    const one = await exchange(`${url}/mcp`, { headers, body })
    expect(JSON.parse(one.text)).toEqual([{ jsonrpc: '2.0', id: 1, result: text('a') }])
    const newer = await openSession(`${url}/mcp`, { version: '2025-06-18' })
    expect((await exchange(`${url}/mcp`, { headers: newer, body })).status).toBe(400)
  })

  it('with several requests is answered by events, or by a list for a client that takes none', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { version: '2025-03-26' })
    const body = [callTool(1, 'echo', { text: 'a' }), callTool('2', 'echo', { text: 'b' })]
    const stream = await openStream(`${url}/mcp`, { headers, body })
    await waitFor(() => stream.ended)
    expect(new Set(stream.messages().map(({ id }) => id))).toEqual(new Set([1, '2']))
    const list = await exchange(`${url}/mcp`, { headers: { ...headers, accept: 'application/json' }, body })
    expect(JSON.parse(list.text)).toHaveLength(2)
  })

  it.each([
    ['that is empty', []],
    ['inside a batch', [[createCall(1, 'ping')]]],
    ['with initialize', [createCall(1, 'initialize', {})]],
    ['with something else', [createCall(1, 'ping'), 7]],
    ['with one id twice', [createCall(1, 'ping'), createCall(1, 'ping')]],
    ['of too many', Array.from({ length: 101 }, (_, id) => createCall(id, 'ping'))],
  ])('%s is refused', async (_, body) => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { version: '2025-03-26' })
    const answer = await exchange(`${url}/mcp`, { headers, body })
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: -32600 } }])
  })
})

describe('the stream of a request', () => {
  it('is JSON when the answer comes first, else events with ids, primed for 2025-11-25', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    const body = callTool(1, 'steps', { count: 100 }, { progressToken: 't' })
    const stream = await openStream(`${url}/mcp`, { headers, body })
    await waitFor(() => stream.ended)
    const [first, ...rest] = stream.events
    expect(first).toEqual({ id: '1-0', event: undefined, data: '' })
    expect(rest.map(({ id }) => id)).toEqual(Array.from({ length: 101 }, (_, index) => `1-${index + 1}`))
    expect(progressOf(stream)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(stream.messages().at(-1)).toMatchObject({ id: 1 })
  })

  it('is not primed for a version that does not know it', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { version: '2025-06-18' })
    const body = callTool(1, 'steps', { count: 1 }, { progressToken: 't' })
    const stream = await openStream(`${url}/mcp`, { headers, body })
    await waitFor(() => stream.ended)
    expect(stream.events.map(({ id }) => id)).toEqual(['1-1', '1-2'])
    expect(stream.events.every(({ data }) => data !== '')).toBe(true)
  })

  it('carries the questions of its call, and the answers come by POST', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { capabilities: { roots: {} } })
    const stream = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'ask') })
    const question = await stream.waitForMessage(({ method }) => method === 'roots/list')
    const body = { jsonrpc: '2.0', id: question.id, result: { roots: [] } }
    expect((await exchange(`${url}/mcp`, { headers, body })).status).toBe(202)
    expect(await stream.waitForMessage(({ id }) => id === 1)).toMatchObject({ result: text('{"roots":[]}') })
  })

  it('sends questions by the stream of the session when the client takes no events on its POST', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`, { capabilities: { roots: {} } })
    const session = await openStream(`${url}/mcp`, { method: 'GET', headers })
    const plain = { ...headers, accept: 'application/json' }
    const answer = exchange(`${url}/mcp`, { headers: plain, body: callTool(1, 'ask') })
    const question = await session.waitForMessage(({ method }) => method === 'roots/list')
    await exchange(`${url}/mcp`, { headers, body: { jsonrpc: '2.0', id: question.id, result: { roots: [] } } })
    expect((await answer).json).toMatchObject({ id: 1, result: text('{"roots":[]}') })
  })

  it('ends without an answer when the client cancels', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const silent = exchange(`${url}/mcp`, { headers, body: callTool(1, 'hang') })
    const started = await openStream(`${url}/mcp`, { headers, body: callTool(2, 'begin', {}, { progressToken: 1 }) })
    await waitFor(() => provider.requests.length === 2)
    for (const requestId of [1, 2]) {
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } }
      await exchange(`${url}/mcp`, { headers, body })
    }
    const ended = await silent
    expect([ended.status, ended.headers['content-type'], ended.text]).toEqual([200, 'text/event-stream', ''])
    await waitFor(() => started.ended)
    expect(started.messages().some(({ id }) => id === 2)).toBe(false)
    expect(provider.requests.map(({ call }) => (call.signal.reason as Error).message)).toEqual([
      'The client cancelled the call: enough',
      'The client cancelled the call: enough',
    ])
    const back = { ...headers, 'last-event-id': String(started.events.at(-1)?.id) }
    expect((await exchange(`${url}/mcp`, { method: 'GET', headers: back })).status).toBe(204)
  })
})

describe('a lost stream', () => {
  it('cancels at once what can never be resumed', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const gone = new AbortController()
    const body = JSON.stringify(callTool(1, 'hang'))
    const waiting = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: gone.signal })
    await waitFor(() => provider.requests.length === 1)
    gone.abort()
    await expect(waiting).rejects.toThrow()
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
  })

  it('cancels at once what was only kept alive, without an id to come back with', async () => {
    const clock = new FakeClock()
    const provider = createTools()
    const { url } = await bench.open([provider], { clock, keepAliveMs: 1_000 })
    // A version that knows no event without a message.
    const headers = await openSession(`${url}/mcp`, { version: '2025-06-18' })
    const opening = openStream(`${url}/mcp`, { headers, body: callTool(1, 'hang') })
    await waitFor(() => provider.requests.length === 1)
    clock.advance(1_000)
    clock.advance(1_000)
    const stream = await opening
    await waitFor(() => stream.comments.length > 0)
    expect(stream.events).toEqual([])
    stream.destroy()
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
    expect(String(provider.requests[0]?.call.signal.reason)).toContain('closed the connection')
  })

  it('cancels its call when nobody comes back within the grace', async () => {
    const clock = new FakeClock()
    const provider = createTools()
    const { url, http } = await bench.open([provider], { clock, resumeGrace: 10_000 })
    const headers = await openSession(`${url}/mcp`)
    const stream = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'begin', {}, { progressToken: 1 }) })
    await stream.waitForMessage(({ method }) => method === 'notifications/progress')
    stream.destroy()
    await waitFor(() => clock.pendingTimers().includes(10_000))
    clock.advance(9_999)
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
    expect(http.stats().inFlight).toBe(1)
    clock.advance(1)
    expect(provider.requests[0]?.call.signal.aborted).toBe(true)
    expect(http.stats().inFlight).toBe(0)
  })

  it('is resumed after the last event seen, with what was missed, and goes on', async () => {
    const clock = new FakeClock()
    const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const provider = createToolProvider({
      slow: async (_, call) => {
        call.progress?.({ progress: 1 })
        call.progress?.({ progress: 2 })
        await next[0]?.promise
        call.progress?.({ progress: 3 })
        await next[1]?.promise
        call.progress?.({ progress: 4 })
        return text('done')
      },
    })
    const { url } = await bench.open([provider], { clock })
    const headers = await openSession(`${url}/mcp`)
    const first = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'slow', {}, { progressToken: 1 }) })
    await waitFor(() => progressOf(first).length === 2)
    first.destroy()
    await waitFor(() => clock.pendingTimers().includes(10_000))
    next[0]?.resolve()
    const back = { ...headers, 'last-event-id': String(first.events[1]?.id) }
    const second = await openStream(`${url}/mcp`, { method: 'GET', headers: back })
    await waitFor(() => progressOf(second).length === 2)
    expect(progressOf(second)).toEqual([2, 3])
    clock.advance(20_000)
    next[1]?.resolve()
    await second.waitForMessage(({ id }) => id === 1)
    expect(progressOf(second)).toEqual([2, 3, 4])
    await waitFor(() => second.ended)
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
  })

  it('gives the answer that came while nobody was connected', async () => {
    const clock = new FakeClock()
    const go = Promise.withResolvers<void>()
    const provider = createToolProvider({
      slow: async (_, call) => {
        call.progress?.({ progress: 1 })
        await go.promise
        return text('x'.repeat(2_000_000))
      },
    })
    const { url, http } = await bench.open([provider], { clock })
    const headers = await openSession(`${url}/mcp`)
    const first = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'slow', {}, { progressToken: 1 }) })
    await waitFor(() => progressOf(first).length === 1)
    first.destroy()
    await waitFor(() => clock.pendingTimers().includes(10_000))
    go.resolve()
    await waitFor(() => http.stats().inFlight === 0)
    const back = { ...headers, 'last-event-id': String(first.events.at(-1)?.id) }
    const second = await openStream(`${url}/mcp`, { method: 'GET', headers: back })
    await waitFor(() => second.ended)
    expect(second.messages()).toMatchObject([{ id: 1, result: { content: [{ type: 'text' }] } }])
  })

  it('gives a large answer again that was cut off on its way', async () => {
    const go = Promise.withResolvers<void>()
    const provider = createToolProvider({
      large: async (_, call) => {
        call.progress?.({ progress: 1 })
        await go.promise
        return text('x'.repeat(30_000_000))
      },
    })
    const { url, http } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const stream = await openStream(`${url}/mcp`, { headers, body: callTool(1, 'large', {}, { progressToken: 1 }) })
    await waitFor(() => progressOf(stream).length === 1)
    stream.pause()
    go.resolve()
    await waitFor(() => http.stats().inFlight === 0)
    stream.destroy()
    const back = { ...headers, 'last-event-id': String(stream.events.at(-1)?.id) }
    const again = await waitFor(async () => {
      const answer = await exchange(`${url}/mcp`, { method: 'GET', headers: back })
      return answer.status === 200 && answer
    })
    expect(again.text.length).toBeGreaterThan(30_000_000)
  })

  it('refuses an id that was never one', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    for (const id of ['x', '1', '-1-2', '1-2-3', '999999999999999999999-1']) {
      const answer = await exchange(`${url}/mcp`, { method: 'GET', headers: { ...headers, 'last-event-id': id } })
      expect([id, answer.status]).toEqual([id, 400])
    }
  })
})

describe('the stream of a session', () => {
  it('is one at a time and carries what belongs to no request', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const stream = await openStream(`${url}/mcp`, { method: 'GET', headers })
    expect(stream.status).toBe(200)
    const second = await exchange(`${url}/mcp`, { method: 'GET', headers })
    expect(second.status).toBe(409)
    provider.simulateCatalog({}, ['tools'])
    await stream.waitForMessage(({ method }) => method === 'notifications/tools/list_changed')
    stream.destroy()
    const again = await waitFor(async () => {
      const opened = await openStream(`${url}/mcp`, { method: 'GET', headers })
      return opened.status === 200 && opened
    })
    expect(again.messages()).toEqual([])
  })

  it('needs a client that takes events', async () => {
    const { url } = await bench.open([createTools()])
    const headers = await openSession(`${url}/mcp`)
    const get = { method: 'GET', headers: { ...headers, accept: 'application/json' } }
    expect((await exchange(`${url}/mcp`, get)).status).toBe(406)
  })

  it('keeps what nobody listened to, each thing once', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    for (let change = 0; change < 5; change++) provider.simulateCatalog({}, ['tools'])
    provider.simulateCatalog({}, ['prompts'])
    const stream = await openStream(`${url}/mcp`, { method: 'GET', headers })
    await stream.waitForMessage(({ method }) => method === 'notifications/prompts/list_changed')
    expect(stream.messages().map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
    ])
  })

  it('is taken over by a client that resumes it, with what it missed', async () => {
    const provider = createTools()
    const { url } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const first = await openStream(`${url}/mcp`, { method: 'GET', headers })
    provider.simulateCatalog({}, ['tools'])
    provider.simulateCatalog({}, ['prompts'])
    await first.waitForMessage(({ method }) => method === 'notifications/prompts/list_changed')
    const seen = first.events.find(({ data }) => data.includes('tools/list_changed'))
    const back = { ...headers, 'last-event-id': String(seen?.id) }
    const second = await openStream(`${url}/mcp`, { method: 'GET', headers: back })
    await second.waitForMessage(({ method }) => method === 'notifications/prompts/list_changed')
    expect(second.messages()).toHaveLength(1)
    await waitFor(() => first.ended)
    provider.simulateCatalog({}, ['resources'])
    await second.waitForMessage(({ method }) => method === 'notifications/resources/list_changed')
  })
})
