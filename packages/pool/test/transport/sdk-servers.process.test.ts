/** The same transports against servers built on the public SDKs: what other people's code really answers. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server as ModernServer } from '@modelcontextprotocol/server'
import { createNotification, createRequest, type JsonObject } from '@switchboard/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpTransport } from '../../src/transport/http-transport.ts'
import { createSseTransport } from '../../src/transport/sse-transport.ts'
import type { UpstreamTransport } from '../../src/transport/transport.ts'
import { Recorder, until } from './recorder.ts'

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server: HttpServer = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function open(transport: UpstreamTransport): Recorder {
  const recorder = new Recorder()
  transport.open(recorder)
  cleanups.push(() => transport.close({ force: true }))
  return recorder
}

const INITIALIZE = createRequest(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

function createLegacyServer(): LegacyServer {
  const server = new LegacyServer({ name: 'legacy', version: '1' }, { capabilities: { tools: { listChanged: true } } })
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    if (request.params.name === 'poll') extra.closeSSEStream?.()
    const progressToken = extra._meta?.progressToken
    if (progressToken !== undefined) {
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    }
    return { content: [{ type: 'text', text: `called ${request.params.name}` }] }
  })
  return server
}

/** Keeps every event, so that streams can be taken up again. */
class EventLog {
  readonly #events: { streamId: string; message: JSONRPCMessage }[] = []

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    return String(this.#events.push({ streamId, message }))
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events[Number(eventId) - 1]?.streamId
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events[Number(lastEventId) - 1]?.streamId ?? ''
    for (const [index, event] of this.#events.entries()) {
      const isMessage = Object.keys(event.message).length > 0
      if (index >= Number(lastEventId) && event.streamId === streamId && isMessage)
        await send(String(index + 1), event.message)
    }
    return streamId
  }
}

interface LegacyFixture {
  readonly url: string
  readonly sessions: Map<string, { transport: StreamableHTTPServerTransport; server: LegacyServer }>
  readonly methods: string[]
}

async function startLegacy(
  options: { eventStore?: EventLog; enableJsonResponse?: boolean } = {},
): Promise<LegacyFixture> {
  const sessions: LegacyFixture['sessions'] = new Map()
  const methods: string[] = []
  const url = await listen(async (request, response) => {
    methods.push(request.method ?? '')
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.transport.handleRequest(request, response)
    if (request.headers['mcp-session-id'] !== undefined) {
      response.writeHead(404).end()
      return
    }
    const server = createLegacyServer()
    const transport = new StreamableHTTPServerTransport({
      ...options,
      retryInterval: 30,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    cleanups.push(() => server.close())
    // The SDK's own types disagree with each other under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<LegacyServer['connect']>[0])
    await transport.handleRequest(request, response)
  })
  return { url, sessions, methods }
}

async function handshake(transport: UpstreamTransport, recorder: Recorder): Promise<void> {
  transport.send(INITIALIZE)
  expect((await recorder.next('message')).message).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } })
  transport.setProtocol('legacy', '2025-11-25')
  transport.send(createNotification('notifications/initialized'))
}

function callTool(id: number, name: string, meta: JsonObject = {}): ReturnType<typeof createRequest> {
  return createRequest(id, 'tools/call', { name, arguments: {}, _meta: meta })
}

describe('a legacy server of the v1 SDK', () => {
  it.each([true, false])(
    'is spoken to with sessions, progress and notifications (JSON answers: %s)',
    async (enableJsonResponse) => {
      const { url, sessions, methods } = await startLegacy({ enableJsonResponse })
      const transport = createHttpTransport({ url })
      const recorder = open(transport)
      await handshake(transport, recorder)
      await until(() => transport.noticesExit)
      transport.send(callTool(1, 'echo', enableJsonResponse ? {} : { progressToken: 'p' }))
      const expected = enableJsonResponse ? 1 : 2
      const answer = await recorder.next('message', expected)
      expect(answer).toMatchObject({ origin: 1, message: { id: 1, result: { content: [{ text: 'called echo' }] } } })
      if (!enableJsonResponse) {
        expect(recorder.of('message')[1]).toMatchObject({ origin: 1, message: { method: 'notifications/progress' } })
      }
      const [session] = [...sessions.values()]
      await session?.server.sendToolListChanged()
      const changed = await recorder.next('message', expected + 1)
      expect(changed.message).toMatchObject({ method: 'notifications/tools/list_changed' })
      expect(changed.origin).toBeUndefined()
      await transport.close()
      expect(sessions.size).toBe(0)
      expect(methods.at(-1)).toBe('DELETE')
      expect(recorder.of('closed')).toEqual([])
    },
  )

  it('answers a discovery of the modern era with an error that names the request', async () => {
    const { url } = await startLegacy()
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    transport.send(createRequest(9, 'server/discover'), { headers: { 'Mcp-Method': 'server/discover' } })
    expect((await recorder.next('message')).message).toMatchObject({ id: 9, error: {} })
  })

  it('is polled when it ends the stream of a call on purpose', async () => {
    const { url, methods } = await startLegacy({ eventStore: new EventLog() })
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    await handshake(transport, recorder)
    transport.send(callTool(1, 'poll'))
    const answer = await recorder.next('message', 1)
    expect(answer).toMatchObject({ origin: 1, message: { id: 1, result: { content: [{ text: 'called poll' }] } } })
    expect(methods.filter((method) => method === 'GET').length).toBeGreaterThanOrEqual(2)
    expect(recorder.of('failed')).toEqual([])
  })

  it('ends the transport when it has forgotten the session', async () => {
    const { url, sessions } = await startLegacy()
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    await handshake(transport, recorder)
    await until(() => transport.noticesExit)
    sessions.clear()
    transport.send(callTool(1, 'echo'))
    expect((await recorder.next('closed')).info.reason).toBe('session_expired')
  })
})

