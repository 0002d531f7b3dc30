/**
 * An MCP server on the public SDK behind a real token check: every token is shown to the authorization server (RFC 7662), and must
 * be for this server. Tools: `whoami`, `slow`, and `admin`, which takes a right of its own. It says on stdout where it listens, and
 * what it was asked with: never the token, but its hash.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ProtectedOptions } from './options.ts'

// Given by whoever starts it, in this shape.
const options = JSON.parse(process.argv[2] ?? '{}') as ProtectedOptions
const { issuer, transport = 'http', challenge = 'full', metadata = 'path', guards = 'all', says = {} } = options
const issuers = [...(options.namesBefore ?? []), issuer, ...(options.namesAfter ?? [])]
const PATH = transport === 'sse' ? '/sse' : '/mcp'
const METADATA_PATHS = {
  path: `/.well-known/oauth-protected-resource${PATH}`,
  root: '/.well-known/oauth-protected-resource',
  elsewhere: '/about/login.json',
  none: undefined,
}
let origin = ''

interface Verdict {
  readonly scopes: readonly string[]
}

async function introspect(token: string): Promise<Verdict | undefined> {
  const basic = Buffer.from('resource-server:known-to-the-test').toString('base64')
  const answer = await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token }),
  })
  // RFC 7662 has these members.
  const {
    active,
    aud,
    scope = '',
  } = (await answer.json()) as { active: boolean; aud?: string | string[]; scope?: string }
  const audiences = Array.isArray(aud) ? aud : [aud]
  return active && audiences.includes(`${origin}${PATH}`) ? { scopes: scope.split(' ') } : undefined
}

function createMcpServer(): Server {
  const server = new Server({ name: 'protected', version: '1' }, { capabilities: { tools: {} } })
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: ['whoami', 'slow', 'admin'].map(tool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === 'slow') await wait(Number(params.arguments?.ms ?? 100))
    return { content: [{ type: 'text', text: `called ${params.name}` }] }
  })
  return server
}

const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', origin)
  if (url.pathname === METADATA_PATHS[metadata]) {
    const body = { resource: `${origin}${PATH}`, authorization_servers: issuers, scopes_supported: ['read'], ...says }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  if (url.pathname !== PATH && url.pathname !== '/messages') {
    response.writeHead(404).end()
    return
  }
  const body = request.method === 'POST' ? await readJson(request) : undefined
  const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } }
  const given = request.headers.authorization
  const token = given?.startsWith('Bearer ') ? given.slice('Bearer '.length) : undefined
  const isGuarded = guards === 'all' || method === 'tools/call'
  const verdict = token === undefined ? undefined : await introspect(token)
  const hash = token === undefined ? undefined : createHash('sha256').update(token).digest('hex')
  process.stdout.write(`${JSON.stringify({ asked: method ?? request.method, hash, isGood: verdict !== undefined })}\n`)
  if (isGuarded && verdict === undefined)
    return refuse(response, 401, token === undefined ? '' : ', error="invalid_token"')
  if (method === 'tools/call' && params?.name === 'admin' && !verdict?.scopes.includes('admin')) {
    return refuse(response, 403, ', error="insufficient_scope", scope="admin"')
  }
  await (transport === 'sse' ? serveSse(request, response, url, body) : serveHttp(request, response, body))
}

function refuse(response: ServerResponse, status: number, more: string): void {
  const path = METADATA_PATHS[metadata]
  const about = challenge === 'full' && path !== undefined ? `, resource_metadata="${origin}${path}"` : ''
  const header = challenge === 'none' ? {} : { 'www-authenticate': `Bearer realm="mcp"${about}${more}` }
  response.writeHead(status, header).end('no')
}

async function serveHttp(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id'] ?? ''))
  if (known instanceof StreamableHTTPServerTransport) return known.handleRequest(request, response, body)
  const made = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, made),
  })
  await createMcpServer().connect(made as Parameters<Server['connect']>[0])
  return made.handleRequest(request, response, body)
}

async function serveSse(request: IncomingMessage, response: ServerResponse, url: URL, body: unknown): Promise<void> {
  if (request.method === 'GET') {
    const made = new SSEServerTransport('/messages', response)
    sessions.set(made.sessionId, made)
    return createMcpServer().connect(made)
  }
  const known = sessions.get(url.searchParams.get('sessionId') ?? '')
  if (known instanceof SSEServerTransport) return known.handlePostMessage(request, response, body)
  response.writeHead(404).end()
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    response.destroy()
  })
})
server.listen(options.port ?? 0, '127.0.0.1', () => {
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  process.stdout.write(`${JSON.stringify({ ready: true, url: `${origin}${PATH}` })}\n`)
})

process.stdin.on('end', () => process.exit(0)).resume()
