/**
 * The process that everything of one person runs in. It starts in one order and stops in the reverse:
 *
 *   folder 0700 → lock → epoch → info file → Switchboard → socket → HTTP
 *
 * Stopping: refuse new calls, let those under way finish for the grace, fail the rest with `shutting_down`, end the
 * connections, stop the servers, remove socket and info file, give the lock back last.
 */
import type { Disposable } from '@switchboard/base'
import type { DaemonSummary } from '@switchboard/pack-switchboard'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type DaemonInfo, type HomePaths, IPC_VERSION } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'
import type { FileWork } from '@switchboard/toolkit'
import { SwitchboardControl } from '../control/switchboard-control.ts'
import { Dashboard } from '../dashboard/dashboard.ts'
import type { HttpOverrides } from '../http/http-entrance.ts'
import { createMethods } from '../ipc/ipc-methods.ts'
import type { DaemonEvent, DaemonHealth, DaemonState, DaemonStatus } from '../ipc/ipc-results.ts'
import { IpcServer } from '../ipc/ipc-server.ts'
import type { Epoch } from '../lock/epoch.ts'
import { type AppliedConfiguration, DAEMON_INSTANCE } from '../runtime/open-switchboard.ts'
import type { Switchboard } from '../runtime/switchboard.ts'
import { NO_WORK } from '../work/no-work.ts'
import { DaemonDoors, type Doors } from './daemon-doors.ts'
import { IdleStop } from './idle-stop.ts'
import type { UndoStack } from './undo-stack.ts'

export interface DaemonOptions {
  readonly paths: HomePaths
  /** Named by the user: then the file must exist. Default: false. */
  readonly isConfigExplicit?: boolean
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** In place of the configured address. */
  readonly http?: HttpOverrides
  /** Opened once the lock is held: no two processes write one file. Default: `daemon.log`. */
  readonly openLog?: () => Logger
}

export interface DaemonCloseOptions {
  /** Milliseconds for calls under way. Default: as configured. */
  readonly drain?: number
  /** Nothing is waited for. Also speeds up a stop that is under way. */
  readonly force?: boolean
  /** For the log, and for whoever waits for the end. */
  readonly reason?: string
}

/** What `openDaemon` has got ready. */
export interface DaemonParts {
  readonly options: DaemonOptions
  readonly info: DaemonInfo
  readonly log: Logger
  readonly epoch: Epoch
  readonly undo: UndoStack
}

export class Daemon {
  readonly info: DaemonInfo
  readonly log: Logger
  readonly #parts: DaemonParts
  readonly #idle: IdleStop
  readonly #ended = Promise.withResolvers<string>()
  readonly #hasOpened = Promise.withResolvers<void>()
  #opened: SwitchboardControl | undefined
  #state: DaemonState = 'starting'
  #bugs = 0
  #doors: DaemonDoors | undefined
  #dashboard: Dashboard | undefined
  #closing: Promise<void> | undefined

