/** The public SDK's own client beside the pool: what it gets is what the pool has to pass on. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Command } from './real-servers.ts'

export type DirectTarget = Command | { readonly url: string; readonly type: 'http' | 'sse' }

export interface DirectOptions {
  /** Answers `roots/list`; left out, the client does not offer roots. */
  readonly roots?: { uri: string; name?: string }[]
  /** Offers sampling and elicitation, for servers that list tools by what their client can do. */
  readonly offersAll?: boolean
}

export async function connectDirectly(target: DirectTarget, options: DirectOptions = {}): Promise<Client> {
  const { roots, offersAll = false } = options
  const client = new Client(
    { name: 'direct', version: '1' },
    {
      capabilities: {
        ...(roots === undefined ? {} : { roots: { listChanged: true } }),
        ...(offersAll ? { sampling: {}, elicitation: { form: {}, url: {} } } : {}),
      },
    },
  )
  if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }))
  await client.connect(createTransport(target))
  return client
}

function createTransport(target: DirectTarget): Transport {
  if ('command' in target) return new StdioClientTransport({ ...target, stderr: 'ignore' })
  const url = new URL(target.url)
  if (target.type === 'sse') return new SSEClientTransport(url)
  // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes refuses for its own interface.
  return new StreamableHTTPClientTransport(url) as Transport
}
