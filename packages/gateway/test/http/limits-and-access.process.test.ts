import { once } from 'node:events'
import { connect } from 'node:net'
import { SwitchboardError } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import type { Authenticate } from '../../src/access/access-verdict.ts'
import { callTool, createCall, initialize, JSON_HEADERS, modern, send } from './support/raw-http.ts'
import { createToolProvider, text } from './support/tool-provider.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const ECHO = createToolProvider({ echo: ({ text: said }) => text(String(said)) })
const INITIALIZE = createCall(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

/** What a server says to bytes that are no request, and that it hangs up. */
function exchangeBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

describe('Host and Origin', () => {
  it.each(['/mcp', '/sse', '/messages', '/ws', '/healthz', '/readyz', '/elsewhere'])(
    'are checked on %s',
    async (path) => {
      const { url } = await bench.open([ECHO])
      const foreignHost = await send(url + path, { method: 'GET', headers: { host: 'evil.example' } })
      const foreignOrigin = await send(url + path, { method: 'GET', headers: { origin: 'http://evil.example' } })
      for (const refused of [foreignHost, foreignOrigin]) {
        expect(refused.status).toBe(403)
        expect(refused.json).toMatchObject({
          jsonrpc: '2.0',
          id: null,
          error: { data: { error: { code: 'forbidden' } } },
        })
      }
    },
  )

  it('let a page of loopback in, without any CORS header', async () => {
    const { url } = await bench.open([ECHO])
    const headers = { ...JSON_HEADERS, origin: 'http://localhost:5173' }
    const opened = await send(`${url}/mcp`, { headers, body: INITIALIZE })
    expect(opened.status).toBe(200)
    expect(Object.keys(opened.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('are checked on a WebSocket upgrade', async () => {
    const { port } = await bench.open([ECHO])
    const upgrade = (extra: string) =>
      exchangeBytes(
        port,
        `GET /ws HTTP/1.1\r\n${extra}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
    expect(await upgrade('Host: evil.example\r\n')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await upgrade(`Host: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  })
})

describe('a path', () => {
  it('that nobody serves is answered in JSON', async () => {
    const { url } = await bench.open([ECHO])
    const answer = await send(`${url}/index.html`, { method: 'GET' })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: 'Nothing is served at /index.html' },
    })
  })

  it('is offered to the extra routes, after the checks', async () => {
    const { url } = await bench.open([ECHO], {
      extraRoutes: (_request, response, path) => {
        if (path !== '/extra?x=1') return false
        response.end('mine')
        return true
      },
    })
    expect((await send(`${url}/extra?x=1`, { method: 'GET' })).text).toBe('mine')
    expect((await send(`${url}/extra`, { method: 'GET' })).status).toBe(404)
    expect((await send(`${url}/extra?x=1`, { method: 'GET', headers: { host: 'evil.example' } })).status).toBe(403)
  })

  it('may name a profile, which has to exist', async () => {
    const profiles = [{ name: 'empty', tools: { deny: ['*'] } }]
    const { url } = await bench.open([ECHO], { profiles })
    const list = (path: string) => send(url + path, modern(createCall(1, 'tools/list')))
    expect((await list('/mcp')).json).toMatchObject({ result: { tools: [{ name: 'echo' }] } })
    expect((await list('/mcp/empty')).json).toMatchObject({ result: { tools: [] } })
    const unknown = await list('/mcp/emty')
    expect(unknown.status).toBe(404)
    expect(unknown.json).toMatchObject({ error: { data: { error: { code: 'unknown_profile' } } } })
  })

  it('for health tells how it is, with GET only', async () => {
    const { url } = await bench.open([ECHO])
    expect((await send(`${url}/healthz`, { method: 'GET' })).json).toMatchObject({
      status: 'ok',
      sessions: 0,
      inFlight: 0,
    })
    expect((await send(`${url}/readyz`, { method: 'GET' })).json).toEqual({
      status: 'ready',
      providers: { tools: 'ready' },
    })
    const posted = await send(`${url}/healthz`, { method: 'POST' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('an authenticator', () => {
  const authenticate: Authenticate = async (headers) => {
    const known: Record<string, { credential: string; profile?: string }> = {
      'Bearer one': { credential: 'one' },
      'Bearer two': { credential: 'two' },
      'Bearer bound': { credential: 'bound', profile: 'reader' },
    }
    const found = known[headers.authorization ?? '']
    if (found !== undefined) return { ok: true, ...found }
    const error = new SwitchboardError('unauthorized', 'No valid token was shown')
    return { ok: false, status: 401, error, headers: { 'www-authenticate': 'Bearer' } }
  }
  const profiles = [{ name: 'reader', tools: { deny: ['*'] } }]
  const as = (token: string) => ({ authorization: `Bearer ${token}` })

  it.each(['/mcp', '/sse', '/messages', '/ws'])('is asked on %s', async (path) => {
    const { url } = await bench.open([ECHO], { authenticate })
    const refused = await send(url + path, { method: 'GET' })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(refused.json).toMatchObject({ error: { data: { error: { code: 'unauthorized' } } } })
  })

  it('is not asked for health', async () => {
    const { url } = await bench.open([ECHO], { authenticate })
    expect((await send(`${url}/healthz`, { method: 'GET' })).status).toBe(200)
  })

  it('binds a session to its credential', async () => {
    const { url } = await bench.open([ECHO], { authenticate })
    const session = await initialize(`${url}/mcp`, '2025-11-25', as('one'))
    const body = callTool(1, 'echo', { text: 'hi' })
    expect((await send(`${url}/mcp`, { headers: session, body })).status).toBe(200)
    const stolen = await send(`${url}/mcp`, { headers: { ...session, ...as('two') }, body })
    expect(stolen.status).toBe(404)
    expect((await send(`${url}/mcp`, { method: 'DELETE', headers: { ...session, ...as('two') } })).status).toBe(404)
    expect((await send(`${url}/mcp`, { headers: session, body })).status).toBe(200)
  })

  it('may bind a credential to a profile', async () => {
    const { url } = await bench.open([ECHO], { authenticate, profiles })
    const list = (path: string) => send(url + path, modern(createCall(1, 'tools/list'), { headers: as('bound') }))
    expect((await list('/mcp')).json).toMatchObject({ result: { tools: [] } })
    expect((await list('/mcp/reader')).status).toBe(200)
    expect((await list('/mcp/default')).status).toBe(403)
  })

  it('that throws is our bug, and lets nobody in', async () => {
    const { url, log } = await bench.open([ECHO], {
      authenticate: () => {
        throw new Error('the secret path /home/me')
      },
    })
    const answer = await send(`${url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE })
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret')
    expect(log.entries.some(({ level, msg }) => level === 'error' && msg.includes('secret'))).toBe(true)
  })
})

describe('a POST', () => {
  it.each([
    ['of another content type', { 'content-type': 'text/plain' }, 415],
    ['without a content type', {}, 415],
    ['that is packed', { ...JSON_HEADERS, 'content-encoding': 'gzip' }, 415],
    ['whose client accepts neither kind of answer', { ...JSON_HEADERS, accept: 'text/html' }, 406],
  ])('%s is refused', async (_, headers, status) => {
    const { url } = await bench.open([ECHO])
    const answer = await send(`${url}/mcp`, { headers, body: JSON.stringify(INITIALIZE) })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { data: { error: { code: 'invalid_request' } } } })
  })

  it.each(['', '{', 'nul', '{"a":1}}', '\u0000'])('whose body is %j is a parse error', async (body) => {
    const { url } = await bench.open([ECHO])
    const answer = await send(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ id: null, error: { code: -32700 } })
  })

  it('that is nested too deep is refused before it is parsed', async () => {
    const { url } = await bench.open([ECHO], { maxJsonDepth: 20 })
    const deep = `${'['.repeat(100_000)}`
    const answer = await send(`${url}/mcp`, { headers: JSON_HEADERS, body: deep })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: -32600, data: { error: { details: { maxDepth: 20 } } } } })
  })

  it('that is too large is refused in JSON, and its connection is closed', async () => {
    const { url } = await bench.open([ECHO], { maxBodyBytes: 1_000 })
    const body = callTool(1, 'echo', { text: 'x'.repeat(2_000_000) })
    const answer = await send(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
    expect(answer.json).toMatchObject({ error: { data: { error: { code: 'request_too_large' } } } })
  })

  it.each([1, 'text', null, true, {}, { jsonrpc: '2.0' }, { id: {}, method: 'x' }, { id: null, method: 'x' }])(
    'of %j in a session is no message',
    async (body) => {
      const { url } = await bench.open([ECHO])
      const headers = await initialize(`${url}/mcp`)
      const answer = await send(`${url}/mcp`, { headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(400)
      expect(answer.json).toMatchObject({ error: { code: -32600 } })
    },
  )
})

describe('bytes that are no request', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['a header that is too large', `GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s gets an error in JSON', async (_, bytes, status) => {
    const { port } = await bench.open([ECHO])
    const received = await exchangeBytes(port, bytes)
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(received).toContain('"jsonrpc":"2.0"')
  })

  it('a WebSocket handshake without a key gets one too', async () => {
    const { port } = await bench.open([ECHO])
    const lines = ['GET /ws HTTP/1.1', `Host: localhost:${port}`, 'Connection: Upgrade', 'Upgrade: websocket']
    const received = await exchangeBytes(port, `${lines.join('\r\n')}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(received).toContain('"jsonrpc":"2.0"')
  })

  it('an offer of HTTP/2 is passed over', async () => {
    const { port } = await bench.open([ECHO])
    const lines = [
      'GET /healthz HTTP/1.1',
      `Host: localhost:${port}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
    ]
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    const [received] = await once(socket, 'data')
    socket.destroy()
    expect(String(received)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('half a body and then nothing harms nobody', async () => {
    const { url, port } = await bench.open([ECHO])
    const lines = [
      'POST /mcp HTTP/1.1',
      `Host: localhost:${port}`,
      'Content-Type: application/json',
      'Content-Length: 99',
    ]
    const socket = connect(port, '127.0.0.1', () => socket.end(`${lines.join('\r\n')}\r\n\r\n{"jsonrpc"`))
    await once(socket.resume(), 'close')
    expect((await send(`${url}/healthz`, { method: 'GET' })).status).toBe(200)
  })

  it('a request without a Host is refused', async () => {
    const { port } = await bench.open([ECHO])
    expect(await exchangeBytes(port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  })
})
