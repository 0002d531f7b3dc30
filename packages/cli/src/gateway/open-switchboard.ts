/** The whole of Switchboard in this process, for `serve` and `mcp --standalone`; the only file that knows the daemon package. */
import { type ReconfigureOutcome, Switchboard } from '@switchboard/daemon'
import { loadPoolConfig, type SwitchboardConfig } from '@switchboard/pool'
import type { SwitchboardError } from '@switchboard/protocol'
import { createAuditTrail, createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import { ConfigurationWatch } from '../backend/configuration-watch.ts'
import type { CommandContext } from '../context/command-context.ts'
import { VERSION } from '../version.ts'

export interface OpenSwitchboard {
  readonly switchboard: Switchboard
  close(options?: { drain?: number }): Promise<void>
}

export interface OpenOptions {
  /** Replaces every server's own budget that was left at its default. */
  readonly timeout?: number
  onReconfigured?(outcome: ReconfigureOutcome | SwitchboardError): void
}

/** The configured budget of a server that sets none. */
const DEFAULT_TIMEOUT = 60_000

/** Rejects with `invalid_configuration`. Nothing is started yet. */
export async function openSwitchboard(context: CommandContext, options: OpenOptions = {}): Promise<OpenSwitchboard> {
  const { home, inst, log, io } = context
  const load = async (): Promise<SwitchboardConfig> => {
    const config = await loadPoolConfig({ file: home.configFile, env: io.env, optional: !home.isConfigExplicit })
    return options.timeout === undefined ? config : withTimeout(config, options.timeout)
  }
  const serverLogs = new Map<string, Logger>()
  const trail = createAuditTrail({ directory: home.traces, inst })
  const switchboard = new Switchboard({
    config: await load(),
    serverInfo: { name: 'switchboard', version: VERSION },
    log,
    openServerLog: (server) => {
      const file = logFileName({ runtime: 'server', name: server, inst })
      const known = serverLogs.get(server)
      if (known !== undefined) return known
      const opened = createFileLogger({ directory: home.logs, file, inst, level: readLogLevel(io.env) })
      serverLogs.set(server, opened)
      return opened
    },
    cacheDirectory: home.cache,
    tokensFile: home.tokens,
    home: { logs: home.logs, modes: home.modes },
    trail,
    env: io.env,
  })
  const watch = new ConfigurationWatch({
    file: home.configFile,
    load,
    apply: async (config) => {
      const outcome = await switchboard.reconfigure(config)
      options.onReconfigured?.(outcome)
    },
    refuse: (error) => options.onReconfigured?.(error),
  })
  return {
    switchboard,
    async close({ drain = 0 } = {}) {
      await watch.close()
      // A second Ctrl-C may also come while we wait.
      const force = (): void => void switchboard.close({ force: true })
      io.force.addEventListener('abort', force)
      await switchboard.close({ drain, force: io.force.aborted })
      io.force.removeEventListener('abort', force)
      await Promise.all([...serverLogs.values(), trail].map((writer) => writer.close()))
    },
  }
}

function withTimeout(config: SwitchboardConfig, timeout: number): SwitchboardConfig {
  const servers = config.servers.map((server) => (server.timeout === DEFAULT_TIMEOUT ? { ...server, timeout } : server))
  return { ...config, servers }
}
