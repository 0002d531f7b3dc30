/** The servers run in this process, for as long as the command does. The only file that knows the pool. */
import {
  ConfigurationWatch,
  compareConfigurations,
  createProfiles,
  findTool,
  isEmptyChange,
  listProfileCosts,
  listUnknownServers,
  type ProfileCost,
  type ToolFinder,
  throwOnHiddenTool,
  throwOnVanishedFile,
  wakeServer,
} from '@switchboard/daemon'
import { loadPoolConfig, McpPool, type PoolEvent, type SwitchboardConfig } from '@switchboard/pool'
import type { CallToolResult, ClientCapabilities, Disposable, JsonObject } from '@switchboard/protocol'
import { createAuditTrail, createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import type { CommandContext } from '../context/command-context.ts'
import { VERSION } from '../version.ts'
import { auditCall } from './audit-calls.ts'
import type { Backend, BackendCallOptions, BackendEvent, BackendServer, BackendTool } from './backend.ts'
import { OwnTools } from './own-tools.ts'
import type { BackendOptions } from './run-with-backend.ts'
import { throwOnUnknownServer } from './unknown-server.ts'

/** A terminal can be asked and has a working directory; it has no model. */
const OFFERED_CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} }, roots: {} }
/** A server that asks for a model all the same is told why not by the one who is asked. */
const CALLER_CAPABILITIES: ClientCapabilities = { ...OFFERED_CAPABILITIES, sampling: {} }
const CLIENT_INFO = { name: 'switchboard-cli', version: VERSION }

/** Rejects with `invalid_configuration`, or `unknown_server` for an `only` that is not configured. */
export async function openInProcessBackend(context: CommandContext, options: BackendOptions = {}): Promise<Backend> {
  const { home, io } = context
  const load = async (): Promise<SwitchboardConfig> => {
    const optional = !home.isConfigExplicit
    const config = await loadPoolConfig({ file: home.configFile, env: io.env, optional })
    return options.only === undefined ? config : limitTo(config, options.only)
  }
  return new InProcessBackend(context, await load(), options.watch === true ? load : undefined)
}

function limitTo(config: SwitchboardConfig, only: string): SwitchboardConfig {
  throwOnUnknownServer(
    only,
    config.servers.map(({ name }) => name),
  )
  const servers = config.servers.map((server) =>
    server.name === only ? server : { ...server, start: 'lazy' as const },
  )
  return { ...config, servers }
}

class InProcessBackend implements Backend {
  /** Who runs the servers is ourselves. */
  readonly lost = new Promise<never>(() => undefined)
  readonly #context: CommandContext
  readonly #pool: McpPool
  readonly #own: OwnTools
  readonly #listeners = new Set<(event: BackendEvent) => void>()
  readonly #serverLogs = new Map<string, Logger>()
  readonly #trail: ReturnType<typeof createAuditTrail>
  readonly #watch: ConfigurationWatch | undefined
  readonly #abandon = new AbortController()
  #config: SwitchboardConfig
  #closing: Promise<void> | undefined