  /** For `openDaemon`, which holds the lock. */
  constructor(parts: DaemonParts) {
    this.#parts = parts
    this.info = parts.info
    this.log = parts.log
    this.#idle = new IdleStop({
      isBusy: () => this.control.isUsed || !this.queue.isIdle,
      stop: () => void this.close({ reason: 'nobody used it' }),
    })
  }

  /** Why it ended; resolves when nothing of it is left. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  get state(): DaemonState {
    return this.#state
  }

  get control(): SwitchboardControl {
    if (this.#opened === undefined) throw new Error('The daemon is not open yet')
    return this.#opened
  }

  /** Files to be looked at: of the pack that does so. */
  get queue(): FileWork {
    return this.#opened?.switchboard.fileWork ?? NO_WORK
  }

  get switchboard(): Switchboard {
    return this.control.switchboard
  }

  /** Where it listens besides its own socket, or why it does not. */
  get doors(): Doors {
    return this.#doors?.status() ?? { http: null, tcp: null }
  }

  get config(): SwitchboardControl['config'] {
    return this.control.config
  }

  /** Everything that happens, as subscribers hear it. */
  onEvent(listener: (event: DaemonEvent) => void): Disposable {
    return this.control.onEvent(listener)
  }

  /** For `openDaemon`. */
  async open(): Promise<void> {
    const { options, undo } = this.#parts
    const { paths, isConfigExplicit = false, version, env } = options
    const { pid, endpoint, epoch } = this.info
    const control = await SwitchboardControl.open({
      paths,
      isConfigExplicit,
      inst: DAEMON_INSTANCE,
      version,
      log: this.log,
      env,
      attachResult: { protocol: IPC_VERSION, pid, epoch, version },
      onCalled: (report) => {
        this.#idle.touch()
        this.#dashboard?.note(report)
      },
      pages: (request, response, url) => this.#dashboard?.handle(request, response, url) === true,
      onUsed: () => this.#idle.touch(),
      describeDaemon: () => this.#describe(),
      onApplied: (applied) => this.#onApplied(applied),
    })
    undo.add(() => control.close())
    this.#opened = control
    this.#dashboard = new Dashboard({
      control,
      version,
      places: paths,
      log: this.log,
      status: () => this.status(),
      policy: () => control.switchboard.accessPolicy,
    })
    this.log.info('daemon.start', `daemon ${version} starts`, { pid, epoch, endpoint, home: paths.directory })
    control.switchboard.start({ isForAgents: true })
    const ipc = new IpcServer(
      {
        log: this.log,
        methods: createMethods(this),
        attach: (params, line) => control.attach(params, line),
        subscribe: (listener) => control.onEvent(listener),
      },
      control.switchboard.connections.socket,
    )
    undo.add(() => ipc.close({ keepFile: !this.#parts.epoch.isCurrent() }))
    await ipc.listen(endpoint)
    const doors = new DaemonDoors({
      switchboard: control.switchboard,
      ipc,
      tcp: control.config.daemon.tcp,
      tokenFile: paths.ipcToken,
      env,
      http: options.http ?? {},
      log: this.log,
    })
    this.#doors = doors
    await doors.open()
    this.#hasOpened.resolve()
    // Somebody may have told it to stop already.
    if (this.#state !== 'starting') return
    this.#state = 'running'
    this.#idle.setLimit(control.config.daemon.idleTimeout)
    this.log.info('daemon.ready', 'daemon is ready', { endpoint, ...doors.status() })
  }

  health(): DaemonHealth {
    const { pid, version, epoch, started_at } = this.info
    return {
      ok: this.#state !== 'stopping',
      pid,
      version,
      protocol: IPC_VERSION,
      epoch,
      state: this.#state,
      uptime_ms: Math.max(0, Date.now() - Date.parse(started_at)),
      queue: this.queue.counts(),
      recent_activity: this.queue.recentActivity(),
    }
  }

  status(): DaemonStatus {
    const { pid, version, epoch, started_at, endpoint } = this.info
    const { directory, configFile } = this.#parts.options.paths
    const { configuration, servers, instances, profiles, modes } = this.control.status()
    return {
      daemon: {
        pid,
        version,
        epoch,
        started_at,
        state: this.#state,
        home: directory,
        config_file: configFile,
        endpoint,
        ...this.doors,
        connections: this.switchboard.connections.status(),
        bugs: this.#bugs,
      },
      configuration,
      servers,
      instances,
      queue: this.queue.counts(),
      recent_activity: this.queue.recentActivity(),
      profiles,
      modes,
    }
  }

  /** A link to the dashboard that is good once. Throws where there is no HTTP. */
  dashboardLink(): string {
    const { url } = this.switchboard
    if (url !== undefined && this.#dashboard !== undefined) return this.#dashboard.createLink(url)
    const { http } = this.doors
    const why = http !== null && 'error' in http ? `: ${http.error}` : ' yet'
    throw new SwitchboardError('daemon_unavailable', `The daemon does not listen for browsers${why}`, {
      hint: http !== null && 'error' in http ? http.hint : 'Try again in a moment.',
    })
  }

  /** Something of ours was thrown where nobody catches it. One message has met a bug; everybody else is served. */
  noteBug(thrown: unknown): void {
    this.#bugs++
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    this.log.error('daemon.bug', `a bug in Switchboard; it goes on: ${error.message}`, { stack: error.stack })
  }

  /** Returns at once, so that whoever asked still gets an answer. */
  stop({ drain, force }: { drain?: number; force: boolean }): void {
    setImmediate(() => void this.close({ reason: 'asked to stop', force, ...(drain === undefined ? {} : { drain }) }))
  }

  close(options: DaemonCloseOptions = {}): Promise<void> {
    this.#closing ??= this.#close(options)
    if (options.force === true) void this.#opened?.switchboard.close({ force: true })
    return this.#closing
  }

  async #close({ drain, force = false, reason = 'closed' }: DaemonCloseOptions): Promise<void> {
    const { control } = this
    const grace = force ? 0 : (drain ?? control.config.daemon.drain)
    this.#state = 'stopping'
    this.#idle.close()
    this.log.info('daemon.stop', `daemon stops: ${reason}`, { grace_ms: grace, in_flight: control.registry.inFlight })
    control.refuseRequests(reason)
    await this.#hasOpened.promise
    await control.drain(grace)
    try {
      await this.#parts.undo.run()
    } finally {
      this.#ended.resolve(reason)
    }
  }

  /** As agents are told of it. */
  #describe(): DaemonSummary {
    const { pid, version, epoch, endpoint, started_at: startedAt } = this.info
    return { pid, version, epoch, endpoint, startedAt, state: this.#state }
  }

  #onApplied({ needsRestart, reason }: AppliedConfiguration): boolean {
    this.#doors?.noteHttp(reason)
    if (this.#state === 'running') this.#idle.setLimit(this.config.daemon.idleTimeout)
    return needsRestart || this.#doors?.isOtherTcp(this.config.daemon) === true
  }
}
