/**
 * The servers run in the daemon; this is its socket in the shape of a backend. It asks, shows and calls, and stops nothing
 * of the daemon's. A daemon that goes away in the middle fails whatever waits for it, at once.
 */
import { connectIpc, type DaemonStatus, type IpcClient } from '@switchboard/daemon/client'
import {
  type AttachParams,
  type CallToolResult,
  type ClientCapabilities,
  type Disposable,
  fromToolErrorResult,
  IPC_VERSION,
  type IpcMethod,
  type JsonObject,
  SwitchboardError,
} from '@switchboard/protocol'
import type { CommandContext } from '../context/command-context.ts'
import { VERSION } from '../version.ts'
import type { Backend, BackendCallOptions, BackendEvent, BackendServer, BackendTool } from './backend.ts'
import type { DaemonReport } from './daemon-report.ts'
import { McpLine, type McpLineOptions } from './mcp-line.ts'
import { readDaemonEvent } from './read-daemon-event.ts'

/** A terminal can be asked and has a working directory. It has no model, and says so itself when a server asks for one. */
const CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} }
const CLIENT_INFO = { name: 'switchboard-cli', version: VERSION }
/** Everything but a search for a tool, which may start servers, is answered from memory. */
const ANSWER_MS = 10_000
/** A server that is started only to look for a tool may take as long as its own time-outs allow. */
const FIND_MS = 10 * 60_000

export interface DaemonBackendOptions {
  readonly client: IpcClient
  readonly endpoint: string
  readonly pid: number
}

export class DaemonBackend implements Backend {
  readonly lost: Promise<SwitchboardError>
  readonly #context: CommandContext
  readonly #options: DaemonBackendOptions
  readonly #listeners = new Set<(event: BackendEvent) => void>()
  readonly #lines = new Set<McpLine>()
  #subscription: Disposable | undefined
  /** Of what changes only with an event; kept while events are heard. */
  #tools: Promise<readonly BackendTool[]> | undefined
  #isClosed = false

  /** The connection is this backend's from here on. */
  constructor(context: CommandContext, options: DaemonBackendOptions) {
    this.#context = context
    this.#options = options
    this.lost = new Promise((resolve) => {
      void options.client.closed.then(() => {
        if (!this.#isClosed) resolve(createGoneError(options.pid))
      })
    })
  }

  /** They run already, but for those that wait for their first use. */
  start({ lazy = false }: { lazy?: boolean } = {}): void {
    // A daemon that is gone is told by `lost`.
    if (lazy) this.#ask('tools', { wake: true }).catch(() => undefined)
  }

  tools(): Promise<readonly BackendTool[]> {
    if (this.#tools !== undefined) return this.#tools
    const asked = this.#ask<{ tools: readonly BackendTool[] }>('tools').then(({ tools }) => tools)
    if (this.#subscription !== undefined) {
      this.#tools = asked
      asked.catch(() => this.#forgetTools())
    }
    return asked
  }

  async findTool(name: string, signal: AbortSignal): Promise<BackendTool> {
    const { client } = this.#options
    return (await client.request<{ tool: BackendTool }>('find_tool', { name }, { signal, timeout: FIND_MS })).tool
  }

  async call(tool: string, args: JsonObject, options: BackendCallOptions): Promise<CallToolResult> {
    const { signal, timeout, onProgress, onLog, ask } = options
    const line = await this.#openLine(options, {
      clientInfo: CLIENT_INFO,
      capabilities: CAPABILITIES,
      ask,
      ...(onLog === undefined ? {} : { onLog }),
    })
    const budget = timeout === undefined ? {} : { timeout }
    const result = await line.request('tools/call', { name: tool, arguments: args }, { signal, onProgress, ...budget })
    // A failure that Switchboard itself told as a result is a failure again here, with its code.
    const failure = fromToolErrorResult(result)
    if (failure !== undefined) throw failure
    // A result of tools/call; what is in it is the server's.
    return result as CallToolResult
  }

  async status(): Promise<readonly BackendServer[]> {
    return (await this.#askStatus()).servers
  }

  async daemon(): Promise<DaemonReport> {
    const { servers: _servers, ...report } = await this.#askStatus()
    return report
  }

  async profiles(): Promise<DaemonStatus['profiles']> {
    return (await this.#askStatus()).profiles
  }

  async restart(server: string): Promise<void> {
    await this.#ask('restart_server', { server })
  }

  onDidChange(listener: (event: BackendEvent) => void): Disposable {
    this.#listeners.add(listener)
    this.#subscribe()
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#subscription?.dispose()
    await Promise.all([...this.#lines].map((line) => line.close()))
    this.#options.client.close()
  }

  #subscribe(): void {
    if (this.#subscription !== undefined) return
    const { client } = this.#options
    this.#subscription = client.onEvent((params) => {
      const event = readDaemonEvent(params)
      if (event === undefined) return
      this.#forgetTools()
      for (const listener of [...this.#listeners]) listener(event)
    })
    // A daemon that is gone is told by `lost`.
    this.#ask('subscribe').catch(() => undefined)
  }

  #forgetTools(): void {
    this.#tools = undefined
  }

  #askStatus(): Promise<DaemonStatus> {
    return this.#ask<DaemonStatus>('status')
  }

  #ask<T extends object>(method: IpcMethod, params: JsonObject = {}): Promise<T> {
    return this.#options.client.request<T>(method, params, { timeout: ANSWER_MS, inst: this.#context.inst })
  }

  async #openLine(call: BackendCallOptions, options: McpLineOptions): Promise<McpLine> {
    const { signal } = call
    const client = await connectIpc(this.#options.endpoint, { signal })
    try {
      const { stream } = await client.attach(this.#createAttach(call), { signal, timeout: ANSWER_MS })
      const line = await McpLine.open(stream, options, signal)
      this.#lines.add(line)
      return line
    } catch (error) {
      client.close()
      throw error
    }
  }

  #createAttach({ timeout, profile }: BackendCallOptions): AttachParams {
    const { inst, io } = this.#context
    return {
      protocol: IPC_VERSION,
      role: 'command',
      instance: inst,
      ...(profile === undefined ? {} : { profile }),
      workspace: io.cwd,
      ...(timeout === undefined ? {} : { timeout }),
      pid: process.pid,
      version: VERSION,
    }
  }
}

function createGoneError(pid: number): SwitchboardError {
  return new SwitchboardError('daemon_unavailable', `The daemon (pid ${pid}) is gone.`, {
    hint: 'switchboard logs --source daemon shows its last words; switchboard up starts it again.',
  })
}
