import { createServer } from 'node:net'
import { type Clock, systemClock } from '@switchboard/base'
import { createNotification, createRequest } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, cleanups, hastyClock, open, openLegacy, startServer, withListening } from './http-fixture.ts'
import { until } from './recorder.ts'
import { legacyScript, openStream, replyJson, replyResult, resultEvent, type Seen } from './scripted-server.ts'

afterEach(cleanUp)

describe('createHttpTransport: closing', () => {
  it('lets a notification that was just sent arrive, and ends requests at once', async () => {
    const { server, transport } = await openLegacy(legacyScript(() => {}))
    transport.send(createRequest(1, 'tools/call'))
    await until(() => server.seen.some(({ message }) => message.method === 'tools/call'))
    transport.send(createNotification('notifications/cancelled', { requestId: 1 }))
    transport.abandon(1)
    await transport.close()
    expect(server.seen.some(({ message }) => message?.method === 'notifications/cancelled')).toBe(true)
  })
})

describe('createHttpTransport: a far side that is gone', () => {
  it('closes once when nothing listens, however many requests were waiting', async () => {
    const server = await startServer(() => {})
    const { url } = server
    await server.kill()
    const { transport, recorder } = open(url)
    for (let id = 0; id < 5; id += 1) transport.send(createRequest(id, 'initialize'))
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('network')
    expect(info.message).toContain(`${url}: nothing listens there (ECONNREFUSED)`)
    transport.send(createRequest(9, 'initialize'))
    await transport.close()
    expect(recorder.of('closed')).toHaveLength(1)
    expect(recorder.all.at(-1)?.kind).toBe('closed')
    // What was refused was never taken: it may be sent again.
    for (const { error } of recorder.of('failed'))
      expect(error).toMatchObject({ code: 'server_exited', executed: false })
    expect(recorder.of('failed').length).toBeGreaterThan(0)
  })

  it('closes when the connection ends before any answer', async () => {
    const server = await startServer(({ request }) => request.socket.destroy())
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    expect((await recorder.next('closed')).info.reason).toBe('network')
    expect(recorder.all).toHaveLength(1)
  })

  it('closes when the host name is unknown', async () => {
    const { transport, recorder } = open('http://no-such-host.invalid/mcp')
    transport.send(createRequest(1, 'initialize'))
    expect((await recorder.next('closed')).info.reason).toBe('network')
  })

  it('fails the request alone when a port speaks something else than HTTP', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n\r\n'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { transport, recorder } = open(`http://127.0.0.1:${port}/mcp`)
    transport.send(createRequest(1, 'initialize'))
    const { error } = await recorder.next('failed')
    expect(error.message).toContain('not HTTP')
  })

  it('fails the request and closes when a modern response stream breaks', async () => {
    const server = await startServer((seen) => {
      const stream = openStream(seen)
      stream.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n')
    })
    const { transport, recorder } = open(server.url)
    transport.setProtocol('modern', '2026-07-28')
    transport.send(createRequest(1, 'tools/call'))
    await recorder.next('message')
    await server.kill()
    await recorder.next('closed')
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['message', 'failed', 'closed'])
    expect(recorder.of('failed')[0]?.error).toMatchObject({ code: 'server_exited', executed: 'unknown' })
    expect(recorder.of('closed')[0]?.info.reason).toBe('network')
  })

  it('fails the request alone when its stream ends in an orderly way without an answer', async () => {
    const server = await startServer((seen) => {
      if (seen.message.id === 1) openStream(seen).end(': nothing\n\n')
      else replyResult(seen)
    })
    const { transport, recorder } = open(server.url)
    transport.setProtocol('modern', '2026-07-28')
    transport.send(createRequest(1, 'tools/call'))
    const { error } = await recorder.next('failed')
    expect(error.code).toBe('server_exited')
    expect(error.message).toContain('response stream ended')
    transport.send(createRequest(2, 'tools/call'))
    await recorder.next('message')
    expect(recorder.of('closed')).toEqual([])
  })

  it('fails the request and closes when a JSON answer breaks off', async () => {
    const server = await startServer(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"jsonrpc"', () => response.destroy())
    })
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    await recorder.next('closed')
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['failed', 'closed'])
  })
})

