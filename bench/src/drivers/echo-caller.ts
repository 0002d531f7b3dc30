/** The ways to reach the echo server that are compared. */
import { join } from 'node:path'
import { McpPool, type ServerInput } from '@switchboard/pool'
import { LATEST_MODERN_VERSION } from '@switchboard/protocol'
import type { ClientCapabilities } from '@switchboard/protocol/mcp'
import { createModernHeaders, createRequestEnvelope } from '@switchboard/protocol/modern'
import { createFileLogger, logFileName } from '@switchboard/telemetry'
import { BareClient, type EchoResult } from './bare-client.ts'
import type { DriverSetup, ServerCommand } from './driver-protocol.ts'
import { connectRaw, connectSdkRemote } from './gateway-callers.ts'

export interface EchoCaller {
  echo(text: string): Promise<string>
  close(): Promise<void>
}

/** The package that one of the columns needs is not installed. */
export class MissingPackageError extends Error {}

export async function connect(setup: DriverSetup): Promise<EchoCaller> {
  switch (setup.kind) {
    case 'bare':
      return connectBare(setup.server, setup.era)
    case 'sdk':
      return connectSdk(setup.server)
    case 'pool': {
      const { server, concurrency, folder } = setup
      return connectPool({ ...server, ...(concurrency === undefined ? {} : { concurrency }) }, folder)
    }
    case 'http-bare':
      return connectHttp(setup.url, setup.era)
    case 'http-pool':
      return connectPool({ url: setup.url }, setup.folder)
    case 'gateway-raw':
      return connectRaw(setup.url, setup.era)
    case 'busy':
      return createBusy()
    case 'gateway-sdk':
      return connectSdkRemote(setup.url, setup.transport)
  }
}

/** Each "call" is half a millisecond of work, after which the process may hear that it is over. */
function createBusy(): EchoCaller {
  const echo = async (text: string): Promise<string> => {
    const end = performance.now() + 0.5
    while (performance.now() < end);
    await new Promise((resolve) => setImmediate(resolve))
    return text
  }
  return { echo, close: async () => {} }
}

async function connectBare(server: ServerCommand, era?: 'modern'): Promise<EchoCaller> {
  const client = new BareClient(server, era)
  await client.shakeHands()
  return client
}

/** With what a daemon has: a log file, a folder to remember in, every default. */
export function createPool(
  servers: Record<string, ServerInput>,
  folder: string,
): { pool: McpPool; close(): Promise<void> } {
  const log = createFileLogger({
    directory: folder,
    file: logFileName({ runtime: 'daemon' }),
    inst: 'daemon',
    level: 'info',
  })
  const pool = new McpPool({ mcpServers: servers }, { log, cacheDirectory: join(folder, 'cache') })
  const close = async (): Promise<void> => {
    await pool.close()
    await log.close()
  }
  return { pool, close }
}

async function connectPool(server: ServerInput, folder: string): Promise<EchoCaller> {
  const { pool, close } = createPool({ bench: server }, folder)
  pool.start()
  await pool.ready()
  const echo = async (text: string): Promise<string> => {
    const [block] = (await pool.call('bench_echo', { text })).content
    return block?.type === 'text' ? String(block.text) : ''
  }
  return { echo, close }
}

async function connectSdk({ command, args }: ServerCommand): Promise<EchoCaller> {
  const { Client, StdioClientTransport } = await loadSdk()
  const client = new Client({ name: 'sdk', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
  await client.listTools()
  const echo = async (text: string): Promise<string> => {
    const result = await client.callTool({ name: 'echo', arguments: { text } })
    // The SDK leaves the content's type open; our own server sends exactly this.
    return (result as unknown as EchoResult).content[0]?.text ?? ''
  }
  return { echo, close: () => client.close() }
}

async function loadSdk() {
  try {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    return { Client, StdioClientTransport }
  } catch (cause) {
    throw new MissingPackageError('@modelcontextprotocol/sdk is not installed', { cause })
  }
}

/** As bare over HTTP as over stdio: what is sent is made as the pool makes it, so that the server reads the same bytes. */
async function connectHttp(url: string, era: 'legacy' | 'modern'): Promise<EchoCaller> {
  const { Pool } = await import('undici')
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { pipelining: 1 })
  const capabilities: ClientCapabilities = {}
  const clientInfo = { name: 'bare', version: '1.0.0' }
  const _meta = createRequestEnvelope({ version: LATEST_MODERN_VERSION, capabilities, clientInfo })
  const modern = createModernHeaders({ method: 'tools/call', params: { name: 'echo' }, version: LATEST_MODERN_VERSION })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'modern' ? modern : {}),
  }
  let nextId = 1
  const echo = async (text: string): Promise<string> => {
    const params = { name: 'echo', arguments: { text }, ...(era === 'modern' ? { _meta } : {}) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method: 'tools/call', params })
    const response = await pool.request({ method: 'POST', path, headers, body })
    const answer = (await response.body.json()) as { result: EchoResult }
    return answer.result.content[0]?.text ?? ''
  }
  return { echo, close: () => pool.close() }
}