describe('an HTTP+SSE server of the v1 SDK', () => {
  it('is spoken to over its stream and its endpoint', async () => {
    let serving: SSEServerTransport | undefined
    const url = await listen(async (request, response) => {
      if (request.method === 'POST') return serving?.handlePostMessage(request, response)
      serving = new SSEServerTransport('/messages', response)
      const server = createLegacyServer()
      cleanups.push(() => server.close())
      await server.connect(serving)
    })
    const transport = createSseTransport({ url })
    const recorder = open(transport)
    await handshake(transport, recorder)
    transport.send(callTool(1, 'echo'))
    expect((await recorder.next('message', 1)).message).toMatchObject({ id: 1, result: {} })
  })
})

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

async function startModern(responseMode: 'json' | 'sse', onAborted: () => void): Promise<string> {
  const handler = createMcpHandler(
    () => {
      const server = new ModernServer({ name: 'modern', version: '1' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/call', async (request, context) => {
        if (request.params.name === 'hang') {
          await new Promise<void>((resolve) => context.mcpReq.signal.addEventListener('abort', () => resolve()))
          onAborted()
        }
        return { content: [{ type: 'text', text: `called ${request.params.name}` }] }
      })
      return server
    },
    { legacy: 'reject', responseMode },
  )
  cleanups.push(() => handler.close())
  return listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const aborter = new AbortController()
    response.on('close', () => aborter.abort())
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers,
        body: chunks.length > 0 ? Buffer.concat(chunks) : null,
        signal: aborter.signal,
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else {
      response.flushHeaders()
      Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
        .on('error', () => response.destroy())
        .pipe(response)
    }
  })
}

function modernHeaders(method: string, name?: string): { headers: Record<string, string> } {
  return {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    },
  }
}

describe('a modern server of the v2 SDK', () => {
  it.each(['json', 'sse'] as const)(
    'is discovered and called, each message with its own headers (%s answers)',
    async (mode) => {
      const url = await startModern(mode, () => {})
      const transport = createHttpTransport({ url })
      const recorder = open(transport)
      transport.send(createRequest(0, 'server/discover', { _meta: MODERN_META }), modernHeaders('server/discover'))
      expect((await recorder.next('message')).message).toMatchObject({
        id: 0,
        result: { supportedVersions: ['2026-07-28'] },
      })
      transport.setProtocol('modern', '2026-07-28')
      transport.send(callTool(1, 'echo', MODERN_META), modernHeaders('tools/call', 'echo'))
      const answer = await recorder.next('message', 1)
      expect(answer).toMatchObject({ origin: 1, message: { id: 1, result: { content: [{ text: 'called echo' }] } } })
    },
  )

  it('answers wrong headers with an error that reaches the request, though the status is 400', async () => {
    const url = await startModern('json', () => {})
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    transport.send(callTool(4, 'echo', MODERN_META), modernHeaders('tools/call', 'another'))
    expect((await recorder.next('message')).message).toMatchObject({ id: 4, error: { code: -32020 } })
  })

  it('sees a request cancelled when it is abandoned', async () => {
    let aborted = 0
    const url = await startModern('sse', () => {
      aborted += 1
    })
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    transport.setProtocol('modern', '2026-07-28')
    transport.send(callTool(1, 'hang', MODERN_META), modernHeaders('tools/call', 'hang'))
    transport.send(callTool(2, 'echo', MODERN_META), modernHeaders('tools/call', 'echo'))
    await recorder.next('message')
    transport.abandon(1)
    await until(() => aborted === 1)
    expect(recorder.all).toHaveLength(1)
  })

  it('refuses the legacy handshake with an error that names the versions', async () => {
    const url = await startModern('json', () => {})
    const transport = createHttpTransport({ url })
    const recorder = open(transport)
    transport.send(INITIALIZE)
    expect((await recorder.next('message')).message).toMatchObject({ id: 0, error: { code: -32022 } })
  })
})
