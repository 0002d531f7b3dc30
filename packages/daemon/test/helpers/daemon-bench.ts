/** Daemons for tests: in this process, or each in one of its own; all of it is gone when the test is over. */
import { sep } from 'node:path'
import { type Daemon, type DaemonOptions, startDaemon } from '@switchboard/daemon'
import { connectIpc, findEndpoint, type IpcClient } from '@switchboard/daemon/client'
import type { McpPoolInput } from '@switchboard/pool'
import {
  type AttachParams,
  createInstanceId,
  type HomePaths,
  homePaths,
  IPC_VERSION,
  isJsonObject,
  type JsonObject,
  LineReader,
} from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { waitFor } from '@switchboard/testkit'
import type { Program } from './program.ts'
import type { Workbench } from './workbench.ts'

export interface OpenDaemon {
  readonly daemon: Daemon
  readonly log: MemoryLogger
}

export const VERSION = '0.1.0-test'

export function pathsOf(bench: Workbench): HomePaths {
  return homePaths(bench.home.path, sep)
}

/** In this process, on any free port. */
export async function openDaemon(
  bench: Workbench,
  config: McpPoolInput = {},
  options: Partial<DaemonOptions> = {},
): Promise<OpenDaemon> {
  await bench.writeConfig(config)
  const log = createMemoryLogger()
  const daemon = await startDaemon({
    paths: pathsOf(bench),
    version: VERSION,
    env: { ...process.env, SWITCHBOARD_HTTP_PORT: '0' },
    openLog: () => log,
    ...options,
  })
  bench.defer(() => daemon.close({ force: true }))
  return { daemon, log }
}

/** `switchboard daemon` in a process of its own. */
export function spawnDaemon(bench: Workbench, env: Readonly<Record<string, string>> = {}): Program {
  return bench.program(['daemon', '--json'], { env: { SWITCHBOARD_HTTP_PORT: '0', ...env } })
}

/** Resolves when it says that it runs. */
export async function startedDaemon(program: Program): Promise<{ pid: number; epoch: number; endpoint: string }> {
  const failed = program.ended.then((code) => {
    throw new Error(`the daemon ended with ${code}: ${program.out()}${program.err()}`)
  })
  failed.catch(() => {})
  const line = waitFor(() => /^\{.*\}$/m.exec(program.out())?.[0], { timeout: 30_000, what: 'the daemon to start' })
  return JSON.parse(await Promise.race([line, failed]))
}

export async function connectTo(bench: Workbench): Promise<IpcClient> {
  const client = await connectIpc(findEndpoint(pathsOf(bench)))
  bench.defer(() => client.close())
  return client
}

export function attachParams(more: Partial<AttachParams> = {}): AttachParams {
  return {
    protocol: IPC_VERSION,
    role: 'front',
    instance: createInstanceId(),
    profile: 'default',
    pid: process.pid,
    version: VERSION,
    ...more,
  }
}

/** A legacy agent on an attached connection. */
export interface AttachedAgent {
  readonly instance: string
  /** Everything that came, in its order. */
  readonly messages: readonly JsonObject[]
  /** The response, be it a result or an error. */
  request(method: string, params?: JsonObject): Promise<JsonObject>
  call(tool: string, args?: JsonObject): Promise<JsonObject>
  send(message: JsonObject): void
  readonly ended: Promise<void>
  close(): void
}

export async function attachAgent(bench: Workbench, more: Partial<AttachParams> = {}): Promise<AttachedAgent> {
  const client = await connectTo(bench)
  const params = attachParams(more)
  const { stream } = await client.attach(params)
  const messages: JsonObject[] = []
  const waiting = new Map<unknown, (message: JsonObject) => void>()
  const reader = new LineReader(1 << 26, {
    onLine: (line) => {
      const message: unknown = JSON.parse(line.toString())
      if (!isJsonObject(message)) return
      messages.push(message)
      waiting.get(message.id)?.(message)
    },
    onOversized: () => {},
  })
  stream.on('data', (chunk: Buffer) => reader.push(chunk))
  stream.on('error', () => {})
  stream.resume()
  const ended = new Promise<void>((resolve) => stream.once('close', resolve))
  let nextId = 1
  const agent: AttachedAgent = {
    instance: params.instance,
    messages,
    ended,
    send: (message) => void stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    request(method, requestParams = {}) {
      const id = nextId++
      const answer = new Promise<JsonObject>((resolve, reject) => {
        waiting.set(id, resolve)
        void ended.then(() => reject(new Error(`${method}: the connection was closed before the answer`)))
      })
      agent.send({ id, method, params: requestParams })
      return answer
    },
    call: (name, args = {}) => agent.request('tools/call', { name, arguments: args }),
    close: () => void stream.destroy(),
  }
  await agent.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attached-agent', version: '1.2.3' },
  })
  agent.send({ method: 'notifications/initialized' })
  return agent
}

/** The code of one of our errors, in a response or a result. */
export function codeOf(message: JsonObject): unknown {
  const result = isJsonObject(message.result) ? message.result.structuredContent : undefined
  const envelope = isJsonObject(message.error) ? message.error.data : result
  return isJsonObject(envelope) && isJsonObject(envelope.error) ? envelope.error.code : undefined
}

export function textOf(message: JsonObject): unknown {
  const content = isJsonObject(message.result) ? message.result.content : undefined
  return Array.isArray(content) ? content[0]?.text : undefined
}
