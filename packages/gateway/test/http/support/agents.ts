/** The SDKs' own clients behind one interface, so that one suite can be every agent in turn. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@switchboard/protocol'

export interface CallOptions {
  readonly signal?: AbortSignal
  onprogress?(progress: { progress: number }): void
}

export interface Agent {
  readonly version: string | undefined
  /** Tool list changes, URIs of updated resources, texts of log messages. */
  readonly heard: string[]
  toolNames(): Promise<string[]>
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<JsonObject>
  read(uri: string): Promise<JsonObject>
  prompt(name: string, args: Record<string, string>): Promise<JsonObject>
  /** Hears of the tool list and of one resource. */
  follow(uri: string): Promise<void>
  /** Sets the level from which on log messages are heard. */
  setLogLevel(level: 'debug' | 'info'): Promise<void>
  close(): Promise<void>
}

export const ANSWERS = {
  sampling: { model: 'none', role: 'assistant' as const, content: { type: 'text' as const, text: 'sampled' } },
  elicitation: { action: 'accept' as const, content: { answer: 'yes' } },
  roots: { roots: [{ uri: 'file:///project' }] },
}

const CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: {} }

/** From the URL of a gateway to a connected agent. */
export const AGENTS: Readonly<Record<string, (url: string) => Promise<Agent>>> = {
  'SDK 1 over Streamable HTTP': (url) => connectFirst(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))),
  'SDK 1 over HTTP+SSE': (url) => connectFirst(new SSEClientTransport(new URL(`${url}/sse`))),
  'SDK 1 over WebSocket': (url) =>
    connectFirst(new WebSocketClientTransport(new URL(`${url.replace('http', 'ws')}/ws`))),
  'SDK 2 in the legacy era': (url) => connectSecond(url, 'legacy'),
  'SDK 2 in the era it finds': (url) => connectSecond(url, 'auto'),
  'SDK 2 pinned to the modern era': (url) => connectSecond(url, { pin: '2026-07-28' }),
}

async function connectFirst(transport: unknown): Promise<Agent> {
  const client = new LegacyClient({ name: 'sdk', version: '1' }, { capabilities: CAPABILITIES })
  const heard: string[] = []
  client.setRequestHandler(CreateMessageRequestSchema, () => ANSWERS.sampling)
  client.setRequestHandler(ElicitRequestSchema, () => ANSWERS.elicitation)
  client.setRequestHandler(ListRootsRequestSchema, () => ANSWERS.roots)
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void heard.push(method))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(String(params.data)))
  let version: string | undefined
  // The SDK's own transports do not satisfy its interface under exactOptionalPropertyTypes.
  const carrier = transport as Transport
  const tell = carrier.setProtocolVersion?.bind(carrier)
  carrier.setProtocolVersion = (negotiated) => {
    version = negotiated
    tell?.(negotiated)
  }
  await client.connect(carrier)
  return {
    get version() {
      return version
    },
    heard,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    setLogLevel: async (level) => void (await client.setLoggingLevel(level)),
    close: () => client.close(),
  }
}

async function connectSecond(url: string, mode: 'legacy' | 'auto' | { pin: string }): Promise<Agent> {
  const client = new ModernClient(
    { name: 'sdk', version: '2' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode } },
  )
  const heard: string[] = []
  client.setRequestHandler('sampling/createMessage', () => ANSWERS.sampling)
  client.setRequestHandler('elicitation/create', () => ANSWERS.elicitation)
  client.setRequestHandler('roots/list', () => ANSWERS.roots)
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void heard.push(method))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(String(params.data)))
  await client.connect(new ModernHttp(new URL(`${url}/mcp`)))
  const isModern = client.getProtocolEra() === 'modern'
  let meta: JsonObject | undefined
  return {
    version: client.getNegotiatedProtocolVersion(),
    heard,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }, options),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    follow: async (uri) => {
      if (isModern) await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
    },
    setLogLevel: async (level) => {
      if (isModern) meta = { 'io.modelcontextprotocol/logLevel': level }
      else await client.setLoggingLevel(level)
    },
    close: () => client.close(),
  }
}
