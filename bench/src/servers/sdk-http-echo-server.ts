/** What a gateway is compared with: the tool served by the SDK itself over Streamable HTTP, with sessions, on plain node:http. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createSdkEcho } from './sdk-echo.ts'

const sessions = new Map<string, StreamableHTTPServerTransport>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id']))
  await (known ?? (await openSession())).handleRequest(request, response)
}

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  // The SDK's own types disagree about optional members, which it compiles without exactOptionalPropertyTypes.
  await createSdkEcho(Number(process.argv[2] ?? 0)).connect(transport as Transport)
  return transport
}

const server = createServer((request, response) => void answer(request, response))
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`)
  }
})
// Its stdin is held by the benchmark, whose end is ours.
process.stdin.resume().on('end', () => process.exit(0))
