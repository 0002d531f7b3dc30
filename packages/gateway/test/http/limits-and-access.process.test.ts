import { once } from 'node:events'
import { connect } from 'node:net'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { callTool, createCall, exchange, JSON_HEADERS, modern, openSession } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import type { Authenticate } from '../../src/access/access-verdict.ts'
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
      const foreignHost = await exchange(url + path, { method: 'GET', headers: { host: 'evil.example' } })
      const foreignOrigin = await exchange(url + path, { method: 'GET', headers: { origin: 'http://evil.example' } })
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
    const opened = await exchange(`${url}/mcp`, { headers, body: INITIALIZE })
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
    const own = `127.0.0.1:${port}`
    for (const origin of ['https://evil.example', 'http://localhost:5173', 'http://127.0.0.1:5173', 'null']) {
      expect(await upgrade(`Host: ${own}\r\nOrigin: ${origin}\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
    }
    const framed = await upgrade(`Host: ${own}\r\nSec-Fetch-Site: cross-site\r\n`)
    expect(framed).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each(['/mcp', '/sse', '/messages', '/metrics', '/readyz', '/healthz', '/ws', '/elsewhere'])(
    'a page of another site does not get to %s, with or without an Origin',
    async (path) => {
      const { url } = await bench.open([ECHO], { metrics: () => '', allowedOrigins: ['https://agents.example'] })
      for (const site of ['cross-site', 'same-site']) {
        for (const more of [{}, { origin: 'http://localhost:5173' }]) {
          const refused = await exchange(url + path, { method: 'GET', headers: { 'sec-fetch-site': site, ...more } })
          expect(refused.status).toBe(403)
          expect(refused.json).toMatchObject({ error: { data: { error: { code: 'forbidden' } } } })
        }
      }
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://agents.example' }
      expect((await exchange(`${url}/healthz`, { method: 'GET', headers })).status).toBe(200)
    },
  )
})

describe('a path', () => {
  it('that nobody serves is answered in JSON', async () => {
    const { url } = await bench.open([ECHO])
    const answer = await exchange(`${url}/index.html`, { method: 'GET' })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('Nothing is served at /index.html. MCP is served at /mcp') },
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
    expect((await exchange(`${url}/extra?x=1`, { method: 'GET' })).text).toBe('mine')
    expect((await exchange(`${url}/extra`, { method: 'GET' })).status).toBe(404)
    expect((await exchange(`${url}/extra?x=1`, { method: 'GET', headers: { host: 'evil.example' } })).status).toBe(403)
  })

  it('may name a profile, which has to exist', async () => {
    const profiles = [{ name: 'empty', tools: { deny: ['*'] } }]
    const { url } = await bench.open([ECHO], { profiles })
    const list = (path: string) => exchange(url + path, modern(createCall(1, 'tools/list')))
    expect((await list('/mcp')).json).toMatchObject({ result: { tools: [{ name: 'echo' }] } })
    expect((await list('/mcp/empty')).json).toMatchObject({ result: { tools: [] } })
    const unknown = await list('/mcp/emty')
    expect(unknown.status).toBe(404)
    expect(unknown.json).toMatchObject({ error: { data: { error: { code: 'unknown_profile' } } } })
  })

  it('for health tells how it is, with GET only', async () => {
    const { url } = await bench.open([ECHO])
    expect((await exchange(`${url}/healthz`, { method: 'GET' })).json).toEqual({ status: 'ok' })
    expect((await exchange(`${url}/readyz`, { method: 'GET' })).json).toMatchObject({
      status: 'ready',
      providers: { tools: 'ready' },
      sessions: 0,
      inFlight: 0,
    })
    for (const path of ['/healthz', '/readyz']) {
      const posted = await exchange(url + path, { method: 'POST' })
      expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('for watchers shows what the profile shows', async () => {
    const other = createToolProvider({ other: () => text('x') }, 'other')
    const metrics = (isShown: (server: string) => boolean) => ['tools', 'other'].filter(isShown).join()
    const profiles = [{ name: 'small', providers: ['tools'] }]
    const { url } = await bench.open([ECHO, other], { profiles, metrics })
    const get = async (path: string) => (await exchange(url + path, { method: 'GET' })).text
    expect(await get('/readyz')).toContain('other')
    expect(await get('/readyz/small')).toContain('tools')
    expect(await get('/readyz/small')).not.toContain('other')
    expect([await get('/metrics'), await get('/metrics/small')]).toEqual(['tools,other', 'tools'])
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

  it.each(['/mcp', '/sse', '/messages', '/ws', '/readyz', '/metrics'])('is asked on %s', async (path) => {
    const { url } = await bench.open([ECHO], { authenticate, metrics: () => '' })
    const refused = await exchange(url + path, { method: 'GET' })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(refused.json).toMatchObject({ error: { data: { error: { code: 'unauthorized' } } } })
  })

  it('is not asked for health', async () => {
    const { url } = await bench.open([ECHO], { authenticate })
    expect((await exchange(`${url}/healthz`, { method: 'GET' })).status).toBe(200)
  })

  it('binds a session to its credential', async () => {
    const { url } = await bench.open([ECHO], { authenticate })
    const session = await openSession(`${url}/mcp`, { headers: as('one') })
    const body = callTool(1, 'echo', { text: 'hi' })
    expect((await exchange(`${url}/mcp`, { headers: session, body })).status).toBe(200)
    const stolen = await exchange(`${url}/mcp`, { headers: { ...session, ...as('two') }, body })
    expect(stolen.status).toBe(404)
    expect((await exchange(`${url}/mcp`, { method: 'DELETE', headers: { ...session, ...as('two') } })).status).toBe(404)
    expect((await exchange(`${url}/mcp`, { headers: session, body })).status).toBe(200)
  })

  it('may bind a credential to a profile', async () => {
    const { url } = await bench.open([ECHO], { authenticate, profiles })
    const list = (path: string) => exchange(url + path, modern(createCall(1, 'tools/list'), { headers: as('bound') }))
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
    const answer = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE })
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
    const answer = await exchange(`${url}/mcp`, { headers, body: JSON.stringify(INITIALIZE) })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { data: { error: { code: 'invalid_request' } } } })
  })

  it.each(['', '{', 'nul', '{"a":1}}', '\u0000'])('whose body is %j is a parse error', async (body) => {
    const { url } = await bench.open([ECHO])
    const answer = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ id: null, error: { code: -32700 } })
  })

  it('that is nested too deep is refused before it is parsed', async () => {
    const { url } = await bench.open([ECHO], { maxJsonDepth: 20 })
    const deep = `${'['.repeat(100_000)}`
    const answer = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body: deep })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: -32600, data: { error: { details: { maxDepth: 20 } } } } })
  })

  it('that is too large is refused in JSON, and its connection is closed', async () => {
    const { url } = await bench.open([ECHO], { maxBodyBytes: 1_000 })
    const body = callTool(1, 'echo', { text: 'x'.repeat(2_000_000) })
    const answer = await exchange(`${url}/mcp`, { headers: JSON_HEADERS, body })
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
    expect(answer.json).toMatchObject({ error: { data: { error: { code: 'request_too_large' } } } })
  })

  it.each([1, 'text', null, true, {}, { jsonrpc: '2.0' }, { id: {}, method: 'x' }, { id: null, method: 'x' }])(
    'of %j in a session is no message',
    async (body) => {
      const { url } = await bench.open([ECHO])
      const headers = await openSession(`${url}/mcp`)
      const answer = await exchange(`${url}/mcp`, { headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(400)
      expect(answer.json).toMatchObject({ error: { code: -32600 } })
    },
  )
})

describe('a header that says two things', () => {
  const authenticate: Authenticate = ({ authorization }) => {
    if (authorization === 'Bearer good') return { ok: true, credential: 'good' }
    return { ok: false, status: 401, error: new SwitchboardError('unauthorized', 'No') }
  }

  it.each([
    ['two Hosts, ours first', 'Host: localhost\r\nHost: evil.example\r\nAuthorization: Bearer good', 400],
    ['two Hosts, ours last', 'Host: evil.example\r\nHost: localhost\r\nAuthorization: Bearer good', 400],
    ['two Hosts, both ours', 'Host: localhost\r\nHost: localhost\r\nAuthorization: Bearer good', 400],
    ['a Host with a list', 'Host: localhost, localhost\r\nAuthorization: Bearer good', 400],
    ['two credentials', 'Host: localhost\r\nAuthorization: Bearer good\r\nAuthorization: Bearer evil', 401],
    ['two origins', 'Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example', 403],
    ['two sites', 'Host: localhost\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site', 403],
    ['two lengths', 'Host: localhost\r\nContent-Length: 2\r\nContent-Length: 3', 400],
    ['a length and chunks', 'Host: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked', 400],
    ['two encodings', 'Host: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity', 400],
    ['a folded Host', 'Host: localhost\r\n evil.example\r\nAuthorization: Bearer good', 400],
    ['one Host and one credential', 'Host: localhost\r\nAuthorization: Bearer good', 200],
  ])('%s: is refused, whichever comes first', async (_, headers, status) => {
    const { port } = await bench.open([ECHO], { authenticate })
    const received = await exchangeBytes(port, `GET /readyz HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`)
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
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
    expect((await exchange(`${url}/healthz`, { method: 'GET' })).status).toBe(200)
  })

  it('a request without a Host is refused', async () => {
    const { port } = await bench.open([ECHO])
    expect(await exchangeBytes(port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  })
})
