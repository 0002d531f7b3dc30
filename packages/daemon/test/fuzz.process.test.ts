/**
 * More than 100,000 cases of what no honest client sends, on every transport: each is answered properly or its connection
 * is closed, nothing hangs, nothing crashes, and nothing of it is kept.
 */

import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSeededRandom, type SeededRandom, waitFor } from '@switchboard/testkit'
import { exchange, JSON_HEADERS } from '@switchboard/testkit/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerBook, findImproper } from './helpers/answer-book.ts'
import { createFuzzCases, type FuzzCase } from './helpers/fuzz-cases.ts'
import {
  PipelinedConnection,
  type PipelinedRequest,
  type PipelinedResponse,
  readResponse,
} from './helpers/pipelined-http.ts'
import { type OpenSwitchboard, readHealth, useWorkbench } from './helpers/workbench.ts'

const SEED = 20_261_115
const CASES = { stdio: 40_000, webSocket: 20_000, http: 40_000, sse: 8_000, brokenHttp: 1_500, brokenFrames: 500 }
const MAX_BODY = 64 * 1024
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
}

const bench = useWorkbench({ per: 'suite' })
let open: OpenSwitchboard
let port: number
let done = 0

beforeAll(async () => {
  open = await bench.open({
    mcpServers: { fx: bench.fixture('fx') },
    gateway: { maxBodyBytes: MAX_BODY },
    profiles: { small: { tools: { allow: ['fx_echo'] } } },
  })
  port = Number(new URL(open.url).port)
})

afterAll(() => {
  expect(done).toBeGreaterThanOrEqual(100_000)
})

describe('fuzzed input', () => {
  it('on stdio gets a proper answer to every line', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const book = new AnswerBook()
    let rest = ''
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) book.receive(line)
    })
    const server = open.switchboard.serveStdio(input, output, { instance: 'fuzz-0123ab', profile: 'default' })
    const send = (text: string) => void input.write(`${text}\n`)
    send(JSON.stringify(INITIALIZE))
    await runConversation(createFuzzCases(createSeededRandom(SEED), 'io'), CASES.stdio, send, book)
    input.end()
    expect(await server.ended).toBe('stdin EOF detected')
  })

  it('on WebSocket gets a proper answer to every message', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp')
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    const book = new AnswerBook()
    socket.addEventListener('message', ({ data }) => book.receive(String(data)))
    const send = (text: string) => socket.send(text)
    send(JSON.stringify(INITIALIZE))
    await runConversation(createFuzzCases(createSeededRandom(SEED + 1), 'ws'), CASES.webSocket, send, book)
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
    socket.close()
    await closed
  })

  it('in WebSocket frames ends the connection, and only that', async () => {
    const random = createSeededRandom(SEED + 2)
    for (let count = 0; count < CASES.brokenFrames; count += 50) {
      await Promise.all(Array.from({ length: 50 }, () => sendBrokenFrames(random)))
    }
    done += CASES.brokenFrames
  })

  it('over Streamable HTTP gets a proper answer to every request', async () => {
    const session = await openSession()
    const random = createSeededRandom(SEED + 3)
    const next = createFuzzCases(random, 'h')
    await runRequests(CASES.http, () => {
      const fuzz = next()
      const request = createHttpRequest(random, fuzz, session)
      return { request, check: (response) => checkHttpResponse(request, fuzz, response) }
    })
  })

  it('over HTTP+SSE gets a proper answer to every POST, and one on the stream where one is due', async () => {
    const book = new AnswerBook()
    const stop = new AbortController()
    let path = ''
    const stream = exchange(`${open.url}/sse`, {
      method: 'GET',
      signal: stop.signal,
      onEvent: (event, data) => {
        if (event === 'endpoint') path = data
        else book.receive(data)
      },
    }).catch(() => undefined)
    await waitFor(() => path !== '', { what: 'the endpoint' })
    await exchange(`${open.url}${path}`, { body: INITIALIZE })
    const next = createFuzzCases(createSeededRandom(SEED + 4), 'sse')
    await runRequests(
      CASES.sse,
      () => {
        const fuzz = next()
        return {
          request: { method: 'POST', path, headers: JSON_HEADERS, body: fuzz.text },
          check: ({ status, body }) => {
            if (status === 202) return typeof fuzz.expected === 'object' ? void book.expect(fuzz) : undefined
            return status === 400 ? findImproper(JSON.parse(body)) : `${status}`
          },
        }
      },
      () => book.settle(),
    )
    expect(book.improper).toEqual([])
    stop.abort()
    await stream
  })

  it('that is not even HTTP is answered in JSON or cut off', async () => {
    const random = createSeededRandom(SEED + 5)
    let answered = 0
    for (let count = 0; count < CASES.brokenHttp; count += 50) {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => sendBrokenHttp(random)))
      answered += outcomes.filter(Boolean).length
    }
    expect(answered).toBeGreaterThan(CASES.brokenHttp * 0.9)
    done += CASES.brokenHttp
  })

  it('leaves the gateway as it was', async () => {
    expect(await readHealth(open)).toMatchObject({ inFlight: 0, streams: 0, sseSessions: 0, webSocketSessions: 0 })
    expect(open.switchboard.gateway.parkedCount).toBe(0)
    expect(open.switchboard.gateway.listenCount).toBe(0)
    expect(open.switchboard.status()[0]).toMatchObject({ state: 'ready', restarts: 0, inFlight: 0, queued: 0 })
    expect(open.log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** In portions, each followed by an honest ping, so that nothing hides behind what is still to come. */
async function runConversation(
  next: () => FuzzCase,
  total: number,
  send: (text: string) => void,
  book: AnswerBook,
): Promise<void> {
  const memory = new MemoryWatch()
  const portion = 500
  for (let sent = 0; sent < total; sent += portion) {
    for (let count = 0; count < portion; count++) {
      const fuzz = next()
      book.expect(fuzz)
      send(fuzz.text)
    }
    const ping = { text: `{"jsonrpc":"2.0","id":"ping-${sent}","method":"ping"}`, expected: { id: `ping-${sent}` } }
    book.expect(ping)
    send(ping.text)
    await book.settle()
    expect(book.improper).toEqual([])
    memory.look(sent / total)
  }
  done += total
  memory.expectFlat()
}

/**
 * Over eight connections with 50 requests under way on each. `settle`: until everything is answered that is answered elsewhere;
 * what is still on its way then is no leak.
 */
async function runRequests(
  total: number,
  create: () => { request: PipelinedRequest; check: (response: PipelinedResponse) => string | undefined },
  settle: () => Promise<void> = async () => {},
): Promise<void> {
  const memory = new MemoryWatch()
  const connections = Array.from({ length: 8 }, () => new PipelinedConnection(port))
  let sent = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (sent < total) {
        sent += 50
        const portion = Array.from({ length: 50 }, create)
        const responses = await connection.send(portion.map(({ request }) => request))
        const problems = portion.flatMap(({ request, check }, index) => {
          const response = responses[index]
          const problem = response === undefined ? 'no response' : check(response)
          return problem === undefined ? [] : [JSON.stringify({ problem, response, request }).slice(0, 1_500)]
        })
        expect(problems).toEqual([])
        memory.look(sent / total)
      }
    }),
  )
  for (const connection of connections) connection.close()
  done += sent
  await settle()
  memory.expectFlat()
}

