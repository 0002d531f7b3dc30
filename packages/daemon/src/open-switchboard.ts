/**
 * A Switchboard from the files of a home: configuration, logs, audit trails; a change of the configuration file is applied
 * as it is saved. Used by the daemon, by `serve` and by `mcp --standalone`.
 */
import { loadPoolConfig, type SwitchboardConfig } from '@switchboard/pool'
import type { HomePaths, SwitchboardError } from '@switchboard/protocol'
import { createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import { AuditTrails } from './audit-trails.ts'
import {
  type ConfigurationChange,
  compareConfigurations,
  throwOnVanishedFile,
} from './configuration/configuration-change.ts'
import { ConfigurationWatch } from './configuration/configuration-watch.ts'
import { type ReconfigureOutcome, Switchboard, type SwitchboardOptions } from './switchboard.ts'

export interface OpenSwitchboard {
  readonly switchboard: Switchboard
  /** The one that holds. */
  readonly config: SwitchboardConfig
  close(options?: { drain?: number; force?: boolean }): Promise<void>
}

export interface AppliedConfiguration extends ReconfigureOutcome {
  readonly change: ConfigurationChange
}

export interface OpenOptions {
  readonly paths: HomePaths
  /** Named by the user: then the file must exist. */
  readonly isConfigExplicit: boolean
  /** Whose logs and trails these are; of the daemon: `daemon`. */
  readonly inst: string
  readonly version: string
  readonly log: Logger
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted: servers are killed, not waited for. */
  readonly force?: AbortSignal
  readonly onCalled?: SwitchboardOptions['onCalled']
  readonly describeDaemon?: SwitchboardOptions['describeDaemon']
  onReconfigured?(outcome: AppliedConfiguration | SwitchboardError): void
}

/** Rejects with `invalid_configuration`. Nothing is started yet. */
export async function openSwitchboard(options: OpenOptions): Promise<OpenSwitchboard> {
  const { paths, isConfigExplicit, inst, version, log, env, force, onCalled, describeDaemon } = options
  const load = (): Promise<SwitchboardConfig> =>
    loadPoolConfig({ file: paths.configFile, env, optional: !isConfigExplicit })
  let config = await load()
  const serverLogs = new ServerLogs(paths.logs, inst, env)
  const trails = new AuditTrails({ directory: paths.traces, inst })
  const switchboard = new Switchboard({
    config,
    serverInfo: { name: 'switchboard', version },
    log,
    openServerLog: (server) => serverLogs.open(server),
    cacheDirectory: paths.cache,
    tokensFile: paths.tokens,
    home: { logs: paths.logs, modes: paths.modes },
    trailOf: (instance) => trails.of(instance),
    env,
    ...(onCalled === undefined ? {} : { onCalled }),
    ...(describeDaemon === undefined ? {} : { describeDaemon }),
  })
  const watch = new ConfigurationWatch({
    file: paths.configFile,
    load: async () => {
      await throwOnVanishedFile(paths.configFile, config)
      return load()
    },
    apply: async (next) => {
      const outcome = await switchboard.reconfigure(next)
      const change = compareConfigurations(config, next)
      config = next
      options.onReconfigured?.({ ...outcome, change })
    },
    refuse: (error) => options.onReconfigured?.(error),
  })
  return {
    switchboard,
    get config() {
      return config
    },
    async close({ drain = 0, force: isForced = false } = {}) {
      await watch.close()
      // A second Ctrl-C may also come while we wait.
      const onForce = (): void => void switchboard.close({ force: true })
      force?.addEventListener('abort', onForce)
      await switchboard.close({ drain, force: isForced || force?.aborted === true })
      force?.removeEventListener('abort', onForce)
      await Promise.all([serverLogs.close(), trails.close()])
    },
  }
}

/** What servers write to stderr, a file each. Those that the daemon runs carry no instance in their name. */
class ServerLogs {
  readonly #directory: string
  readonly #inst: string
  readonly #env: OpenOptions['env']
  readonly #open = new Map<string, Logger>()

  constructor(directory: string, inst: string, env: OpenOptions['env']) {
    this.#directory = directory
    this.#inst = inst
    this.#env = env
  }

  open(name: string): Logger {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    const inst = this.#inst
    const file = logFileName({ runtime: 'server', name, ...(inst === DAEMON_INSTANCE ? {} : { inst }) })
    const log = createFileLogger({ directory: this.#directory, file, inst, level: readLogLevel(this.#env) })
    this.#open.set(name, log)
    return log
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((log) => log.close()))
  }
}

/** In the logs of the daemon and of its servers, where others have the id of an instance. */
export const DAEMON_INSTANCE = 'daemon'
