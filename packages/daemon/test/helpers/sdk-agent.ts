/** The public SDKs' own clients, both generations behind one interface: what an agent does, whoever wrote it. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  SSEClientTransport as SseV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport as WebSocketV1 } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@switchboard/protocol'

/** The first generation; the second as it is by default, as it negotiates, and bound to the modern era. */
export type SdkClient = 'v1' | 'v2 legacy' | 'v2 auto' | 'v2 pinned'
export type SdkTransport = 'stdio' | 'http' | 'sse' | 'websocket'

export interface SdkTarget {
  readonly transport: SdkTransport
  /** For all but stdio. */
  readonly url: string
  readonly command: { command: string; args: string[]; env: Record<string, string> }
}

export interface CallOptions {
  readonly onprogress?: (progress: { progress: number }) => void
  readonly signal?: AbortSignal
}

export interface SdkAgent {
  /** What it was asked, as far as words go: the message of an elicitation, the text of a sampling request, or `roots`. */
  readonly questions: string[]
  readonly protocolVersion: string | undefined
  toolNames(): Promise<string[]>
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<JsonObject>
  readText(uri: string): Promise<unknown>
  promptText(name: string, args: Record<string, string>): Promise<unknown>
  complete(prompt: string, argument: string, value: string): Promise<string[]>
  close(): Promise<void>
}

const CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: {} }

/** `name` is in everything it answers, so that a mix-up shows. */
export async function connectSdkAgent(client: SdkClient, name: string, target: SdkTarget): Promise<SdkAgent> {
  return client === 'v1' ? connectV1(name, target) : connectV2(client, name, target)
}

function createAnswers(name: string) {
  const questions: string[] = []
  return {
    questions,
    elicit(params: { message: string }) {
      questions.push(params.message)
      return { action: 'accept' as const, content: { answer: `${name} elicited` } }
    },
    sample(params: { messages: readonly { content: unknown }[] }) {
      // The fixture asks with one message of one text.
      questions.push(params.messages.map(({ content }) => String((content as { text?: string }).text)).join())
      const content = { type: 'text' as const, text: `${name} sampled` }
      return { model: 'none', role: 'assistant' as const, content }
    },
    roots() {
      questions.push('roots')
      return { roots: [{ uri: `file:///${name}` }] }
    },
  }
}

async function connectV1(name: string, { transport, url, command }: SdkTarget): Promise<SdkAgent> {
  const client = new ClientV1({ name, version: '1' }, { capabilities: CAPABILITIES })
  const answers = createAnswers(name)
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    answers.elicit({ message: 'message' in params ? params.message : '' }),
  )
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => answers.sample(params))
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots())
  const http = transport === 'http' ? new HttpV1(new URL(url)) : undefined
  const other =
    transport === 'stdio'
      ? new StdioV1({ ...command, stderr: 'ignore' })
      : transport === 'sse'
        ? new SseV1(new URL(url))
        : new WebSocketV1(new URL(url))
  // The SDK's own transports do not satisfy its interface under exactOptionalPropertyTypes.
  await client.connect((http ?? other) as TransportV1)
  return {
    questions: answers.questions,
    protocolVersion: http?.protocolVersion,
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, args = {}, options = {}) => client.callTool({ name: tool, arguments: args }, undefined, options),
    readText: async (uri) => (await client.readResource({ uri })).contents[0],
    promptText: async (prompt, args) =>
      (await client.getPrompt({ name: prompt, arguments: args })).messages[0]?.content,
    async complete(prompt, argument, value) {
      const params = { ref: { type: 'ref/prompt' as const, name: prompt }, argument: { name: argument, value } }
      return (await client.complete(params)).completion.values
    },
    async close() {
      await http?.terminateSession()
      await client.close()
    },
  }
}

async function connectV2(
  kind: Exclude<SdkClient, 'v1'>,
  name: string,
  { transport, url, command }: SdkTarget,
): Promise<SdkAgent> {
  const mode = kind === 'v2 pinned' ? { pin: '2026-07-28' } : kind === 'v2 auto' ? 'auto' : 'legacy'
  const client = new ClientV2({ name, version: '2' }, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  const answers = createAnswers(name)
  client.setRequestHandler('elicitation/create', ({ params }) => answers.elicit(params))
  client.setRequestHandler('sampling/createMessage', ({ params }) =>
    answers.sample({ messages: params.messages.map(({ content }) => ({ content })) }),
  )
  client.setRequestHandler('roots/list', () => answers.roots())
  const http = transport === 'http' ? new HttpV2(new URL(url)) : undefined
  const other = transport === 'stdio' ? new StdioV2({ ...command, stderr: 'ignore' }) : new SseV2(new URL(url))
  await client.connect(http ?? other)
  return {
    questions: answers.questions,
    protocolVersion: client.getNegotiatedProtocolVersion(),
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, args = {}, options = {}) => ({
      ...(await client.callTool({ name: tool, arguments: args }, options)),
    }),
    readText: async (uri) => (await client.readResource({ uri })).contents[0],
    promptText: async (prompt, args) =>
      (await client.getPrompt({ name: prompt, arguments: args })).messages[0]?.content,
    async complete(prompt, argument, value) {
      const params = { ref: { type: 'ref/prompt' as const, name: prompt }, argument: { name: argument, value } }
      return (await client.complete(params)).completion.values
    },
    async close() {
      if (client.getProtocolEra() === 'legacy') await http?.terminateSession()
      await client.close()
    },
  }
}
