import { once } from 'node:events'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { FakeClock, waitFor } from '@switchboard/testkit'
import { callTool, createCall, exchange, JSON_HEADERS, openStream } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createToolProvider, text, untilCancelled } from './support/tool-provider.ts'
import { type OpenGateway, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const INITIALIZE = createCall(0, 'initialize', {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

const createTools = () =>
  createToolProvider({ echo: ({ text: said }) => text(String(said)), hang: (_, call) => untilCancelled(call) })

const profiles = [{ name: 'empty', tools: { deny: ['*'] } }]

describe('HTTP+SSE', () => {
  async function connect({ url }: OpenGateway, path = '/sse') {
    const stream = await openStream(url + path, { method: 'GET', headers: { accept: 'text/event-stream' } })
    const endpoint = await waitFor(() => stream.events.find(({ event }) => event === 'endpoint'))
    const post = (body: unknown) => exchange(url + endpoint.data, { headers: JSON_HEADERS, body })
    return { stream, endpoint: endpoint.data, post }
  }

  it('names where to POST to, accepts, and answers by the stream', async () => {
    const opened = await bench.open([createTools()])
    const { stream, endpoint, post } = await connect(opened)
    expect(endpoint).toMatch(/^\/messages\?sessionId=[\w-]{32}$/)
    expect([(await post(INITIALIZE)).status, (await post(callTool(1, 'echo', { text: 'hi' }))).status]).toEqual([
      202, 202,
    ])
    expect(await stream.waitForMessage(({ id }) => id === 0)).toMatchObject({
      result: { protocolVersion: '2024-11-05' },
    })
    expect(await stream.waitForMessage(({ id }) => id === 1)).toEqual({ jsonrpc: '2.0', id: 1, result: text('hi') })
    expect(opened.http.stats()).toMatchObject({ sessions: 1, sseSessions: 1 })
  })

  it('has a profile in its path', async () => {
    const opened = await bench.open([createTools()], { profiles })
    const { stream, post } = await connect(opened, '/sse/empty')
    await post(INITIALIZE)
    await post(createCall(1, 'tools/list'))
    expect(await stream.waitForMessage(({ id }) => id === 1)).toMatchObject({ result: { tools: [] } })
    expect((await exchange(`${opened.url}/sse/unknown`, { method: 'GET' })).status).toBe(404)
  })

  it('cancels the calls of a stream that is closed, at once', async () => {
    const provider = createTools()
    const opened = await bench.open([provider])
    const { stream, endpoint, post } = await connect(opened)
    await post(INITIALIZE)
    await post(callTool(1, 'hang'))
    await waitFor(() => provider.requests.length === 1)
    expect(opened.http.stats().inFlight).toBe(1)
    stream.destroy()
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
    expect(opened.http.stats()).toMatchObject({ sessions: 0, inFlight: 0 })
    const late = await exchange(opened.url + endpoint, { headers: JSON_HEADERS, body: createCall(2, 'ping') })
    expect([late.status, late.json]).toMatchObject([404, { error: { data: { error: { code: 'unknown_session' } } } }])
  })

  it('refuses what is no message, and other methods', async () => {
    const opened = await bench.open([createTools()])
    const { post } = await connect(opened)
    expect((await post('{')).status).toBe(400)
    expect((await post('7')).status).toBe(400)
    expect((await exchange(`${opened.url}/sse`, { headers: JSON_HEADERS, body: INITIALIZE })).headers.allow).toBe('GET')
    expect((await exchange(`${opened.url}/messages`, { method: 'GET' })).headers.allow).toBe('POST')
    expect((await exchange(`${opened.url}/messages`, { headers: JSON_HEADERS, body: INITIALIZE })).status).toBe(404)
  })

  it('shows signs of life', async () => {
    const clock = new FakeClock()
    const { stream } = await connect(await bench.open([createTools()], { clock, keepAliveMs: 15_000 }))
    clock.advance(15_000)
    await waitFor(() => stream.comments.includes('keep-alive'))
  })
})

describe('WebSocket', () => {
  async function connect({ port }: OpenGateway, path = '/ws', headers: Record<string, string> = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, 'mcp', { headers })
    bench.defer(() => socket.terminate())
    const received: Record<string, unknown>[] = []
    socket.on('message', (data) => received.push(JSON.parse(String(data)) as Record<string, unknown>))
    socket.on('error', () => {})
    await once(socket, 'open')
    return {
      socket,
      received,
      say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
      answer: (id: unknown) => waitFor(() => received.find((message) => message.id === id)),
    }
  }

  it('speaks the subprotocol, a message a frame', async () => {
    const opened = await bench.open([createTools()], { profiles })
    const { socket, say, answer } = await connect(opened)
    expect(socket.protocol).toBe('mcp')
    say(INITIALIZE)
    say(callTool(1, 'echo', { text: 'hi' }))
    expect(await answer(1)).toEqual({ jsonrpc: '2.0', id: 1, result: text('hi') })
    const other = await connect(opened, '/ws/empty')
    other.say(INITIALIZE)
    other.say(createCall(1, 'tools/list'))
    expect(await other.answer(1)).toMatchObject({ result: { tools: [] } })
    expect(opened.http.stats()).toMatchObject({ sessions: 2, webSocketSessions: 2 })
  })

  it('answers what is no message, and goes on', async () => {
    const { socket, say, answer, received } = await connect(await bench.open([createTools()], { maxJsonDepth: 20 }))
    say('{')
    say('['.repeat(100))
    socket.send(Buffer.from('{}'), { binary: true })
    say('7')
    await waitFor(() => received.length === 4)
    expect(received.map(({ error }) => (error as { code: number }).code)).toEqual([-32700, -32600, -32700, -32600])
    say(createCall(1, 'ping'))
    expect(await answer(1)).toMatchObject({ result: {} })
  })

  it('closes on a message that is too large', async () => {
    const { socket, say } = await connect(await bench.open([createTools()], { maxBodyBytes: 1_000 }))
    say(callTool(1, 'echo', { text: 'x'.repeat(2_000) }))
    const [code] = await once(socket, 'close')
    expect(code).toBe(1009)
  })

  it('cancels the calls of a socket that is closed, at once', async () => {
    const provider = createTools()
    const opened = await bench.open([provider])
    const { socket, say } = await connect(opened)
    say(INITIALIZE)
    say(callTool(1, 'hang'))
    await waitFor(() => provider.requests.length === 1)
    socket.terminate()
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
    await waitFor(() => opened.http.stats().sessions === 0)
  })

  it('gives up a peer that no longer answers pings, and only that', async () => {
    const clock = new FakeClock()
    const opened = await bench.open([createTools()], { clock, keepAliveMs: 15_000 })
    const alive = await connect(opened)
    const mute = new WebSocket(`ws://127.0.0.1:${opened.port}/ws`, 'mcp', { autoPong: false })
    mute.on('error', () => {})
    await once(mute, 'open')
    const pinged = Promise.all([once(alive.socket, 'ping'), once(mute, 'ping')])
    clock.advance(15_000)
    await pinged
    // Its pong is behind it: what was sent after it has been answered.
    alive.say(createCall('sync', 'ping'))
    await alive.answer('sync')
    clock.advance(15_000)
    await waitFor(() => mute.readyState === mute.CLOSED)
    expect(alive.socket.readyState).toBe(alive.socket.OPEN)
  })

  it('is refused to who has no credential, who names no profile of ours, and elsewhere', async () => {
    const opened = await bench.open([createTools()], {
      authenticate: async ({ authorization }) =>
        authorization === 'Bearer one'
          ? { ok: true, credential: 'one' }
          : { ok: false, status: 401, error: new SwitchboardError('unauthorized', 'No token') },
    })
    const refusal = async (path: string, headers: Record<string, string>) => {
      const socket = new WebSocket(`ws://127.0.0.1:${opened.port}${path}`, 'mcp', { headers })
      const [, response] = await once(socket, 'unexpected-response')
      response.resume()
      socket.on('error', () => {})
      socket.terminate()
      return response.statusCode
    }
    const known = { authorization: 'Bearer one' }
    expect(await refusal('/ws', {})).toBe(401)
    expect(await refusal('/ws/unknown', known)).toBe(404)
    expect(await refusal('/mcp', known)).toBe(404)
    const { say, answer } = await connect(opened, '/ws', known)
    say(INITIALIZE)
    await answer(0)
  })

  it('counts among the sessions that there may be', async () => {
    const opened = await bench.open([createTools()], { maxSessions: 1 })
    await connect(opened)
    const refused = await exchange(`${opened.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE })
    expect(refused.status).toBe(503)
    expect((await exchange(`${opened.url}/sse`, { method: 'GET' })).status).toBe(503)
    await expect(connect(opened)).rejects.toThrow('503')
  })

  it('tells a plain GET what it is', async () => {
    const { url } = await bench.open([createTools()])
    const answer = await exchange(`${url}/ws`, { method: 'GET' })
    expect([answer.status, answer.headers.upgrade]).toEqual([426, 'websocket'])
  })
})
