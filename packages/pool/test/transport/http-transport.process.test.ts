import { createServer } from 'node:net'
import { createNotification, createRequest } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { systemClock } from '../../src/clock.ts'
import { createHttpTransport, type HttpTransportOptions } from '../../src/transport/http-transport.ts'
import type { UpstreamTransport } from '../../src/transport/transport.ts'
import { Recorder, until } from './recorder.ts'
import {
  legacyScript,
  openStream,
  replyJson,
  replyResult,
  resultEvent,
  type Script,
  ScriptedServer,
  type Seen,
} from './scripted-server.ts'

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function startServer(script: Script, port?: number): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script, port)
  cleanups.push(() => server.kill())
  return server
}

function open(
  url: string,
  options: Partial<HttpTransportOptions> = {},
): { transport: UpstreamTransport; recorder: Recorder } {
  const transport = createHttpTransport({ url, ...options })
  const recorder = new Recorder()
  transport.open(recorder)
  cleanups.push(() => transport.close({ force: true }))
  return { transport, recorder }
}

/** Waits asked for in the protocol pass at once; nothing else here depends on time. */
const hastyClock: Clock & { waits: number[] } = {
  ...systemClock,
  waits: [],
  setTimer(ms, fire) {
    this.waits.push(ms)
    return systemClock.setTimer(ms <= 3000 ? 0 : ms, fire)
  },
}

async function handshake(transport: UpstreamTransport, recorder: Recorder): Promise<void> {
  transport.send(createRequest('init', 'initialize', {}))
  await recorder.next('message')
  transport.setProtocol('legacy', '2025-11-25')
  transport.send(createNotification('notifications/initialized'))
}

async function openLegacy(script: Script, options: Partial<HttpTransportOptions> = {}) {
  const server = await startServer(script)
  const opened = open(server.url, options)
  await handshake(opened.transport, opened.recorder)
  opened.recorder.all.length = 0
  return { server, ...opened }
}

/** An answer to GET that stays open, for tests in which the listening stream plays no part or all. */
function withListening(onRequest: Script, onGet: (seen: Seen) => void): Script {
  const legacy = legacyScript(onRequest)
  return (seen) => (seen.method === 'GET' ? onGet(seen) : legacy(seen))
}

describe('createHttpTransport: answers', () => {
  it('queues messages until it can send, and delivers a JSON answer with the request as its origin', async () => {
    const server = await startServer((seen) => replyResult(seen, { ok: true }))
    const { transport, recorder } = open(server.url, { headers: { Authorization: 'Bearer t', 'X-Own': 'yes' } })
    transport.send(createRequest(1, 'server/discover'), { headers: { 'Mcp-Method': 'server/discover' } })
    expect(await recorder.next('message')).toEqual({
      kind: 'message',
      message: { jsonrpc: '2.0', id: 1, result: { ok: true } },
      origin: 1,
    })
    expect(server.seen[0]?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer t',
      'x-own': 'yes',
      'mcp-method': 'server/discover',
    })
  })

  it('delivers a batch one by one', async () => {
    const server = await startServer((seen) =>
      replyJson(seen, [
        { jsonrpc: '2.0', method: 'notifications/message' },
        { jsonrpc: '2.0', id: seen.message.id, result: {} },
      ]),
    )
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/list'))
    await recorder.next('message', 1)
    expect(recorder.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })

  it('delivers the messages of a response stream in order, with their origin, and what is not JSON as output', async () => {
    const server = await startServer((seen) => {
      const stream = openStream(seen)
      stream.write(
        ': hi\n\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"n":1}}\n\ndata: nonsense\n\n',
      )
      stream.end(`event: other\ndata: {}\n\n${resultEvent(seen.message.id, { done: true })}`)
    })
    const { transport, recorder } = open(server.url)
    transport.send(createRequest('a', 'tools/call'))
    await recorder.next('message', 1)
    expect(recorder.all).toEqual([
      { kind: 'message', message: { jsonrpc: '2.0', method: 'notifications/progress', params: { n: 1 } }, origin: 'a' },
      { kind: 'output', stream: 'stdout', line: 'nonsense' },
      { kind: 'message', message: { jsonrpc: '2.0', id: 'a', result: { done: true } }, origin: 'a' },
    ])
  })

  it('says nothing of a notification that was accepted', async () => {
    const server = await startServer((seen) => seen.response.writeHead(202).end('Accepted'))
    const { transport, recorder } = open(server.url)
    transport.send(createNotification('notifications/cancelled', { requestId: 1 }))
    await until(() => server.seen.length === 1)
    await transport.close()
    expect(recorder.all).toEqual([])
  })

  it('carries 64 calls at once besides open streams', async () => {
    const held: Seen[] = []
    const server = await startServer((seen) => {
      openStream(seen)
      held.push(seen)
    })
    const { transport, recorder } = open(server.url)
    for (let id = 0; id < 70; id += 1) transport.send(createRequest(id, 'tools/call'))
    await until(() => held.length === 70)
    for (const seen of held) seen.response.end(resultEvent(seen.message.id))
    await recorder.next('message', 69)
    expect(new Set(recorder.of('message').map(({ origin }) => origin)).size).toBe(70)
  })

  it('reads a result of 20 MB from a response stream', async () => {
    const text = 'z'.repeat(20_000_000)
    const server = await startServer((seen) => openStream(seen).end(resultEvent(seen.message.id, { text })))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    const { message } = await recorder.next('message')
    expect(JSON.stringify(message).length).toBeGreaterThan(text.length)
  })
})

