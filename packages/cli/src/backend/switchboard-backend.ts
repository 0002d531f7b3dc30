/**
 * A Switchboard in the shape of a backend: it asks, shows and calls, the same way wherever the Switchboard runs. One that goes
 * away in the middle fails whatever waits for it, at once.
 */
import { type Disposable, Listeners } from '@switchboard/base'
import {
  type ConfigurationVerdict,
  type ControlMethod,
  type DaemonStatus,
  McpLine,
  type McpLineOptions,
  type SwitchboardStatus,
} from '@switchboard/daemon/client'
import type { LoginOutcome } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import { fromToolErrorResult, type SwitchboardError } from '@switchboard/protocol/errors'
import { type AttachParams, COMMAND_CLIENT, IPC_VERSION } from '@switchboard/protocol/ipc'
import type { CallToolResult, ClientCapabilities } from '@switchboard/protocol/mcp'
import type { CommandContext } from '../context/command-context.ts'
import { readWindowEnvironment } from '../context/window-environment.ts'
import { throwOnInterruption } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'
import type {
  Backend,
  BackendCallOptions,
  BackendCommandOptions,
  BackendEvent,
  BackendServer,
  BackendTool,
  LoginKept,
  LoginPage,
} from './backend.ts'
import type { DaemonReport } from './daemon-report.ts'
import { readDaemonEvent } from './read-daemon-event.ts'
import type { SwitchboardLink } from './switchboard-link.ts'

/** A terminal can be asked and has a working directory. It has no model, and says so itself when a server asks for one. */
const CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} }
const CLIENT_INFO = { name: COMMAND_CLIENT, version: VERSION }
/** Everything but a search for a tool, which may start servers, is answered from memory. */
const ANSWER_MS = 10_000
/** Servers that are replaced are stopped first, which takes as long as their graces allow. */
const APPLY_MS = 30_000
/** A server that is started only to look for a tool may take as long as its own time-outs allow. */
const FIND_MS = 10 * 60_000

/** Whoever has enough of it presses Ctrl-C. */
const COMMAND_MS = 24 * 60 * 60_000

export class SwitchboardBackend implements Backend {
  readonly #context: CommandContext
  readonly #link: SwitchboardLink
  readonly #listeners = new Listeners<[event: BackendEvent]>()
  readonly #lines = new Set<McpLine>()
  #subscription: Disposable | undefined
  /** Of what changes only with an event; kept while events are heard. */
  #tools: Promise<readonly BackendTool[]> | undefined

  /** The link is this backend's from here on. */
  constructor(context: CommandContext, link: SwitchboardLink) {
    this.#context = context
    this.#link = link
  }

  get lost(): Promise<SwitchboardError> {
    return this.#link.lost
  }

  start({ wake }: Parameters<Backend['start']>[0] = {}): void {
    this.#link.start()
    if (wake === undefined) return
    const { only } = wake
    // One that is gone is told by `lost`.
    this.#ask('tools', { wake: true, ...(only === undefined ? {} : { server: only }) }).catch(() => undefined)
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

  async findTool(name: string, { signal, server }: { signal: AbortSignal; server?: string }): Promise<BackendTool> {
    const options = { signal, timeout: FIND_MS }
    const wanted = server === undefined ? { name } : { name, server }
    return (await this.#link.request<{ tool: BackendTool }>('find_tool', wanted, options)).tool
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

  async daemon(): Promise<DaemonReport | undefined> {
    const status = await this.#askStatus()
    if (!('daemon' in status)) return undefined
    const { servers: _servers, ...report } = status
    return report
  }

  async store(): Promise<Pick<SwitchboardStatus, 'store' | 'packs'>> {
    const { store, packs } = await this.#askStatus()
    return { ...(store === undefined ? {} : { store }), ...(packs === undefined ? {} : { packs }) }
  }

  async profiles(): Promise<SwitchboardStatus['profiles']> {
    return (await this.#askStatus()).profiles
  }

  async restart(server: string): Promise<void> {
    await this.#ask('restart_server', { server })
  }

  login(server: string, onPage: (page: LoginPage) => void): Promise<LoginKept> {
    const { signal } = this.#context.io
    const onProgress = ({ url, issuer }: JsonObject): void => onPage({ url: String(url), issuer: String(issuer) })
    return this.#link.request('login', { server }, { signal, timeout: COMMAND_MS, onProgress })
  }

  logOut(server: string): Promise<LoginOutcome> {
    return this.#link.request('logout', { server }, { signal: this.#context.io.signal, timeout: APPLY_MS })
  }

  applyConfiguration(): Promise<ConfigurationVerdict> {
    return this.#link.request('apply_configuration', {}, { timeout: APPLY_MS })
  }

  async runCommand(
    of: string,
    command: string,
    params: JsonObject,
    options: BackendCommandOptions = {},
  ): Promise<JsonObject> {
    const { cwd, signal } = this.#context.io
    const asked = { of, command, params, workspace: cwd }
    try {
      return await this.#link.request('run_command', asked, { signal, timeout: COMMAND_MS, ...options })
    } catch (error) {
      // What it failed with may be anything, and is no news to whoever interrupted it.
      throwOnInterruption({ signal })
      throw error
    }
  }

  onDidChange(listener: (event: BackendEvent) => void): Disposable {
    this.#subscribe()
    return this.#listeners.add(listener)
  }

  async close({ force = false }: { force?: boolean } = {}): Promise<void> {
    this.#subscription?.dispose()
    // Who is impatient does not wait for farewells.
    if (force) await this.#link.close({ force })
    await Promise.all([...this.#lines].map((line) => line.close()))
    await this.#link.close({ force })
  }

  #subscribe(): void {
    this.#subscription ??= this.#link.onEvent((params) => {
      const event = readDaemonEvent(params)
      if (event === undefined) return
      this.#forgetTools()
      this.#listeners.notify(event)
    })
  }

  #forgetTools(): void {
    this.#tools = undefined
  }

  #askStatus(): Promise<SwitchboardStatus | DaemonStatus> {
    return this.#ask('status')
  }

  #ask<T extends object>(method: ControlMethod, params: JsonObject = {}): Promise<T> {
    return this.#link.request<T>(method, params, { timeout: ANSWER_MS })
  }

  async #openLine(call: BackendCallOptions, options: McpLineOptions): Promise<McpLine> {
    const { signal } = call
    const stream = await this.#link.attach(this.#createAttach(call), { signal, timeout: ANSWER_MS })
    const line = await McpLine.open(stream, options, signal)
    this.#lines.add(line)
    return line
  }

  #createAttach({ timeout, profile }: BackendCallOptions): AttachParams {
    const { inst, io } = this.#context
    return {
      protocol: IPC_VERSION,
      role: 'command',
      instance: inst,
      ...(profile === undefined ? {} : { profile }),
      workspace: io.cwd,
      ...readWindowEnvironment(io.env),
      ...(timeout === undefined ? {} : { timeout }),
      pid: process.pid,
      version: VERSION,
    }
  }
}