async function openSession(): Promise<string> {
  const { headers } = await exchange(open.mcp, { body: INITIALIZE })
  return String(headers['mcp-session-id'])
}

/** One header or the path is wrong in two of three; the session is the good one in most. */
function createHttpRequest(random: SeededRandom, { text }: FuzzCase, session: string): PipelinedRequest {
  const garbage = () =>
    Array.from({ length: 1 + random.below(60) }, () => String.fromCharCode(33 + random.below(94))).join('')
  const good = { ...JSON_HEADERS, 'mcp-session-id': session }
  const wrong = random.pick<Record<string, string>>([
    {},
    {},
    {
      'content-type': random.pick([
        'text/plain',
        'application/xml',
        'multipart/form-data',
        garbage(),
        'application/json;',
      ]),
    },
    { accept: random.pick(['text/html', 'image/*', garbage(), '*/*', 'application/json', 'text/event-stream']) },
    { 'mcp-session-id': random.pick([garbage(), '', '__proto__', session.toLowerCase(), `${session}x`]) },
    { 'mcp-protocol-version': random.pick(['2026-07-28', '2025-06-18', '1999-01-01', garbage(), '']) },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': random.pick(['tools/call', 'ping', garbage()]) },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': random.pick(['fx_echo', garbage()]),
    },
    { host: random.pick(['evil.example', garbage(), '127.0.0.1:1', 'localhost', '']) },
    { origin: random.pick(['https://evil.example', 'null', garbage(), 'http://localhost:3000']) },
    // No token, for the answers to wrong ones are held back, and with them those behind.
    { authorization: random.pick(['Bearer "', 'Basic eDp5', garbage(), 'Bearer']) },
    { [`x-${random.below(1_000)}`]: garbage().repeat(20), 'last-event-id': garbage() },
    { 'content-encoding': random.pick(['gzip', 'br', garbage()]), expect: random.pick([garbage(), '100-continue']) },
  ])
  const path = random.pick([
    '/mcp',
    '/mcp',
    '/mcp',
    '/mcp/',
    '/mcp/small',
    '/mcp/nobody',
    '/mcp/%ff',
    '/messages',
    '/x',
    '//',
    '/ws',
    '/.well-known/x',
  ])
  // GET with a session, or at /sse, would open a stream, and DELETE would end the session: both are right.
  const method = path.startsWith('/mcp')
    ? random.pick(['POST', 'POST', 'POST', 'PUT', 'PATCH', 'OPTIONS'])
    : random.pick(['POST', 'GET', 'DELETE'])
  return { method, path, headers: { ...good, ...wrong }, body: text }
}

