/** Agents of both eras, each the public SDK's client of its era over HTTP, behind one face: a test is written once. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

export type Era = 'legacy' | 'modern'

type Json = Record<string, unknown>

export interface CallSettings {
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void
  readonly signal?: AbortSignal
  /** The least severe log messages that the call wants to hear; legacy agents set it for their session. */
  readonly logLevel?: LogLevel
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

export interface SdkAgent {
  readonly era: Era
  /** Methods and parameters of what it was asked. */
  readonly asked: { readonly method: string; readonly params: Json }[]
  /** Log messages, in order. */
  readonly logs: unknown[]
  /** Names of lists and URIs of resources that were said to have changed. */
  readonly changes: string[]
  version(): string | undefined
  serverCapabilities(): Json
  instructions(): string | undefined
  listTools(): Promise<string[]>
  listResources(): Promise<string[]>
  listTemplates(): Promise<string[]>
  listPrompts(): Promise<string[]>
  callTool(name: string, args?: Json, settings?: CallSettings): Promise<Json>
  readResource(uri: string): Promise<Json>
  getPrompt(name: string, args: Record<string, string>): Promise<Json>
  complete(ref: CompletionRef, argument: { name: string; value: string }): Promise<string[]>
  /** From here on it hears of changes of the lists and of this resource. */
  follow(uri: string): Promise<void>
  unfollow(): Promise<void>
  close(): Promise<void>
}

export type CompletionRef = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }

export const SAMPLED = {
  role: 'assistant' as const,
  model: 'test-model',
  content: { type: 'text' as const, text: 'Forty-two' },
}
export const ELICITED = { action: 'accept' as const, content: { answer: 'yes' } }
export const ROOTS = { roots: [{ uri: 'file:///project', name: 'project' }] }

export interface AgentOptions {
  /** What it says it can be asked. Default: everything. */
  readonly capabilities?: Partial<typeof CAPABILITIES>
}

export function connectAgent(era: Era, url: string, options: AgentOptions = {}): Promise<SdkAgent> {
  return era === 'legacy' ? connectLegacy(url, options) : connectModern(url, options)
}

async function connectLegacy(url: string, { capabilities = CAPABILITIES }: AgentOptions): Promise<SdkAgent> {
  const client = new LegacyClient({ name: 'legacy-agent', version: '1' }, { capabilities })
  const asked: SdkAgent['asked'] = []
  const logs: unknown[] = []
  const changes: string[] = []
  const note = ({ method, params }: { method: string; params?: unknown }) =>
    void asked.push({ method, params: { ...(params as Json | undefined) } })
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, (request) => {
      note(request)
      return SAMPLED
    })
  }
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      note(request)
      return request.params.mode === 'url' ? { action: 'accept' } : ELICITED
    })
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, (request) => {
      note(request)
      return ROOTS
    })
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params.data))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes.push('tools'))
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void changes.push('prompts'))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changes.push(params.uri))
  const transport = new LegacyTransport(new URL(url))
  // The class implements the interface; its optional members are only written differently.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  let followed = ''
  return {
    era: 'legacy',
    asked,
    logs,
    changes,
    version: () => transport.protocolVersion,
    serverCapabilities: () => ({ ...client.getServerCapabilities() }),
    instructions: () => client.getInstructions(),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    callTool: async (name, args = {}, { logLevel, ...settings } = {}) => {
      if (logLevel !== undefined) await client.setLoggingLevel(logLevel)
      return client.callTool({ name, arguments: args }, undefined, settings)
    },
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    follow: async (uri) => {
      followed = uri
      await client.subscribeResource({ uri })
    },
    unfollow: async () => void (await client.unsubscribeResource({ uri: followed })),
    close: async () => {
      await transport.terminateSession()
      await client.close()
    },
  }
}

async function connectModern(url: string, { capabilities = CAPABILITIES }: AgentOptions): Promise<SdkAgent> {
  const client = new ModernClient(
    { name: 'modern-agent', version: '2' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const asked: SdkAgent['asked'] = []
  const logs: unknown[] = []
  const changes: string[] = []
  const note = ({ method, params }: { method: string; params?: unknown }) =>
    void asked.push({ method, params: { ...(params as Json | undefined) } })
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', (request) => {
      note(request)
      return SAMPLED
    })
  }
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => {
      note(request)
      return request.params.mode === 'url' ? { action: 'accept' } : ELICITED
    })
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler('roots/list', (request) => {
      note(request)
      return ROOTS
    })
  }
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data))
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes.push('tools'))
  client.setNotificationHandler('notifications/prompts/list_changed', () => void changes.push('prompts'))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changes.push(params.uri))
  await client.connect(new ModernTransport(new URL(url)))
  let subscription: Awaited<ReturnType<typeof client.listen>> | undefined
  return {
    era: 'modern',
    asked,
    logs,
    changes,
    version: () => client.getNegotiatedProtocolVersion(),
    serverCapabilities: () => ({ ...client.getServerCapabilities() }),
    instructions: () => client.getInstructions(),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    callTool: (name, args = {}, { logLevel, ...settings } = {}) => {
      const meta = logLevel === undefined ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': logLevel } }
      return client.callTool({ name, arguments: args, ...meta }, settings)
    },
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    follow: async (uri) => {
      const filter = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [uri] }
      subscription = await client.listen(filter)
    },
    unfollow: async () => subscription?.close(),
    close: () => client.close(),
  }
}
