/** Clients of a gateway, or of a server in its place: they find the tool by its list, since gateways rename. */
import { setTimeout as delay } from 'node:timers/promises'
import type { EchoResult } from './bare-client.ts'
import type { EchoCaller } from './echo-caller.ts'
import { type Era, RawHttpClient } from './raw-http-client.ts'

interface ToolList {
  readonly tools: readonly { readonly name: string }[]
}

const LISTED_WITHIN_MS = 30_000

export async function connectRaw(url: string, era: Era): Promise<EchoCaller> {
  const client = new RawHttpClient(url, { era })
  await client.initialize()
  const name = await findEcho(async () => (await client.request('tools/list', {})) as ToolList)
  const echo = async (text: string): Promise<string> => {
    const result = (await client.request('tools/call', { name, arguments: { text } })) as EchoResult
    return result.content[0]?.text ?? ''
  }
  return { echo, close: async () => client.close() }
}

export async function connectSdkRemote(url: string, transport: 'http' | 'sse'): Promise<EchoCaller> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'sdk', version: '1.0.0' })
  await client.connect(await createTransport(new URL(url), transport))
  const name = await findEcho(() => client.listTools())
  const echo = async (text: string): Promise<string> => {
    const result = await client.callTool({ name, arguments: { text } })
    // The SDK leaves the content's type open; our own server sends exactly this.
    return (result as unknown as EchoResult).content[0]?.text ?? ''
  }
  return { echo, close: () => client.close() }
}

async function createTransport(url: URL, transport: 'http' | 'sse') {
  if (transport === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    return new SSEClientTransport(url)
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  // Its own types disagree about optional members, which it compiles without exactOptionalPropertyTypes.
  return new StreamableHTTPClientTransport(url) as unknown as InstanceType<
    typeof import('@modelcontextprotocol/sdk/client/sse.js').SSEClientTransport
  >
}

/** Some gateways answer before their servers do. */
async function findEcho(list: () => Promise<ToolList>): Promise<string> {
  const end = performance.now() + LISTED_WITHIN_MS
  while (performance.now() < end) {
    const { tools } = await list()
    const found = tools.find(({ name }) => name.endsWith('echo'))
    if (found !== undefined) return found.name
    await delay(20)
  }
  throw new Error(`No echo tool was listed within ${LISTED_WITHIN_MS / 1000} s.`)
}
