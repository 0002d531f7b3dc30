import { once } from 'node:events'
import { connect } from 'node:net'
import type { JsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import {
  callTool,
  createCall,
  exchange,
  JSON_HEADERS,
  modern,
  openSession,
  openStream,
} from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createToolProvider, text, untilCancelled } from './support/tool-provider.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

describe('closing the gateway', () => {
  it('lets calls under way finish, of both eras, and takes no new ones', async () => {
    const go = Promise.withResolvers<void>()
    const provider = createToolProvider({
      wait: async () => {
        await go.promise
        return text('done')
      },
    })
    const { url, port, http } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const calls = [
      exchange(`${url}/mcp`, { headers, body: callTool(1, 'wait') }),
      exchange(`${url}/mcp`, modern(callTool(2, 'wait'))),
    ]
    await waitFor(() => provider.requests.length === 2)
    // A connection that is open already, on which a request is begun but not sent.
    const late = connect(port, '127.0.0.1')
    await once(late, 'connect')
    const body = JSON.stringify(callTool(3, 'wait'))
    const lines = [
      'POST /mcp HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      'content-type: application/json',
      `mcp-session-id: ${headers['mcp-session-id']}`,
      `content-length: ${body.length}`,
    ]
    late.write(`${lines.join('\r\n')}\r\n`)
    await waitFor(() => http.stats().inFlight === 2)
    // What came before these is read before they are answered: a connection that has said nothing is idle, and is closed.
    for (let turn = 0; turn < 2; turn++) await exchange(`${url}/healthz`, { method: 'GET' })
    const closed = http.close({ drain: 60_000 })
    let answer = ''
    late.on('data', (chunk) => {
      answer += chunk
    })
    late.write(`\r\n${body}`)
    // It may come in pieces.
    await waitFor(() => answer.includes('"code":"shutting_down"'), { what: 'the refusal' })
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    late.destroy()
    go.resolve()
    const answers = await Promise.all(calls)
    expect(answers.map(({ json }) => json.result)).toMatchObject([text('done'), text('done')])
    await closed
    await expect(exchange(`${url}/healthz`, { method: 'GET' })).rejects.toThrow('ECONNREFUSED')
  })

  it('cancels what does not finish in time, and tells whoever waits', async () => {
    const provider = createToolProvider({ hang: (_, call) => untilCancelled(call) })
    const { url, http } = await bench.open([provider])
    const headers = await openSession(`${url}/mcp`)
    const legacy = exchange(`${url}/mcp`, { headers, body: callTool(1, 'hang') })
    const second = exchange(`${url}/mcp`, modern(callTool(2, 'hang')))
    await waitFor(() => provider.requests.length === 2)
    await http.close({ drain: 10 })
    expect((await legacy).json).toMatchObject({ id: 1, error: { data: { error: { code: 'shutting_down' } } } })
    expect((await second).json).toMatchObject({ id: 2, error: {} })
    expect(provider.requests.every(({ call }) => call.signal.aborted)).toBe(true)
  })

  it('refuses new calls on sockets and event streams that stay open, finishes one under way, and answers the rest', async () => {
    const go = Promise.withResolvers<void>()
    const provider = createToolProvider({
      wait: async () => {
        await go.promise
        return text('done')
      },
      hang: (_, call) => untilCancelled(call),
    })
    const { url, port, http } = await bench.open([provider])
    const hello = createCall(0, 'initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp')
    const said: JsonObject[] = []
    socket.on('message', (data) => said.push(JSON.parse(String(data))))
    await once(socket, 'open')
    for (const message of [hello, callTool(1, 'wait'), callTool(2, 'hang')]) socket.send(JSON.stringify(message))
    const sse = await openStream(`${url}/sse`, { method: 'GET' })
    const { data: endpoint } = await waitFor(() => sse.events.find(({ event }) => event === 'endpoint'))
    for (const body of [hello, callTool(1, 'wait'), callTool(2, 'hang')]) {
      await exchange(url + endpoint, { headers: JSON_HEADERS, body })
    }
    await waitFor(() => provider.requests.length === 4)
    const closed = http.close({ drain: 500 })
    socket.send(JSON.stringify(callTool(3, 'wait')))
    const stopping = { error: { data: { error: { code: 'shutting_down', executed: false } } } }
    expect(await waitFor(() => said.find(({ id }) => id === 3))).toMatchObject(stopping)
    go.resolve()
    expect(await waitFor(() => said.find(({ id }) => id === 1))).toMatchObject({ result: text('done') })
    await closed
    for (const messages of [said, sse.messages()]) {
      expect(messages.find(({ id }) => id === 1)).toMatchObject({ result: text('done') })
      expect(messages.find(({ id }) => id === 2)).toMatchObject({
        error: { data: { error: { code: 'shutting_down' } } },
      })
    }
    expect(provider.requests).toHaveLength(4)
  })

  it('ends streams and sockets in good order', async () => {
    const { url, port, http, gateway } = await bench.open([createToolProvider({})])
    const headers = await openSession(`${url}/mcp`)
    const session = await openStream(`${url}/mcp`, { method: 'GET', headers })
    const sse = await openStream(`${url}/sse`, { method: 'GET' })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp')
    await once(socket, 'open')
    expect(http.stats()).toMatchObject({ sessions: 3, streams: 1 })
    const socketClosed = once(socket, 'close')
    await http.close()
    const [code] = await socketClosed
    expect(code).toBe(1001)
    await waitFor(() => session.ended && sse.ended)
    expect(http.stats()).toMatchObject({ sessions: 0, streams: 0 })
    expect(gateway.sessionCount).toBe(0)
  })

  it('happens once, however often it is asked for, and does not wait for clients that stay', async () => {
    const { port, http } = await bench.open([createToolProvider({})])
    const idle = connect(port, '127.0.0.1')
    await once(idle, 'connect')
    const gone = once(idle, 'close')
    await Promise.all([http.close({ drain: 5 }), http.close({ drain: 60_000 })])
    await gone
  })
})

describe('listening', () => {
  it('fails when the port is taken, and says so', async () => {
    const { port } = await bench.open([createToolProvider({})])
    await expect(bench.open([createToolProvider({})], { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('serves sessions that the gateway itself ended no more', async () => {
    const { url, gateway } = await bench.open([createToolProvider({})])
    const headers = await openSession(`${url}/mcp`)
    gateway.close()
    expect((await exchange(`${url}/mcp`, { headers, body: createCall(1, 'ping') })).status).toBe(404)
  })
})
