import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly message: JsonObject
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export type Script = (seen: Seen) => void

/** A real HTTP server whose every answer the test writes by hand. */
export class ScriptedServer {
  readonly seen: Seen[] = []
  script: Script
  readonly #server = createServer((request, response) => this.#receive(request, response))
  readonly #sockets = new Set<Socket>()

  constructor(script: Script) {
    this.script = script
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(script: Script, port = 0): Promise<ScriptedServer> {
    const server = new ScriptedServer(script)
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  byMethod(method: string): Seen[] {
    return this.seen.filter((seen) => seen.method === method)
  }

  /** Ends as a killed process does: nobody listens, every connection is cut. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const parsed: unknown = text === '' ? {} : JSON.parse(text)
      const seen: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        message: isJsonObject(parsed) ? parsed : {},
        request,
        response,
      }
      this.seen.push(seen)
      this.script(seen)
    })
  }
}

export function replyJson({ response }: Seen, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export function replyResult(seen: Seen, result: JsonObject = {}, headers: Record<string, string> = {}): void {
  replyJson(seen, { jsonrpc: '2.0', id: seen.message.id, result }, 200, headers)
}

export function openStream({ response }: Seen, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
  return response
}

export function resultEvent(id: unknown, result: JsonObject = {}, eventId?: string): string {
  const line = eventId === undefined ? '' : `id: ${eventId}\n`
  return `${line}data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
}

/** What a legacy server without a listening stream does; everything else is up to `onRequest`. */
export function legacyScript(onRequest: Script, session = 'session-1'): Script {
  return (seen) => {
    if (seen.method === 'GET') seen.response.writeHead(405).end()
    else if (seen.method === 'DELETE') seen.response.writeHead(200).end()
    else if (seen.message.method === 'initialize') replyResult(seen, {}, { 'mcp-session-id': session })
    else if (seen.message.id === undefined) seen.response.writeHead(202).end()
    else onRequest(seen)
  }
}