  constructor(
    context: CommandContext,
    config: SwitchboardConfig,
    reload: (() => Promise<SwitchboardConfig>) | undefined,
  ) {
    const { home, inst, log, io } = context
    this.#context = context
    this.#config = config
    this.#trail = createAuditTrail({ directory: home.traces, inst })
    this.#pool = new McpPool(config, {
      log,
      openServerLog: (server) => this.#openServerLog(server),
      cacheDirectory: home.cache,
      clientInfo: CLIENT_INFO,
      capabilities: OFFERED_CAPABILITIES,
      env: io.env,
    })
    this.#pool.onDidChange((event) => this.#onPoolEvent(event))
    this.#own = new OwnTools({ context, config, servers: () => this.#pool.status(), trail: this.#trail })
    this.#watch = reload === undefined ? undefined : this.#watchConfiguration(home.configFile, reload)
  }

  start({ lazy = false }: { lazy?: boolean } = {}): void {
    this.#pool.start()
    if (!lazy) return
    for (const { name } of listUnknownServers(this.#finder())) {
      void wakeServer(this.#pool, name, this.#abandon.signal).catch(() => undefined)
    }
  }

  async tools(): Promise<readonly BackendTool[]> {
    return [...this.#pool.tools(), ...this.#own.list()]
  }

  findTool(name: string, signal: AbortSignal): Promise<BackendTool> {
    return findTool(this.#finder(), name, signal)
  }

  async call(tool: string, args: JsonObject, options: BackendCallOptions): Promise<CallToolResult> {
    const { signal, timeout, profile, onProgress, onLog, ask } = options
    if (profile !== undefined) {
      const providers = [...this.#pool.providers(), this.#own.provider]
      throwOnHiddenTool({ profiles: this.#config.profiles, providers }, profile, tool)
    }
    const caller = { clientInfo: CLIENT_INFO, capabilities: CALLER_CAPABILITIES }
    if (this.#own.has(tool)) return this.#own.call(tool, args, caller, options)
    return this.#pool.call(tool, args, {
      signal,
      ...(timeout === undefined ? {} : { timeout }),
      onProgress,
      ...(onLog === undefined ? {} : { onLog, logLevel: 'debug' }),
      ask,
      caller,
    })
  }

  async status(): Promise<readonly BackendServer[]> {
    return this.#pool.status()
  }

  async daemon(): Promise<undefined> {
    return undefined
  }

  async profiles(): Promise<readonly ProfileCost[]> {
    return listProfileCosts(createProfiles(this.#config.profiles), this.#pool.providers())
  }

  async restart(server: string): Promise<void> {
    this.#pool.restartServer(server)
  }

  onDidChange(listener: (event: BackendEvent) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  close({ force = false }: { force?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#close()
    if (force) void this.#pool.close({ force: true })
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#abandon.abort()
    await this.#watch?.close()
    this.#own.close()
    await this.#pool.close()
    await Promise.all([...this.#serverLogs.values(), this.#trail].map((writer) => writer.close()))
  }

  #finder(): ToolFinder {
    const elsewhere = 'The tools of packs, such as debug_start, are with the daemon: switchboard up.'
    return { pool: this.#pool, servers: this.#config.servers, own: this.#own.list(), elsewhere }
  }

  #openServerLog(server: string): Logger {
    const known = this.#serverLogs.get(server)
    if (known !== undefined) return known
    const { home, inst, io } = this.#context
    const file = logFileName({ runtime: 'server', name: server, inst })
    const log = createFileLogger({ directory: home.logs, file, inst, level: readLogLevel(io.env) })
    this.#serverLogs.set(server, log)
    return log
  }

  #onPoolEvent(event: PoolEvent): void {
    if (event.type === 'tool_called') auditCall(this.#trail, event)
    else if (event.type === 'state_changed') {
      // The tries of a start are changes within one state.
      if (event.state !== event.previous) this.#announce(event)
    } else if (event.type === 'catalog_changed') this.#announce({ type: event.type, server: event.server })
  }

  #announce(event: BackendEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  #watchConfiguration(file: string, reload: () => Promise<SwitchboardConfig>): ConfigurationWatch {
    const load = async (): Promise<SwitchboardConfig> => {
      await throwOnVanishedFile(file, this.#config)
      return reload()
    }
    return new ConfigurationWatch({
      file,
      load,
      apply: async (config) => {
        const change = compareConfigurations(this.#config, config)
        await this.#pool.reconfigure(config)
        await this.#own.reconfigure(config)
        this.#config = config
        this.#announce(
          isEmptyChange(change) ? { type: 'configuration_unchanged' } : { type: 'configuration_applied', change },
        )
      },
      refuse: (error) => this.#announce({ type: 'configuration_refused', error }),
    })
  }
}