describe('createHttpTransport: limits', () => {
  it('throws an event over the limit away, names its request, and goes on with the next event', async () => {
    const server = await startServer((seen) => {
      const stream = openStream(seen)
      stream.write(`data: {"jsonrpc":"2.0","method":"notifications/message","params":"${'n'.repeat(9000)}"}\n\n`)
      stream.write(`data: {"jsonrpc":"2.0","result":{"text":"${'x'.repeat(9000)}"},"id":77}\n\n`)
      stream.end(resultEvent(seen.message.id))
    })
    const { transport, recorder } = open(server.url, { maxMessageBytes: 8000 })
    transport.send(createRequest(1, 'tools/call'))
    await recorder.next('message')
    expect(recorder.of('oversized').map(({ id }) => id)).toEqual([undefined, 77])
    expect(recorder.of('oversized')[1]?.bytes).toBeGreaterThan(9000)
    expect(recorder.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('blames its own request for an event over the limit whose id cannot be made out', async () => {
    const server = await startServer((seen) =>
      openStream(seen).end(`data: {"result":{"id":3,"t":"${'x'.repeat(9000)}"}}\n\n`),
    )
    const { transport, recorder } = open(server.url, { maxMessageBytes: 8000 })
    transport.send(createRequest(1, 'tools/call'))
    expect((await recorder.next('oversized')).id).toBe(1)
    await until(() => server.openSockets === 0 || server.seen[0]?.response.writableFinished === true)
    expect(recorder.of('failed')).toEqual([])
  })

  it.each([true, false])(
    'throws a JSON body over the limit away (announced length: %s) and lives on',
    async (announced) => {
      const server = await startServer((seen) => {
        if (seen.message.id === 2) return replyResult(seen)
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(9000) } })
        seen.response.writeHead(200, {
          'content-type': 'application/json',
          ...(announced ? { 'content-length': String(body.length) } : {}),
        })
        seen.response.end(body)
      })
      const { transport, recorder } = open(server.url, { maxMessageBytes: 8000 })
      transport.send(createRequest(1, 'tools/call'))
      const oversized = await recorder.next('oversized')
      expect(oversized.id).toBe(1)
      expect(oversized.bytes).toBeGreaterThan(8000)
      transport.send(createRequest(2, 'tools/call'))
      await recorder.next('message')
      expect(recorder.of('failed')).toEqual([])
    },
  )
})

