import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  AskedAgent,
  CAPABILITIES,
  createCommon,
  type SdkAgent,
  type SdkAgentOptions,
  type SdkClient,
  type SdkTarget,
} from './sdk-agent.ts'

const MODES = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 pinned': { pin: '2026-07-28' } } as const

export async function connectV2(
  kind: Exclude<SdkClient, 'v1'>,
  target: SdkTarget,
  { name = 'agent', capabilities = CAPABILITIES }: SdkAgentOptions,
): Promise<SdkAgent> {
  const client = new Client({ name, version: '2' }, { capabilities, versionNegotiation: { mode: MODES[kind] } })
  const conversation = new AskedAgent(name)
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', (request) => conversation.sample(request))
  }
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => conversation.elicit(request))
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler('roots/list', (request) => conversation.roots(request))
  }
  const { logs, changes } = conversation
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data))
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes.push('tools'))
  client.setNotificationHandler('notifications/prompts/list_changed', () => void changes.push('prompts'))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changes.push(params.uri))
  const transport = createTransport(target)
  await client.connect(transport)
  const isModern = client.getProtocolEra() === 'modern'
  let unfollow = async (): Promise<void> => {}
  return {
    ...createCommon(client, conversation),
    version: client.getNegotiatedProtocolVersion(),
    async call(tool, args = {}, { logLevel, ...options } = {}) {
      if (logLevel !== undefined && !isModern) await client.setLoggingLevel(logLevel)
      const meta = logLevel !== undefined && isModern ? { _meta: { 'io.modelcontextprotocol/logLevel': logLevel } } : {}
      return { ...(await client.callTool({ name: tool, arguments: args, ...meta }, options)) }
    },
    async follow(uri) {
      if (isModern) {
        const lists = { toolsListChanged: true, promptsListChanged: true }
        const subscription = await client.listen({ ...lists, resourceSubscriptions: [uri] })
        unfollow = () => subscription.close()
      } else {
        await client.subscribeResource({ uri })
        unfollow = async () => void (await client.unsubscribeResource({ uri }))
      }
    },
    unfollow: () => unfollow(),
    async close() {
      if (!isModern && transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
      await client.close()
    },
  }
}

function createTransport(target: SdkTarget) {
  if (target.transport === 'stdio') return new StdioClientTransport({ ...target.command, stderr: 'ignore' })
  if (target.transport === 'websocket') throw new Error('The second generation speaks no WebSocket')
  const url = new URL(target.url)
  if (target.transport === 'sse') return new SSEClientTransport(url)
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...target.headers } } })
}