function checkHttpResponse(
  { method, path, headers }: PipelinedRequest,
  fuzz: FuzzCase,
  response: PipelinedResponse,
): string | undefined {
  const { status, contentType, body } = response
  if (status >= 500) return `status ${status}`
  if (status === 202) return fuzz.expected === 'error' ? 'accepted what is no message' : undefined
  if (contentType === 'text/event-stream') return checkEvents(body)
  if (contentType !== 'application/json') return `content type ${contentType}`
  const message: unknown = JSON.parse(body)
  const problem = Array.isArray(message) ? message.map(findImproper).find(Boolean) : findImproper(message)
  if (problem !== undefined) return problem
  const isAnswered = status === 200
  const isPlain = method === 'POST' && path === '/mcp' && headers['mcp-protocol-version'] === undefined
  if (isAnswered && fuzz.expected === 'error') return 'answered what is no message'
  if (!isAnswered && (status < 400 || !body.includes('"error"'))) return `status ${status} without an error`
  return isPlain && status === 405 ? 'refused a POST' : undefined
}

function checkEvents(body: string): string | undefined {
  const messages = [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => findImproper(JSON.parse(data ?? '')))
  return messages.find((problem) => problem !== undefined)
}

/** Resolves when the server has closed the connection, with whether it said why; that has to be an error in JSON. */
function sendBrokenHttp(random: SeededRandom): Promise<boolean> {
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const post = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  const text = random.pick<Buffer | string>([
    bytes(1 + random.below(500)),
    Buffer.concat([Buffer.from('POST /mcp HTTP/1.1\r\n'), bytes(100)]),
    `${post}content-length: 9999\r\n\r\n${body}`,
    `${post}content-length: -1\r\n\r\n${body}`,
    `${post}content-length: 5\r\ncontent-length: 7\r\n\r\n${body}`,
    `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${body}`,
    `${post}transfer-encoding: chunked\r\n\r\nzz\r\n${body}`,
    `${post}transfer-encoding: chunked\r\n\r\n5\r\nabc`,
    `${post}x: ${'y'.repeat(20_000)}\r\n\r\n`,
    `${post}\u0000: 1\r\n\r\n`,
    `POST /mcp HTTP/9.9\r\nhost: 127.0.0.1\r\n\r\n`,
    `GET /mcp\r\n\r\n`,
    `POST /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
    `${post}content-length: ${MAX_BODY + 10}\r\n\r\n${'x'.repeat(MAX_BODY + 10)}`,
    `GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 1\r\n\r\n`,
    `GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    `GET /ws HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  ])
  return hangUp(text).then((answer) => {
    if (answer.length === 0) return false
    const read = readResponse(answer)
    expect(read, answer.toString().slice(0, 300)).toBeDefined()
    expect(read?.response).toMatchObject({ status: expect.any(Number), contentType: 'application/json' })
    expect(read?.response.status).toBeGreaterThanOrEqual(400)
    expect(read?.response.status).toBeLessThan(500)
    expect(findImproper(JSON.parse(read?.response.body ?? ''))).toBeUndefined()
    return true
  })
}

async function sendBrokenFrames(random: SeededRandom): Promise<void> {
  const handshake =
    'GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
    'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: mcp\r\n\r\n'
  const noise = Buffer.from(Array.from({ length: 2 + random.below(300) }, () => random.below(256)))
  const frames = random.pick([
    noise,
    // Not masked; a reserved bit; an unknown opcode; a continuation of nothing; text that is no UTF-8; too large.
    Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
    Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x80, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]),
    Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  ])
  const answer = await hangUp(Buffer.concat([Buffer.from(handshake), frames]), { patient: true })
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /)
}

/** Everything that is said until the other side has closed the connection too. `patient`: an answer is waited for. */
function hangUp(text: Buffer | string, { patient = false } = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (patient) socket.end()
    })
    // A connection that is reset was closed as well.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    if (patient) socket.write(text)
    else socket.end(text)
  })
}

/** Compares the heap after a fifth of the cases, when everything is warm, with that at the end. */
class MemoryWatch {
  readonly #collect: () => void
  #warm: NodeJS.MemoryUsage | undefined

  constructor() {
    setFlagsFromString('--expose-gc')
    // The flag gives every new context a `gc`.
    this.#collect = runInNewContext('gc') as () => void
  }

  look(progress: number): void {
    if (this.#warm !== undefined || progress < 0.2) return
    this.#collect()
    this.#warm = process.memoryUsage()
  }

  expectFlat(): void {
    this.#collect()
    const now = process.memoryUsage()
    const grown = (of: 'heapUsed' | 'external' | 'rss') => (now[of] - (this.#warm?.[of] ?? 0)) / 1024 / 1024
    expect(grown('heapUsed')).toBeLessThan(12)
    // Buffers, which are not of the heap.
    expect(grown('external')).toBeLessThan(12)
    // Moves by tens of megabytes by itself: the allocator gives back when it likes.
    expect(grown('rss')).toBeLessThan(256)
  }
}
