import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import {
  AskedAgent,
  CAPABILITIES,
  createCommon,
  type SdkAgent,
  type SdkAgentOptions,
  type SdkTarget,
} from './sdk-agent.ts'

export async function connectV1(
  target: SdkTarget,
  { name = 'agent', capabilities = CAPABILITIES }: SdkAgentOptions,
): Promise<SdkAgent> {
  const client = new Client({ name, version: '1' }, { capabilities })
  const conversation = new AskedAgent(name)
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, (request) => conversation.sample(request))
  }
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, (request) => conversation.elicit(request))
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, (request) => conversation.roots(request))
  }
  const { logs, changes } = conversation
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params.data))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes.push('tools'))
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void changes.push('prompts'))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changes.push(params.uri))
  const transport = createTransport(target)
  // The SDK's own transports do not satisfy its interface under exactOptionalPropertyTypes.
  const carrier = transport as Transport
  // The client keeps what was agreed upon to itself, but tells its transport.
  let version: string | undefined
  const tell = carrier.setProtocolVersion?.bind(carrier)
  carrier.setProtocolVersion = (agreed) => {
    version = agreed
    tell?.(agreed)
  }
  await client.connect(carrier)
  let followed = ''
  return {
    ...createCommon(client, conversation),
    version,
    async call(tool, args = {}, { logLevel, ...options } = {}) {
      if (logLevel !== undefined) await client.setLoggingLevel(logLevel)
      return client.callTool({ name: tool, arguments: args }, undefined, options)
    },
    async follow(uri) {
      followed = uri
      await client.subscribeResource({ uri })
    },
    unfollow: async () => void (await client.unsubscribeResource({ uri: followed })),
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
      await client.close()
    },
  }
}

function createTransport(target: SdkTarget) {
  if (target.transport === 'stdio') return new StdioClientTransport({ ...target.command, stderr: 'ignore' })
  const url = new URL(target.url)
  if (target.transport === 'sse') return new SSEClientTransport(url)
  if (target.transport === 'websocket') return new WebSocketClientTransport(url)
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...target.headers } } })
}