describe('createHttpTransport: refusals', () => {
  it('delivers a JSON-RPC error of an error status as the answer to the request, whatever id it carries', async () => {
    const server = await startServer((seen) =>
      replyJson(
        seen,
        { jsonrpc: '2.0', id: seen.message.id === 1 ? null : 'server-error', error: { code: -32022, message: 'no' } },
        400,
      ),
    )
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'server/discover'))
    await recorder.next('message')
    transport.send(createRequest(2, 'server/discover'))
    await recorder.next('message', 1)
    expect(recorder.of('message')).toEqual(
      [1, 2].map((id) => ({
        kind: 'message',
        message: { jsonrpc: '2.0', id, error: { code: -32022, message: 'no' } },
        origin: id,
      })),
    )
  })

  it('asks for credentials on 401, with the challenge, and shows no secret of the URL', async () => {
    const server = await startServer((seen) =>
      replyJson(seen, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } }, 401, {
        'www-authenticate': 'Bearer resource_metadata="https://x/y"',
      }),
    )
    const { transport, recorder } = open(`${server.url.replace('//', '//user:hunter2@')}?key=s3cret`)
    transport.send(createRequest(1, 'initialize'))
    const { error } = await recorder.next('failed')
    expect(error.code).toBe('auth_required')
    expect(error.details).toMatchObject({ status: 401, wwwAuthenticate: 'Bearer resource_metadata="https://x/y"' })
    expect(error.message).toContain(server.url)
    expect(error.message).not.toMatch(/hunter2|s3cret/)
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:hunter2').toString('base64')}`)
    expect(server.seen[0]?.path).toBe('/mcp?key=s3cret')
  })

  it.each([
    [400, {}, { code: 'bad_response', retryable: false, executed: false, retryAfterMs: null }],
    [404, {}, { code: 'bad_response', retryable: false, executed: false, retryAfterMs: null }],
    [403, {}, { code: 'auth_required', retryable: false, executed: false, retryAfterMs: null }],
    [429, { 'retry-after': '7' }, { code: 'bad_response', retryable: true, executed: false, retryAfterMs: 7000 }],
    [503, {}, { code: 'bad_response', retryable: true, executed: 'unknown', retryAfterMs: null }],
  ])('fails that request alone on a bare %s', async (status, headers, expected) => {
    const server = await startServer((seen) => {
      if (seen.message.id === 2) replyResult(seen)
      else seen.response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>'.repeat(1000))
    })
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    const { id, error } = await recorder.next('failed')
    expect(id).toBe(1)
    expect(error).toMatchObject({ ...expected, details: { status, body: '<p>'.repeat(1000).slice(0, 500) } })
    transport.send(createRequest(2, 'tools/call'))
    await recorder.next('message')
    expect(recorder.of('closed')).toEqual([])
  })

  it.each([
    ['an empty body', 202, ''],
    ['a body that is not JSON', 200, '<html>'],
    ['no response to it', 200, '{"jsonrpc":"2.0","id":99,"result":{}}'],
  ])('fails a request that is answered with %s', async (words, status, body) => {
    const server = await startServer((seen) => seen.response.writeHead(status).end(body))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    const { error } = await recorder.next('failed')
    expect(error.code).toBe('bad_response')
    expect(error.message).toContain(words)
  })

  it('follows 307 and 308 within the origin with the same message', async () => {
    const server = await startServer((seen) => {
      if (seen.path === '/mcp') seen.response.writeHead(307, { location: '/mcp/' }).end('moved')
      else if (seen.path === '/mcp/') seen.response.writeHead(308, { location: '/final' }).end()
      else replyResult(seen, { at: seen.path })
    })
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/list'))
    expect((await recorder.next('message')).message).toEqual({ jsonrpc: '2.0', id: 1, result: { at: '/final' } })
  })

  it.each([
    [302, '/elsewhere'],
    [307, undefined],
  ])(
    'does not follow a %s to %s (undefined: another origin), names the place, and sends nothing there',
    async (status, location) => {
      const other = await startServer((seen) => replyResult(seen))
      const target = location ?? `${other.url}?token=s3cret`
      const server = await startServer((seen) => seen.response.writeHead(status, { location: target }).end())
      const { transport, recorder } = open(server.url, { headers: { authorization: 'Bearer mine' } })
      transport.send(createRequest(1, 'tools/list'))
      const { error } = await recorder.next('failed')
      expect(error.code).toBe('bad_response')
      expect(error.message).toContain(location ?? other.url)
      expect(error.message).not.toContain('s3cret')
      expect(server.seen).toHaveLength(1)
      expect(other.seen).toEqual([])
    },
  )

  it('does not run in circles', async () => {
    const server = await startServer((seen) => seen.response.writeHead(307, { location: '/mcp' }).end())
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/list'))
    expect((await recorder.next('failed')).error.code).toBe('bad_response')
    expect(server.seen.length).toBeLessThan(10)
  })

  it('calls a header that cannot be sent a mistake of the configuration', async () => {
    const server = await startServer((seen) => replyResult(seen))
    const { transport, recorder } = open(server.url, { headers: { 'x-bad': 'a\nb' } })
    transport.send(createRequest(1, 'tools/list'))
    expect((await recorder.next('failed')).error.code).toBe('invalid_configuration')
  })

  it('refuses a URL that is none, or of another scheme', () => {
    expect(() => createHttpTransport({ url: 'not a url' })).toThrow(/is not a URL/)
    expect(() => createHttpTransport({ url: 'ftp://127.0.0.1/x' })).toThrow(/http:/)
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
    expect(recorder.all).toHaveLength(1)
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
    expect(recorder.all).toHaveLength(1)
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
