/**
 * The process that everything of one person runs in. It starts in one order and stops in the reverse:
 *
 *   folder 0700 → lock → epoch → info file → Switchboard → socket → HTTP
 *
 * Stopping: refuse new calls, let those under way finish for the grace, fail the rest with `shutting_down`, end the
 * connections, stop the servers, remove socket and info file, give the lock back last.
 */
import { setTimeout as wait } from 'node:timers/promises'
import {
  createErrorEnvelope,
  type DaemonInfo,
  type Disposable,
  type HomePaths,
  IPC_VERSION,
  type JsonObject,
  SwitchboardError,
} from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import { isEmptyChange } from './configuration/configuration-change.ts'
import { DaemonDoors } from './daemon-doors.ts'
import type { HttpOverrides } from './http-entrance.ts'
import { IdleStop } from './idle-stop.ts'
import { type AttachedInstance, InstanceRegistry, type InstanceStatus } from './instances/instance-registry.ts'
import { attach } from './ipc/attach.ts'
import type { AttachLine } from './ipc/ipc-connection.ts'
import type { DaemonEvent, DaemonHealth, DaemonState, DaemonStatus } from './ipc/ipc-results.ts'
import { IpcServer } from './ipc/ipc-server.ts'
import { createMethods } from './ipc/methods.ts'
import type { Epoch } from './lock/epoch.ts'
import {
  type AppliedConfiguration,
  DAEMON_INSTANCE,
  type OpenSwitchboard,
  openSwitchboard,
} from './open-switchboard.ts'
import { listProfileCosts } from './profile-costs.ts'
import type { Switchboard } from './switchboard.ts'
import type { UndoStack } from './undo-stack.ts'
import { WorkQueue } from './work/work-queue.ts'

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

export interface CloseOptions {
  /** Milliseconds for calls under way. Default: as configured. */
  readonly drain?: number
  /** Nothing is waited for. Also speeds up a stop that is under way. */
  readonly force?: boolean
  /** For the log, and for whoever waits for the end. */
  readonly reason?: string
}

