/** The servers run in this process, for as long as the command does. The only file that knows the pool. */
import { stat } from 'node:fs/promises'
import { loadPoolConfig, McpPool, type PoolEvent, type ServerConfig, type SwitchboardConfig } from '@switchboard/pool'
import {
  type CallToolResult,
  type ClientCapabilities,
  type Disposable,
  type JsonObject,
  nearestName,
  SwitchboardError,
  sanitizeName,
} from '@switchboard/protocol'
import { createAuditTrail, createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import type { CommandContext } from '../context/command-context.ts'
import { listProfileCosts } from '../status/profile-costs.ts'
import { VERSION } from '../version.ts'
import { auditCall } from './audit-calls.ts'
import type {
  Backend,
  BackendCallOptions,
  BackendEvent,
  BackendServer,
  BackendTool,
  ConfigurationChange,
  ProfileCost,
} from './backend.ts'
import { ConfigurationWatch } from './configuration-watch.ts'

/** A terminal can be asked and has a working directory; it has no model. */
const OFFERED_CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} }, roots: {} }
/** A server that asks for a model all the same is told why not by the one who is asked. */
const CALLER_CAPABILITIES: ClientCapabilities = { ...OFFERED_CAPABILITIES, sampling: {} }
/** How long others are waited for only to suggest a name. */
const SUGGESTION_MS = 3000
const CLIENT_INFO = { name: 'switchboard-cli', version: VERSION }

export interface InProcessBackendOptions {
  /** Only this server is started; the others are still known, so that names stay what they are. */
  readonly only?: string | undefined
  /** Apply changes of the configuration file as they happen. */
  readonly watch?: boolean
}

/** Rejects with `invalid_configuration`, or `unknown_server` for an `only` that is not configured. */
export async function openInProcessBackend(
  context: CommandContext,
  options: InProcessBackendOptions = {},
): Promise<Backend> {
  const { home, io } = context
  const load = async (): Promise<SwitchboardConfig> => {
    const optional = !home.isConfigExplicit
    const config = await loadPoolConfig({ file: home.configFile, env: io.env, optional })
    return options.only === undefined ? config : limitTo(config, options.only)
  }
  return new InProcessBackend(context, await load(), options.watch === true ? load : undefined)
}

function limitTo(config: SwitchboardConfig, only: string): SwitchboardConfig {
  const names = config.servers.map(({ name }) => name)
  if (!names.includes(only)) {
    const nearest = nearestName(only, names)
    throw new SwitchboardError('unknown_server', `No server is named "${only}".`, {
      ...(nearest === undefined ? {} : { hint: `Did you mean "${nearest}"?` }),
      details: { server: only, known: names },
    })
  }
  const servers = config.servers.map((server) =>
    server.name === only ? server : { ...server, start: 'lazy' as const },
  )
  return { ...config, servers }
}

