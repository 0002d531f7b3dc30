import { createNotification, createRequest } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpTransport } from '../../src/transport/http-transport.ts'
import { cleanUp, open, startServer } from './http-fixture.ts'
import { until } from './recorder.ts'
import { openStream, replyJson, replyResult, resultEvent, type Seen } from './scripted-server.ts'

afterEach(cleanUp)

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
    expect(recorder.of('oversized').map(({ id }) => id)).toEqual([null, 77])
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
    expect(error.code).toBe('unauthorized_upstream')
    expect(error.details).toMatchObject({ status: 401, wwwAuthenticate: 'Bearer resource_metadata="https://x/y"' })
    expect(error.message).toContain(server.url)
    expect(error.message).not.toMatch(/hunter2|s3cret/)
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:hunter2').toString('base64')}`)
    expect(server.seen[0]?.path).toBe('/mcp?key=s3cret')
  })

  it.each([
    [400, {}, { code: 'bad_response', retryable: false, executed: false, retryAfterMs: null }],
    [404, {}, { code: 'bad_response', retryable: false, executed: false, retryAfterMs: null }],
    [403, {}, { code: 'unauthorized_upstream', retryable: false, executed: false, retryAfterMs: null }],
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
