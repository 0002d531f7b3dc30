/**
 * A Switchboard from the files of a home: configuration, logs, audit trails; a change of the configuration file is applied
 * as it is saved. Used by the daemon, by `serve`, by `mcp --standalone` and by commands that run without a daemon.
 */
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths } from '@switchboard/protocol/ipc'
import { createFileLogger, type Logger, type LogHold, logFileName, readLogLevel } from '@switchboard/telemetry'
import { AuditTrails } from '../audit/audit-trails.ts'
import {
  type ConfigurationChange,
  compareConfigurations,
  keepRunning,
  throwOnVanishedFile,
} from '../configuration/configuration-change.ts'
import { ConfigurationWatch } from '../configuration/configuration-watch.ts'
import { KeptVariables } from '../configuration/kept-variables.ts'
import { type SwitchboardConfig, switchboardFile } from '../configuration/switchboard-file.ts'
import { Switchboard } from './switchboard.ts'
import type { ReconfigureOutcome, SwitchboardOptions } from './switchboard-options.ts'
import { takeWritingFromOthers } from './take-writing-from-others.ts'

export interface OpenSwitchboard {
  readonly switchboard: Switchboard
  /** The one that holds. */
  readonly config: SwitchboardConfig
  /** The file as it is saved now is applied or refused, and `onReconfigured` told, when this resolves. */
  applyFile(): Promise<void>
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
  /** Of the servers' logs. Default: all of them are written. */
  readonly logHold?: LogHold
  readonly env: Readonly<Record<string, string | undefined>>
  /** What of the file is meant, each time it is read. May throw. Default: all of it. */
  readonly adapt?: (config: SwitchboardConfig) => SwitchboardConfig
  /** Apply changes of the file as they are saved. Default: true. */
  readonly isWatched?: boolean
  /** Aborted: servers are killed, not waited for. */
  readonly force?: AbortSignal
  readonly onCalled?: SwitchboardOptions['onCalled']
  readonly onTraced?: SwitchboardOptions['onTraced']
  readonly describeDaemon?: SwitchboardOptions['describeDaemon']
  readonly pages?: SwitchboardOptions['pages']
  onReconfigured?(outcome: AppliedConfiguration | SwitchboardError): void
}

/** Rejects with `invalid_configuration`. Nothing is started yet. */
export async function openSwitchboard(options: OpenOptions): Promise<OpenSwitchboard> {
  const { paths, isConfigExplicit, inst, version, log, env, force, onCalled, describeDaemon } = options
  const { adapt = (whole) => whole, isWatched = true } = options
  const kept = new KeptVariables(paths.secrets, env)
  const load = async (): Promise<SwitchboardConfig> =>
    adapt(
      await switchboardFile.load({
        file: paths.configFile,
        env: await kept.over(env, log),
        optional: !isConfigExplicit,
        // One wrong entry is that server's state, never the end of the others.
        wrongEntries: 'settle',
      }),
    )
  // A file that was named is somebody's elsewhere; ours is in the home.
  await takeWritingFromOthers([paths.directory, ...(isConfigExplicit ? [] : [paths.configFile])], log)
  let config = await load()
  const serverLogs = new ServerLogs(paths.logs, options)
  const trails = new AuditTrails({ directory: paths.traces, inst })
  const switchboard = await Switchboard.open({
    config,
    serverInfo: { name: 'switchboard', version },
    log,
    openServerLog: (server) => serverLogs.open(server),
    cacheDirectory: paths.cache,
    storeFile: paths.store,
    serversDirectory: paths.servers,
    tokensFile: paths.tokens,
    secretsDirectory: paths.secrets,
    home: { directory: paths.directory, logs: paths.logs, modes: paths.modes, trust: paths.trust },
    trailOf: (caller) => trails.of(caller),
    env,
    variables: () => kept.over(env, log),
    pages: options.pages,
    ...(onCalled === undefined ? {} : { onCalled }),
    ...(options.onTraced === undefined ? {} : { onTraced: options.onTraced }),
    ...(describeDaemon === undefined ? {} : { describeDaemon }),
  })
  const watch = isWatched
    ? new ConfigurationWatch({
        file: paths.configFile,
        load: async () => {
          await throwOnVanishedFile(paths.configFile, config)
          return load()
        },
        apply: async (written) => {
          const next = keepRunning(config, written)
          const outcome = await switchboard.reconfigure(next)
          const change = compareConfigurations(config, next)
          config = next
          options.onReconfigured?.({ ...outcome, change })
        },
        refuse: (error) => options.onReconfigured?.(error),
      })
    : undefined
  return {
    switchboard,
    get config() {
      return config
    },
    applyFile: async () => {
      await watch?.look()
    },
    async close({ drain = 0, force: isForced = false } = {}) {
      await watch?.close()
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
  readonly #options: Pick<OpenOptions, 'inst' | 'env' | 'logHold'>
  readonly #open = new Map<string, Logger>()

  constructor(directory: string, options: Pick<OpenOptions, 'inst' | 'env' | 'logHold'>) {
    this.#directory = directory
    this.#options = options
  }

  open(name: string): Logger {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    const { inst, env, logHold } = this.#options
    const file = logFileName({ runtime: 'server', name, ...(inst === DAEMON_INSTANCE ? {} : { inst }) })
    const hold = logHold === undefined ? {} : { hold: logHold }
    const log = createFileLogger({ directory: this.#directory, file, inst, level: readLogLevel(env), ...hold })
    this.#open.set(name, log)
    return log
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((log) => log.close()))
  }
}

/** In the logs of the daemon and of its servers, where others have the id of an instance. */
export const DAEMON_INSTANCE = 'daemon'