describe('createHttpTransport: the legacy era', () => {
  it('sends session and version after the handshake, and nothing before `initialized` has arrived', async () => {
    const waiting: Seen[] = []
    const legacy = legacyScript((seen) => replyResult(seen))
    const { server, transport, recorder } = await openLegacy((seen) => {
      if (seen.message.method === 'notifications/initialized') waiting.push(seen)
      else legacy(seen)
    })
    transport.send(createRequest(2, 'tools/list'))
    await until(() => waiting.length === 1)
    expect(server.seen.map(({ message }) => message.method)).toEqual(['initialize', 'notifications/initialized'])
    expect(server.seen[0]?.headers).not.toHaveProperty('mcp-session-id')
    expect(server.seen[0]?.headers).not.toHaveProperty('mcp-protocol-version')
    waiting[0]?.response.writeHead(202).end()
    await recorder.next('message')
    const expected = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' }
    for (const seen of server.seen.slice(1)) expect(seen.headers).toMatchObject(expected)
    expect(server.byMethod('GET')[0]?.headers.accept).toBe('text/event-stream')
  })

  it('leaves the version header out for revisions that do not know it', async () => {
    const server = await startServer(legacyScript((seen) => replyResult(seen)))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    transport.setProtocol('legacy', '2025-03-26')
    transport.send(createRequest(2, 'tools/list'))
    await recorder.next('message', 1)
    expect(server.seen.at(-1)?.headers).not.toHaveProperty('mcp-protocol-version')
  })

  it('does without the listening stream where the server has none', async () => {
    const { server, transport, recorder } = await openLegacy(legacyScript((seen) => replyResult(seen)))
    await until(() => server.byMethod('GET').length === 1)
    transport.send(createRequest(2, 'tools/list'))
    await recorder.next('message')
    expect(transport.noticesExit).toBe(false)
    expect(recorder.of('closed')).toEqual([])
  })

  it('delivers messages of the listening stream without an origin', async () => {
    const { transport, recorder } = await openLegacy(
      withListening(replyResult, (seen) =>
        openStream(seen).write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'),
      ),
    )
    const message = await recorder.next('message')
    expect(message).toEqual({
      kind: 'message',
      message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      origin: undefined,
    })
    expect(transport.noticesExit).toBe(true)
  })

  it('notices by the listening stream that an idle server was killed, once', async () => {
    const { server, transport, recorder } = await openLegacy(
      withListening(replyResult, (seen) => void openStream(seen)),
    )
    await until(() => transport.noticesExit)
    await server.kill()
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('network')
    await transport.close()
    expect(recorder.all).toHaveLength(1)
  })

  it('takes the listening stream up again after the last event, at once', async () => {
    const { server, transport, recorder } = await openLegacy(
      withListening(replyResult, (seen) => {
        const stream = openStream(seen)
        if (seen.headers['last-event-id'] === undefined)
          stream.end('id: e1\ndata: {"jsonrpc":"2.0","method":"one"}\n\n')
        else stream.write('id: e2\ndata: {"jsonrpc":"2.0","method":"two"}\n\n')
      }),
    )
    await recorder.next('message', 1)
    expect(server.byMethod('GET').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1'])
    expect(transport.noticesExit).toBe(true)
  })

  it('waits as asked before taking up a listening stream that keeps ending', async () => {
    hastyClock.waits.length = 0
    const { server } = await openLegacy(
      withListening(replyResult, (seen) => {
        const stream = openStream(seen)
        if (server.byMethod('GET').length < 4) stream.end('retry: 2500\n\n')
      }),
      { clock: hastyClock },
    )
    await until(() => server.byMethod('GET').length === 4)
    expect(hastyClock.waits.filter((ms) => ms === 2500)).toHaveLength(3)
  })

  it('calls the session expired when the listening stream is refused with 404 later on', async () => {
    let streams = 0
    const { recorder } = await openLegacy(
      withListening(replyResult, (seen) => {
        streams += 1
        if (streams === 1) openStream(seen).end(': bye\n\n')
        else seen.response.writeHead(404).end()
      }),
    )
    expect((await recorder.next('closed')).info.reason).toBe('session_expired')
  })

  it.each([
    ['404', 404, 'anything'],
    ['400 with a complaint about the session', 400, 'Bad Request: No valid session ID provided'],
  ])('calls the session expired on %s', async (_words, status, message) => {
    const { recorder, transport } = await openLegacy(
      legacyScript((seen) => replyJson(seen, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, status)),
    )
    transport.send(createRequest(2, 'tools/call'))
    expect((await recorder.next('closed')).info.reason).toBe('session_expired')
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['failed', 'closed'])
    expect(recorder.of('failed')[0]).toMatchObject({ id: 2, error: { code: 'server_exited', executed: false } })
  })

  it('takes 404 with an unknown method for what it says', async () => {
    const { recorder, transport } = await openLegacy(
      legacyScript((seen) =>
        replyJson(seen, { jsonrpc: '2.0', id: seen.message.id, error: { code: -32601, message: 'what?' } }, 404),
      ),
    )
    transport.send(createRequest(2, 'resources/list'))
    await recorder.next('message')
    expect(recorder.of('closed')).toEqual([])
  })

  it('resumes a broken response stream after its last event, without losing or repeating a message', async () => {
    hastyClock.waits.length = 0
    const { server, transport, recorder } = await openLegacy(
      withListening(
        (seen) => {
          const stream = openStream(seen)
          stream.write(
            'id: s1\nretry: 700\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nid: s2\ndata: {"half',
            () => stream.destroy(),
          )
        },
        (seen) => {
          if (seen.headers['last-event-id'] === 's1') openStream(seen).end(resultEvent(5, { resumed: true }, 's3'))
          else seen.response.writeHead(405).end()
        },
      ),
      { clock: hastyClock },
    )
    transport.send(createRequest(5, 'tools/call'))
    await recorder.next('message', 1)
    expect(recorder.of('message')).toEqual([
      { kind: 'message', message: { jsonrpc: '2.0', method: 'notifications/progress' }, origin: 5 },
      { kind: 'message', message: { jsonrpc: '2.0', id: 5, result: { resumed: true } }, origin: 5 },
    ])
    expect(hastyClock.waits).toContain(700)
    expect(server.byMethod('GET').at(-1)?.headers).toMatchObject({ 'mcp-session-id': 'session-1' })
    expect(recorder.of('failed')).toEqual([])
  })

  it('polls a server that ends its streams on purpose for as long as it takes', async () => {
    let polls = 0
    const { transport, recorder } = await openLegacy(
      withListening(
        (seen) => openStream(seen).end('id: p0\nretry: 100\ndata: \n\n'),
        (seen) => {
          if (seen.headers['last-event-id'] === undefined) return void seen.response.writeHead(405).end()
          polls += 1
          const stream = openStream(seen)
          if (polls < 6) stream.end(`id: p${polls}\ndata: \n\n`)
          else stream.end(resultEvent(5, { polls }, 'last'))
        },
      ),
      { clock: hastyClock },
    )
    transport.send(createRequest(5, 'tools/call'))
    expect((await recorder.next('message')).message).toEqual({ jsonrpc: '2.0', id: 5, result: { polls: 6 } })
    expect(recorder.all).toHaveLength(1)
  })

  it('gives a request up when its stream cannot be resumed three times', async () => {
    let resumes = 0
    const { transport, recorder } = await openLegacy(
      withListening(
        (seen) => openStream(seen).end('id: p0\ndata: \n\n'),
        (seen) => {
          if (seen.headers['last-event-id'] !== undefined) resumes += 1
          seen.response.writeHead(seen.headers['last-event-id'] === undefined ? 405 : 503).end()
        },
      ),
      { clock: hastyClock },
    )
    transport.send(createRequest(5, 'tools/call'))
    expect((await recorder.next('failed')).error.code).toBe('server_exited')
    expect(resumes).toBe(3)
    expect(recorder.of('closed')).toEqual([])
  })

  it('fails and closes when the server is killed in the middle of a resumable answer', async () => {
    const { server, transport, recorder } = await openLegacy(
      legacyScript((seen) =>
        openStream(seen).write('id: s1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'),
      ),
      { clock: hastyClock },
    )
    transport.send(createRequest(5, 'tools/call'))
    await recorder.next('message')
    await server.kill()
    await recorder.next('closed')
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['message', 'failed', 'closed'])
  })
})