/** What `startDaemon` has got ready. */
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
  readonly registry = new InstanceRegistry()
  readonly queue: WorkQueue
  readonly #parts: DaemonParts
  readonly #ipc: IpcServer
  readonly #idle: IdleStop
  readonly #listeners = new Set<(event: DaemonEvent) => void>()
  readonly #ended = Promise.withResolvers<string>()
  readonly #hasOpened = Promise.withResolvers<void>()
  #opened: OpenSwitchboard | undefined
  #state: DaemonState = 'starting'
  #doors: DaemonDoors | undefined
  #refusal: SwitchboardError | undefined
  #closing: Promise<void> | undefined

  /** For `startDaemon`, which holds the lock. */
  constructor(parts: DaemonParts) {
    this.#parts = parts
    this.info = parts.info
    this.log = parts.log
    this.queue = new WorkQueue({ log: parts.log })
    this.#idle = new IdleStop({
      isBusy: () => this.#isBusy(),
      stop: () => void this.close({ reason: 'nobody used it' }),
    })
    this.#ipc = new IpcServer({
      log: parts.log,
      methods: createMethods(this),
      attach: (params, line) => this.#attach(params, line),
      subscribe: (listener) => this.onEvent(listener),
    })
    this.registry.onAttached((attached) => this.#onAttached(attached))
    this.registry.onDetached((attached) => this.#onDetached(attached))
  }

  /** Why it ended; resolves when nothing of it is left. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  get state(): DaemonState {
    return this.#state
  }

  get switchboard(): Switchboard {
    return this.#open.switchboard
  }

  get config(): OpenSwitchboard['config'] {
    return this.#open.config
  }

  /** Everything that happens, as subscribers hear it. */
  onEvent(listener: (event: DaemonEvent) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  announce(event: DaemonEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  /** For `startDaemon`. */
  async open(): Promise<void> {
    const { options, undo } = this.#parts
    const { paths, isConfigExplicit = false, version, env } = options
    const { endpoint, epoch } = this.info
    const opened = await openSwitchboard({
      paths,
      isConfigExplicit,
      inst: DAEMON_INSTANCE,
      version,
      log: this.log,
      env,
      onCalled: () => this.#idle.touch(),
      describeDaemon: () => ({ ...this.info, state: this.#state }),
      onReconfigured: (outcome) => this.#onReconfigured(outcome),
    })
    undo.add(() => opened.close())
    this.#opened = opened
    this.#forwardEvents(opened.switchboard)
    this.log.info('daemon.start', `daemon ${version} starts`, {
      pid: process.pid,
      epoch,
      endpoint,
      home: paths.directory,
    })
    opened.switchboard.start()
    undo.add(() => this.#ipc.close({ keepFile: !this.#parts.epoch.isCurrent() }))
    await this.#ipc.listen(endpoint)
    const doors = new DaemonDoors({
      switchboard: opened.switchboard,
      ipc: this.#ipc,
      tcp: opened.config.daemon.tcp,
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
    this.#idle.setLimit(opened.config.daemon.idleTimeout)
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
    const { switchboard } = this.#open
    const refusal = this.#refusal
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
        ...(this.#doors?.status() ?? { http: null, tcp: null }),
      },
      configuration: refusal === undefined ? { state: 'ok' } : { state: 'refused', error: refusal.toReport() },
      servers: switchboard.status(),
      instances: this.#describeInstances(),
      queue: this.queue.counts(),
      recent_activity: this.queue.recentActivity(),
      profiles: listProfileCosts(switchboard.profiles(), switchboard.router.providers()),
    }
  }

  /** Returns at once, so that whoever asked still gets an answer. */
  stop({ drain, force }: { drain?: number; force: boolean }): void {
    setImmediate(() => void this.close({ reason: 'asked to stop', force, ...(drain === undefined ? {} : { drain }) }))
  }

  close(options: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#close(options)
    if (options.force === true) void this.#opened?.switchboard.close({ force: true })
    return this.#closing
  }

  async #close({ drain, force = false, reason = 'closed' }: CloseOptions): Promise<void> {
    const grace = force ? 0 : (drain ?? this.#open.config.daemon.drain)
    this.#state = 'stopping'
    this.#idle.close()
    this.log.info('daemon.stop', `daemon stops: ${reason}`, { grace_ms: grace, in_flight: this.registry.inFlight })
    this.announce({ type: 'stopping', reason })
    this.registry.refuseRequests()
    await this.#hasOpened.promise
    await Promise.all([this.switchboard.drain(grace), this.#drainInstances(grace)])
    this.queue.close()
    this.registry.shutDown(new SwitchboardError('shutting_down', 'Switchboard is stopping'))
    try {
      await this.#parts.undo.run()
    } finally {
      this.#ended.resolve(reason)
    }
  }

  get #open(): OpenSwitchboard {
    if (this.#opened === undefined) throw new Error('The daemon is not open yet')
    return this.#opened
  }

  async #attach(params: JsonObject, line: AttachLine): Promise<void> {
    const { pid, epoch, version } = this.info
    await attach(params, line, {
      gateway: this.switchboard.gateway,
      registry: this.registry,
      result: { protocol: IPC_VERSION, pid, epoch, version },
      log: this.log,
      isStopping: () => this.#state === 'stopping',
    })
    const instance = this.#describeInstances().find((candidate) => candidate.instance === params.instance)
    if (instance !== undefined) this.announce({ type: 'instance_attached', instance })
  }

  /** No mode binds a person at a terminal, so a command has none. */
  async #onAttached({ instance, role }: AttachedInstance): Promise<void> {
    this.#idle.touch()
    if (role === 'front') await this.switchboard.modes?.attach(instance)
  }

  #onDetached({ instance, role }: AttachedInstance): void {
    this.#idle.touch()
    if (role === 'front') this.switchboard.modes?.detach(instance)
    // What is private to it has no owner any more; the gateway knows of legacy sessions only.
    this.switchboard.release(instance)
    this.log.child({ inst: instance }).info('ipc.detach', 'detached', { instance })
    this.announce({ type: 'instance_detached', instance })
  }

  #onReconfigured(outcome: AppliedConfiguration | SwitchboardError): void {
    if (outcome instanceof SwitchboardError) {
      this.#refusal = outcome
      this.log.warn('daemon.configuration', `configuration refused, the old one goes on: ${outcome.message}`)
      this.announce({ type: 'configuration_refused', error: createErrorEnvelope(outcome) })
      return
    }
    const { change, reason } = outcome
    const needsRestart = outcome.needsRestart || this.#doors?.isOtherTcp(this.config.daemon) === true
    this.#refusal = undefined
    this.#doors?.noteHttp(reason)
    if (this.#state === 'running') this.#idle.setLimit(this.config.daemon.idleTimeout)
    if (isEmptyChange(change) && !needsRestart) {
      this.announce({ type: 'configuration_unchanged' })
      return
    }
    this.log.info('daemon.configuration', 'configuration applied', { ...change, needs_restart: needsRestart })
    this.announce({ type: 'configuration_applied', change, needs_restart: needsRestart })
  }

  #describeInstances(): InstanceStatus[] {
    const { modes } = this.switchboard
    return this.registry.list().map((instance) => {
      const mode = modes?.isConfigured === true ? modes.read(instance.instance)?.mode : undefined
      return mode === undefined || mode === null ? instance : { ...instance, mode }
    })
  }

  #forwardEvents({ pool, modes }: Switchboard): void {
    modes?.onDidChange(({ instance, mode }) => this.announce({ type: 'mode_changed', instance, mode }))
    pool.onDidChange((event) => {
      // The tries of a start are changes within one state.
      if (event.type === 'state_changed' && event.state !== event.previous) this.announce(event)
      else if (event.type === 'catalog_changed') this.announce({ type: event.type, server: event.server })
    })
  }

  #isBusy(): boolean {
    const stats = this.switchboard.httpStats()
    const isServing = stats !== undefined && stats.sessions + stats.streams + stats.inFlight > 0
    return this.registry.size > 0 || this.#listeners.size > 0 || isServing || !this.queue.isIdle
  }

  async #drainInstances(ms: number): Promise<void> {
    const end = performance.now() + ms
    while (this.registry.inFlight > 0 && performance.now() < end) await wait(10)
  }
}