class InProcessBackend implements Backend {
  readonly #context: CommandContext
  readonly #pool: McpPool
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
    this.#watch = reload === undefined ? undefined : this.#watchConfiguration(home.configFile, reload)
  }

  start({ lazy = false }: { lazy?: boolean } = {}): void {
    this.#pool.start()
    if (lazy) for (const { name } of this.#unknownServers()) void this.#wake(name).catch(() => undefined)
  }

  async tools(): Promise<readonly BackendTool[]> {
    return this.#pool.tools()
  }

  async findTool(name: string, signal: AbortSignal): Promise<BackendTool> {
    const find = (): BackendTool | undefined => this.#pool.tools().find((tool) => tool.name === name)
    const known = find()
    if (known !== undefined) return known
    const isOwner = ({ tools }: ServerConfig): boolean =>
      tools.prefix === false || name.startsWith(`${sanitizeName(tools.prefix)}_`)
    for (const { name: server } of this.#unknownServers().filter(isOwner)) {
      await this.#wake(server, signal)
      const found = find()
      if (found !== undefined) return found
    }
    const disabled = this.#config.servers.find((server) => !server.enabled && isOwner(server))
    if (disabled !== undefined) {
      throw new SwitchboardError(
        'server_disabled',
        `"${name}" would be a tool of ${disabled.name}, which is disabled.`,
        {
          hint: `Enable it with: switchboard server enable ${disabled.name}`,
          details: { tool: name, server: disabled.name },
        },
      )
    }
    // Nobody has it. To say what is near, the others must be known too, but not at any price.
    const patience = AbortSignal.any([signal, AbortSignal.timeout(SUGGESTION_MS)])
    await Promise.allSettled(this.#unknownServers().map(({ name: server }) => this.#wake(server, patience)))
    const found = find()
    if (found !== undefined) return found
    throw this.#createUnknownToolError(name)
  }

  call(tool: string, args: JsonObject, options: BackendCallOptions): Promise<CallToolResult> {
    const { signal, timeout, onProgress, onLog, ask } = options
    return this.#pool.call(tool, args, {
      signal,
      ...(timeout === undefined ? {} : { timeout }),
      onProgress,
      ...(onLog === undefined ? {} : { onLog, logLevel: 'debug' }),
      ask,
      caller: { clientInfo: CLIENT_INFO, capabilities: CALLER_CAPABILITIES },
    })
  }

  async status(): Promise<readonly BackendServer[]> {
    return this.#pool.status()
  }

  async profiles(): Promise<readonly ProfileCost[]> {
    return listProfileCosts(this.#config.profiles, this.#pool.providers())
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
    await this.#pool.close()
    await Promise.all([...this.#serverLogs.values(), this.#trail].map((writer) => writer.close()))
  }

  /** Servers that were never up as far as we know: nothing can be said about their tools. */
  #unknownServers(): ServerConfig[] {
    const empty = new Set(
      this.#pool.status().flatMap(({ name, state, tools }) => (state === 'idle' && tools === 0 ? [name] : [])),
    )
    return this.#config.servers.filter(({ enabled, name }) => enabled && empty.has(name))
  }

  /** Any request starts a server; what it answers does not matter (a modern one does not know ping). */
  async #wake(server: string, signal?: AbortSignal): Promise<void> {
    const either = AbortSignal.any([this.#abandon.signal, ...(signal === undefined ? [] : [signal])])
    try {
      await this.#pool.request(server, 'ping', {}, { signal: either })
    } catch (error) {
      if (!(error instanceof SwitchboardError) || error.code !== 'upstream_error') throw error
    }
  }

  #createUnknownToolError(name: string): SwitchboardError {
    const names = this.#pool.tools().map((tool) => tool.name)
    const nearest = nearestName(name, names)
    const down = this.#pool
      .status()
      .filter(({ state }) => state !== 'ready' && state !== 'disabled' && state !== 'idle')
    const missing = down.length === 0 ? '' : ` Not up: ${down.map((server) => server.name).join(', ')}.`
    return new SwitchboardError('unknown_tool', `No tool is named "${name}".${missing}`, {
      hint: nearest === undefined ? 'Run switchboard tools to see the names.' : `Did you mean "${nearest}"?`,
      details: { tool: name, ...(nearest === undefined ? {} : { suggestions: [nearest] }) },
    })
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
      // A file that vanished may be on its way back; it is no wish to stop every server.
      if (this.#config.servers.length > 0) await stat(file).catch(throwGone(file))
      return reload()
    }
    return new ConfigurationWatch({
      file,
      load,
      apply: async (config) => {
        const change = compareConfigurations(this.#config, config)
        await this.#pool.reconfigure(config)
        this.#config = config
        const { added, removed, changed } = change
        if (added.length + removed.length + changed.length > 0)
          this.#announce({ type: 'configuration_applied', change })
        else this.#announce({ type: 'configuration_unchanged' })
      },
      refuse: (error) => this.#announce({ type: 'configuration_refused', error }),
    })
  }
}

function throwGone(file: string): () => never {
  return () => {
    throw new SwitchboardError('invalid_configuration', `${file}: there is no such file any more.`, {
      hint: 'The servers go on as they are until it is back.',
    })
  }
}

function compareConfigurations(before: SwitchboardConfig, after: SwitchboardConfig): ConfigurationChange {
  const old = new Map(before.servers.map((server) => [server.name, JSON.stringify(server)]))
  const now = new Map(after.servers.map((server) => [server.name, JSON.stringify(server)]))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : [])),
  }
}
