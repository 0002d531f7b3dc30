/**
 * Both eras on one endpoint, as the SDK wants it: modern requests each get a server object of their own, legacy
 * clients a session with one.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node'
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server'
import type { AskingStyle } from './asking-tools.ts'
import { createReferenceServer } from './create-reference-server.ts'
import { MemoryEventStore } from './event-store.ts'
import { type ChangingList, ReferenceState } from './reference-state.ts'

export type Eras = 'dual' | 'legacy' | 'modern'

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport
  follow(): void
}

/** Resolves to the URL when it listens on 127.0.0.1. */
export async function serveHttp(eras: Eras, style: AskingStyle): Promise<string> {
  const sessions = new Map<string, Session>()
  const state: ReferenceState = new ReferenceState((list) => announce(list))
  const handler = createMcpHandler(() => createReferenceServer(state, style).server, { legacy: 'reject' })
  const handleModern = toNodeHandler(handler)

  const announce = (list: ChangingList): void => {
    if (list === 'tools') handler.notify.toolsChanged()
    else handler.notify.promptsChanged()
    for (const { follow } of sessions.values()) follow()
  }

  const openSession = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const { server, follow } = createReferenceServer(state, style)
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, follow }),
      onsessionclosed: (id) => void sessions.delete(id),
      eventStore: new MemoryEventStore(),
      retryInterval: 100,
    })
    await server.connect(transport)
    return transport
  }

  const handleLegacy = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id)?.transport : undefined
    if (known !== undefined) await known.handleRequest(request, response, body)
    else if (id === undefined && isInitializeRequest(body)) {
      await (await openSession()).handleRequest(request, response, body)
    } else refuse(response, id === undefined ? 400 : 404)
  }

  const isHostAllowed = localhostHostValidation()
  const isOriginAllowed = localhostOriginValidation()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return
    const body = request.method === 'POST' ? await readJson(request) : undefined
    // The same object: the two types differ only in how they write optional members.
    const node = request as NodeIncomingMessageLike
    const isLegacy =
      eras === 'legacy' || (eras === 'dual' && (await isLegacyRequest(await toWebRequest(node, body), body)))
    await (isLegacy ? handleLegacy(request, response, body) : handleModern(node, response, body))
  }

  const listener = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      console.error(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port always has an address of this kind.
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`
}

function refuse(response: ServerResponse, status: 400 | 404): void {
  const message = status === 404 ? 'Session not found' : 'This request needs a session'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message } }))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
