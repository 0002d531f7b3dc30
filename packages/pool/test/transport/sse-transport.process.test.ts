import { createNotification, createRequest } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createSseTransport, type SseTransportOptions } from '../../src/transport/sse-transport.ts'
import type { UpstreamTransport } from '../../src/transport/transport.ts'
import { Recorder, until } from './recorder.ts'
import { openStream, replyJson, resultEvent, type Script, ScriptedServer, type Seen } from './scripted-server.ts'

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(script: Script): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script)
  cleanups.push(() => server.kill())
  return server
}

function open(
  url: string,
  options: Partial<SseTransportOptions> = {},
): { transport: UpstreamTransport; recorder: Recorder } {
  const transport = createSseTransport({ url, ...options })
  const recorder = new Recorder()
  transport.open(recorder)
  cleanups.push(() => transport.close())
  return { transport, recorder }
}

/** Streams on GET, names `endpoint`, and answers every POST with `onPost`. */
function sseScript(endpoint: string, onPost: (seen: Seen, stream: Seen['response']) => void): Script {
  let stream: Seen['response'] | undefined
  return (seen) => {
    if (seen.method === 'GET') {
      stream = openStream(seen)
      stream.write(`event: endpoint\ndata: ${endpoint}\n\n`)
    } else if (stream !== undefined) onPost(seen, stream)
  }
}

const echo = (seen: Seen, stream: Seen['response']): void => {
  seen.response.writeHead(202).end('Accepted')
  if (seen.message.id !== undefined) stream.write(`event: message\n${resultEvent(seen.message.id)}`)
}

describe('createSseTransport', () => {
  it('POSTs what waited to the address that the stream names, and delivers the answers of the stream', async () => {
    const server = await start(sseScript('/messages?session=1', echo))
    const { transport, recorder } = open(server.url, { headers: { Authorization: 'Bearer t' } })
    expect(transport.noticesExit).toBe(true)
    transport.send(createRequest(1, 'initialize'))
    transport.send(createRequest(2, 'ping'))
    await recorder.next('message', 1)
    expect(recorder.of('message').every(({ origin }) => origin === undefined)).toBe(true)
    expect(server.byMethod('POST').map(({ path }) => path)).toEqual(['/messages?session=1', '/messages?session=1'])
    expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true)
  })

  it('lets nothing overtake `initialized`', async () => {
    const waiting: Seen[] = []
    const server = await start(
      sseScript('/messages', (seen, stream) => {
        if (seen.message.id === undefined) waiting.push(seen)
        else echo(seen, stream)
      }),
    )
    const { transport, recorder } = open(server.url)
    transport.send(createNotification('notifications/initialized'))
    transport.send(createRequest(2, 'tools/list'))
    await until(() => waiting.length === 1)
    expect(server.byMethod('POST')).toHaveLength(1)
    waiting[0]?.response.writeHead(202).end()
    await recorder.next('message')
  })

  it('refuses an address of another origin and sends nothing there', async () => {
    const other = await start((seen) => replyJson(seen, {}))
    const server = await start(sseScript(`${other.url}?token=s3cret`, echo))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'initialize'))
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe('network')
    expect(info.message).toContain(`${other.url}, of another origin`)
    expect(info.message).not.toContain('s3cret')
    await transport.close()
    expect(other.seen).toEqual([])
    expect(server.byMethod('POST')).toEqual([])
  })

  it('fails that request alone when its POST is refused', async () => {
    const server = await start(
      sseScript('/messages', (seen, stream) => {
        if (seen.message.id === 1) seen.response.writeHead(500).end('oops')
        else if (seen.message.id === 2)
          replyJson(seen, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, 400)
        else if (seen.message.id === undefined) seen.response.writeHead(400).end()
        else echo(seen, stream)
      }),
    )
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    expect(await recorder.next('failed')).toMatchObject({
      id: 1,
      error: { code: 'bad_response', details: { status: 500, body: 'oops' } },
    })
    transport.send(createRequest(2, 'tools/call'))
    expect((await recorder.next('message')).message).toMatchObject({ id: 2, error: { code: -32600 } })
    transport.send(createNotification('notifications/x'))
    expect((await recorder.next('output')).line).toContain('was answered with 400')
    transport.send(createRequest(3, 'tools/call'))
    await recorder.next('message', 1)
    expect(recorder.of('closed')).toEqual([])
  })

  it('throws an event over the limit away and goes on', async () => {
    const server = await start(
      sseScript('/messages', (seen, stream) => {
        seen.response.writeHead(202).end()
        stream.write(resultEvent(seen.message.id, { text: 'x'.repeat(seen.message.id === 1 ? 9000 : 1) }))
      }),
    )
    const { transport, recorder } = open(server.url, { maxMessageBytes: 8000 })
    transport.send(createRequest(1, 'tools/call'))
    expect((await recorder.next('oversized')).id).toBe(1)
    transport.send(createRequest(2, 'tools/call'))
    await recorder.next('message')
  })

  it('closes once when the stream ends', async () => {
    const server = await start((seen) => openStream(seen).end('event: endpoint\ndata: /m\n\n'))
    const { transport, recorder } = open(server.url)
    const { info } = await recorder.next('closed')
    expect(info.message).toContain('ended the event stream')
    await transport.close()
    expect(recorder.all).toHaveLength(1)
  })

  it('closes once when an idle server is killed', async () => {
    const server = await start(sseScript('/messages', echo))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'initialize'))
    await recorder.next('message')
    await server.kill()
    expect((await recorder.next('closed')).info.reason).toBe('network')
    await transport.close()
    expect(recorder.of('closed')).toHaveLength(1)
  })

  it.each([
    [401, 'auth_required', 'credentials'],
    [404, 'closed', 'check that `url`'],
    [200, 'closed', 'not answered with an event stream'],
  ])('closes when the stream is refused with %s', async (status, reason, words) => {
    const server = await start(({ response }) => response.writeHead(status, { 'www-authenticate': 'Bearer' }).end('{}'))
    const { recorder } = open(server.url)
    const { info } = await recorder.next('closed')
    expect(info.reason).toBe(reason)
    expect(info.message).toContain(words)
  })

  it('closes when nothing listens', async () => {
    const server = await start(() => {})
    await server.kill()
    const { recorder } = open(`http://127.0.0.1:1/sse`)
    expect((await recorder.next('closed')).info.message).toContain('ECONNREFUSED')
  })

  it('leaves no connection and calls no handler after close()', async () => {
    const server = await start(sseScript('/messages', (seen) => void seen))
    const { transport, recorder } = open(server.url)
    transport.send(createRequest(1, 'tools/call'))
    await until(() => server.byMethod('POST').length === 1)
    await transport.close()
    await until(() => server.openSockets === 0)
    expect(recorder.all).toEqual([])
  })
})