describe('createHttpTransport: abandoning and closing', () => {
  it.each(['legacy', 'modern'] as const)(
    'cuts the connection of an abandoned request (%s), and says nothing more of it',
    async (era) => {
      const cut: unknown[] = []
      const server = await startServer((seen) => {
        if (seen.method === 'GET') return void seen.response.writeHead(405).end()
        if (seen.message.id === 2) return replyResult(seen)
        openStream(seen).write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n')
        seen.response.on('close', () => cut.push(seen.message.id))
      })
      const { transport, recorder } = open(server.url)
      transport.setProtocol(era, era === 'modern' ? '2026-07-28' : '2025-11-25')
      transport.send(createRequest(1, 'tools/call'))
      await recorder.next('message')
      transport.abandon(1)
      await until(() => cut.length === 1)
      expect(cut).toEqual([1])
      transport.send(createRequest(2, 'tools/call'))
      await recorder.next('message', 1)
      expect(recorder.all.map(({ kind }) => kind)).toEqual(['message', 'message'])
    },
  )

  it('cuts an abandoned request that has no headers yet, and never sends one that still waits', async () => {
    const closed: unknown[] = []
    const server = await startServer((seen) => seen.response.on('close', () => closed.push(seen.message.id)))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest('unsent', 'tools/call'))
    transport.abandon('unsent')
    transport.send(createRequest(1, 'tools/call'))
    await until(() => server.seen.length === 1)
    transport.abandon(1)
    await until(() => closed.length === 1)
    expect(closed).toEqual([1])
    expect(recorder.all).toEqual([])
  })

  it('gives the connection back when a server leaves the stream open after its answer', async () => {
    const clock: Clock = { ...systemClock, setTimer: (_ms, fire) => systemClock.setTimer(0, fire) }
    let cut = false
    const server = await startServer((seen) => {
      openStream(seen).write(resultEvent(seen.message.id))
      seen.response.on('close', () => {
        cut = true
      })
    })
    const { transport, recorder } = open(server.url, { clock })
    transport.send(createRequest(1, 'tools/call'))
    await until(() => cut)
    expect(recorder.all.map(({ kind }) => kind)).toEqual(['message'])
  })

  it('calls no handler after close() was called, though answers keep coming', async () => {
    const streams: Seen[] = []
    const server = await startServer((seen) => {
      openStream(seen).write('data: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"jsonrpc":"2.0","method":"b"}\n\n')
      streams.push(seen)
    })
    const { transport, recorder } = open(server.url)
    let closing: Promise<void> | undefined
    recorder.onRecord = () => {
      closing = transport.close()
    }
    transport.send(createRequest(1, 'tools/call'))
    await recorder.next('message')
    streams[0]?.response.write(resultEvent(1))
    await closing
    await server.kill()
    expect(recorder.all).toHaveLength(1)
  })

  it('ends a legacy session with DELETE and leaves no connection behind', async () => {
    const { server, transport, recorder } = await openLegacy(
      withListening(replyResult, (seen) => void openStream(seen)),
    )
    transport.send(createRequest(2, 'tools/list'))
    await recorder.next('message')
    await until(() => transport.noticesExit)
    await transport.close()
    expect(server.byMethod('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1'])
    await until(() => server.openSockets === 0)
    expect(recorder.of('closed')).toEqual([])
  })

  it('does not wait longer than a moment for a DELETE that is not answered', async () => {
    const legacy = legacyScript(replyResult)
    const { server, transport } = await openLegacy((seen) => seen.method === 'DELETE' || legacy(seen), {
      clock: hastyClock,
    })
    await transport.close()
    await until(() => server.openSockets === 0)
  })

  it('skips the DELETE when forced, also by a second call', async () => {
    const legacy = legacyScript(replyResult)
    const { server, transport } = await openLegacy((seen) => seen.method === 'DELETE' || legacy(seen))
    const closing = transport.close()
    await until(() => server.byMethod('DELETE').length === 1)
    await transport.close({ force: true })
    await closing
    await until(() => server.openSockets === 0)
  })

  it('sends no DELETE and opens no stream in the modern era', async () => {
    const server = await startServer((seen) => replyResult(seen))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'server/discover'))
    await recorder.next('message')
    transport.setProtocol('modern', '2026-07-28')
    transport.send(createRequest(2, 'tools/list'))
    await recorder.next('message', 1)
    await transport.close()
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST'])
    expect(transport.noticesExit).toBe(false)
    await until(() => server.openSockets === 0)
  })

  it('cuts a connection that is still being made when it is closed', async () => {
    let connected = 0
    let ended = 0
    // Accepts TCP and never answers the TLS handshake.
    const server = createServer((socket) => {
      connected += 1
      socket.on('error', () => {})
      socket.on('close', () => {
        ended += 1
      })
      socket.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { transport, recorder } = open(`https://127.0.0.1:${port}/mcp`)
    transport.send(createRequest(1, 'initialize'))
    await until(() => connected === 1)
    await transport.close()
    await until(() => ended === 1)
    expect(recorder.all).toEqual([])
  })

  it('can be closed right after it was opened', async () => {
    const { transport, recorder } = open('http://127.0.0.1:9/mcp')
    transport.send(createRequest(1, 'initialize'))
    await transport.close()
    expect(recorder.all).toEqual([])
  })
})
