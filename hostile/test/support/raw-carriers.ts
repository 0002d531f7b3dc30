/** A raw server on every way that servers are reached by: as a child of the daemon, or served from the test itself. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { createManner } from './raw-server.mjs'

const SCRIPT = fileURLToPath(new URL('raw-server.mjs', import.meta.url))

export const CARRIERS = ['stdio', 'http', 'http events', 'sse', 'websocket'] as const
export type Carrier = (typeof CARRIERS)[number]

type Manner = (message: JsonObject) => readonly string[]

/** The entry of a configuration. */
export async function rawServer(
  manner: string,
  carrier: Carrier = 'stdio',
  more: JsonObject = {},
): Promise<JsonObject> {
  if (carrier === 'stdio') return { command: process.execPath, args: [SCRIPT, manner], ...more }
  const { port, path } = await serve(createManner(manner), carrier)
  const scheme = carrier === 'websocket' ? 'ws' : 'http'
  const type = carrier === 'http events' ? 'http' : carrier
  return { type, url: `${scheme}://127.0.0.1:${port}${path}`, ...more }
}

async function serve(manner: Manner, carrier: Carrier): Promise<{ port: number; path: string }> {
  let stream: ServerResponse | undefined
  const server = createServer((request, response) => {
    if (carrier === 'sse' && request.method === 'GET') {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      // Written by the daemon that is attacked.
      const answers = manner(JSON.parse(body) as JsonObject)
      const events = answers.map((text) => `data: ${text}\n\n`).join('')
      if (carrier === 'sse') {
        response.writeHead(202).end()
        stream?.write(events)
      } else if (answers.length === 0) response.writeHead(202).end()
      else if (carrier === 'http' && answers.length === 1)
        response.writeHead(200, { 'content-type': 'application/json' }).end(answers[0])
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
    })
  })
  if (carrier === 'websocket') {
    new WebSocketServer({ server, handleProtocols: () => 'mcp' }).on('connection', (socket) => {
      socket.on('message', (data) => {
        for (const text of manner(JSON.parse(String(data)) as JsonObject)) socket.send(text)
      })
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, path: carrier === 'sse' ? '/sse' : '/mcp' }
}
