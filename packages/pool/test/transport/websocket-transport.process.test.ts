import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '@switchboard/base'
import { createRequest } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { UpstreamTransport } from '../../src/transport/transport.ts'
import { createWebSocketTransport, type WebSocketTransportOptions } from '../../src/transport/websocket-transport.ts'
import { Recorder, until } from './recorder.ts'

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Fixture {
  readonly url: string
  readonly server: WebSocketServer
  readonly headers: Record<string, unknown>[]
}

async function start(onMessage: (socket: WebSocket, text: string) => void, autoPong = true): Promise<Fixture> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    autoPong,
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
  })
  const headers: Record<string, unknown>[] = []
  server.on('connection', (socket, request) => {
    headers.push(request.headers)
    socket.on('message', (data) => onMessage(socket, String(data)))
  })
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  cleanups.push(async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server, headers }
}

function open(
  url: string,
  options: Partial<WebSocketTransportOptions> = {},
): { transport: UpstreamTransport; recorder: Recorder } {
  const transport = createWebSocketTransport({ url, ...options })
  const recorder = new Recorder()
  transport.open(recorder)
  cleanups.push(() => transport.close({ force: true }))
  return { transport, recorder }
}

/** Timers that pass when the test says so. */
function createManualClock(): Clock & { tick(): void; readonly pending: number } {
  const timers = new Set<() => void>()
  return {
    ...systemClock,
    setTimer(_ms, fire) {
      timers.add(fire)
      return { cancel: () => timers.delete(fire) }
    },
    tick() {
      const due = [...timers]
      timers.clear()
      for (const fire of due) fire()
    },
    get pending() {
      return timers.size
    },
  }
}

const echo = (socket: WebSocket, text: string): void => {
  const { id } = JSON.parse(text) as { id: number }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
}

describe('createWebSocketTransport', () => {
  it('speaks the subprotocol mcp with its headers, and sends what waited for the connection', async () => {
    const { url, headers } = await start(echo)
    const { transport, recorder } = open(url, { headers: { Authorization: 'Bearer t' } })
    transport.send(createRequest(1, 'initialize'))
    transport.send(createRequest(2, 'ping'))
    await recorder.next('message', 1)
    expect(recorder.messages).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
    expect(headers[0]).toMatchObject({ authorization: 'Bearer t', 'sec-websocket-protocol': 'mcp' })
  })

  it('splits a batch and shows what is not the protocol as output', async () => {
    const { url } = await start((socket) => {
      socket.send('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]')
      socket.send(`hello ${'x'.repeat(5000)}`)
      socket.send(Buffer.from('binary'))
      socket.send('{"jsonrpc":"2.0","method":"c"}')
    })
    const { transport, recorder } = open(url)
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message', 2)
    expect(recorder.messages).toEqual(['a', 'b', 'c'].map((method) => ({ jsonrpc: '2.0', method })))
    expect(recorder.of('output').map(({ line }) => line.slice(0, 6))).toEqual(['hello ', 'binary'])
    expect(recorder.of('output')[0]?.line).toHaveLength(2000)
  })

  it('tells code and reason when the server closes, once', async () => {
    const { url } = await start((socket) => socket.close(4001, 'maintenance'))
    const { transport, recorder } = open(url)
    transport.send(createRequest(1, 'initialize'))
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('closed')
    expect(info.message).toContain('4001: maintenance')
    await transport.close()
    expect(recorder.all).toHaveLength(1)
  })

  it('notices that the connection was cut while idle', async () => {
    const { url, server } = await start(echo)
    const { transport, recorder } = open(url)
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    for (const socket of server.clients) socket.terminate()
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('network')
    expect(info.message).toContain('1006')
  })

  it('reports a frame over the limit before it closes', async () => {
    const { url } = await start((socket) => socket.send('x'.repeat(5000)))
    const { transport, recorder } = open(url, { maxMessageBytes: 1000 })
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('closed')
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['oversized', 'closed'])
    expect(recorder.of('oversized')[0]).toMatchObject({ id: undefined, bytes: 1001 })
  })

  it('stays open as long as pings are answered, and ends when one is not', async () => {
    const clock = createManualClock()
    const pings: unknown[] = []
    const { url, server } = await start(echo, false)
    let answer = true
    server.on('connection', (socket) =>
      socket.on('ping', (data) => {
        pings.push(data)
        if (answer) socket.pong(data, false, () => socket.send('{"jsonrpc":"2.0","method":"after-pong"}'))
      }),
    )
    const { transport, recorder } = open(url, { clock })
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    clock.tick()
    await recorder.next('message', 1)
    answer = false
    clock.tick()
    await until(() => pings.length === 2)
    expect(recorder.of('closed')).toEqual([])
    clock.tick()
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('network')
    expect(info.message).toContain('did not answer a ping')
    await until(() => server.clients.size === 0)
    expect(clock.pending).toBe(0)
  })

  it.each([
    [401, 'auth_required'],
    [404, 'closed'],
  ])('closes when the handshake is answered with %s', async (status, reason) => {
    const server = createServer((_request, response) =>
      response.writeHead(status, { 'www-authenticate': 'Bearer' }).end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())))
    const { transport, recorder } = open(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe(reason)
    expect(info.message).toContain(String(status))
    await transport.close()
    expect(recorder.all).toHaveLength(1)
  })

  it('closes when nothing listens', async () => {
    const { recorder } = open('ws://127.0.0.1:1/mcp')
    expect((await recorder.next('closed')).info.message).toContain('ECONNREFUSED')
  })

  it('closes in an orderly way without a word to its handlers', async () => {
    const codes: number[] = []
    const { url, server } = await start(echo)
    server.on('connection', (socket) => socket.on('close', (code) => codes.push(code)))
    const { transport, recorder } = open(url)
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    await transport.close()
    await until(() => codes.length === 1)
    expect(codes).toEqual([1000])
    expect(recorder.all).toHaveLength(1)
  })

  it('does not wait for a server that does not answer the close, when forced', async () => {
    const { url, server } = await start(echo)
    const clock = createManualClock()
    const { transport, recorder } = open(url, { clock })
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    for (const socket of server.clients) socket.pause()
    const closing = transport.close()
    await transport.close({ force: true })
    await closing
    expect(clock.pending).toBe(0)
  })

  it('can be closed while it connects', async () => {
    const { url } = await start(echo)
    const { transport, recorder } = open(url)
    transport.send(createRequest(1, 'initialize'))
    await transport.close()
    expect(recorder.all).toEqual([])
  })
})
