/**
 * A running Switchboard as it is seen from outside: who is attached, what can be asked besides MCP, what happens. The daemon
 * puts it on its socket and adds what a process of its own has (queue, doors, an end); a command that runs without a daemon
 * has one in its own process (`connect-in-memory.ts`).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Disposable, Listeners } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { createErrorEnvelope, SwitchboardError } from '@switchboard/protocol/errors'
import type { AttachResult } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'
import { isEmptyChange } from '../configuration/configuration-change.ts'
import { type AttachedInstance, InstanceRegistry, type InstanceStatus } from '../instances/instance-registry.ts'
import { attach } from '../ipc/attach.ts'
import type { AttachLine } from '../ipc/ipc-connection.ts'
import type { ConfigurationVerdict, DaemonEvent, SwitchboardStatus } from '../ipc/ipc-results.ts'
import { listProfileCosts } from '../profiles/profile-costs.ts'
import {
  type AppliedConfiguration,
  type OpenOptions,
  type OpenSwitchboard,
  openSwitchboard,
} from '../runtime/open-switchboard.ts'
import type { Switchboard } from '../runtime/switchboard.ts'

export interface ControlOptions extends Omit<OpenOptions, 'onReconfigured' | 'onTraced'> {
  /** What whoever attaches is told of this process. */
  readonly attachResult: AttachResult
  /** Somebody came or left. */
  onUsed?(): void
  /** Before it is announced. True: something of it holds only after a restart. */
  onApplied?(applied: AppliedConfiguration): boolean
}

/** What their tools tell lies on the disk; what a debugger tells, for one, ends with its daemon. */
const LASTING: ReadonlySet<string> = new Set(['pack:lens', 'pack:memory'])

export class SwitchboardControl {
  readonly registry = new InstanceRegistry()
  readonly log: Logger
  readonly #options: ControlOptions
  readonly #opened: OpenSwitchboard
  readonly #listeners = new Listeners<[event: DaemonEvent]>()
  #refusal: SwitchboardError | undefined
  /** Something of the configuration that holds does so only from the next start on. */
  #needsRestart = false
  #isStopping = false

  /** Rejects with `invalid_configuration`. Nothing is started yet. */
  static async open(options: ControlOptions): Promise<SwitchboardControl> {
    const onReconfigured = (outcome: AppliedConfiguration | SwitchboardError): void => control.#onReconfigured(outcome)
    let registry: InstanceRegistry | undefined
    const opened = await openSwitchboard({ ...options, onReconfigured, onTraced: () => registry?.askForTimes() })
    // The file is looked at from now on, so nothing can have been told before.
    const control: SwitchboardControl = new SwitchboardControl(options, opened)
    registry = control.registry
    return control
  }

  private constructor(options: ControlOptions, opened: OpenSwitchboard) {
    this.log = options.log
    this.#options = options
    this.#opened = opened
    this.#forwardEvents(opened.switchboard)
    this.registry.onAttached((attached) => this.#onAttached(attached))
    this.registry.onDetached((attached) => this.#onDetached(attached))
  }

  get switchboard(): Switchboard {
    return this.#opened.switchboard
  }

  get config(): OpenSwitchboard['config'] {
    return this.#opened.config
  }

  /** Somebody is attached, listens or is served over HTTP. */
  get isUsed(): boolean {
    const stats = this.switchboard.httpStats()
    const isServing = stats !== undefined && stats.sessions + stats.streams + stats.inFlight > 0
    return this.registry.size > 0 || this.#listeners.size > 0 || isServing
  }

  /** Everything that happens, as subscribers hear it. */
  onEvent(listener: (event: DaemonEvent) => void): Disposable {
    return this.#listeners.add(listener)
  }

  status(): SwitchboardStatus {
    const { switchboard } = this
    return {
      configuration: this.#describeConfiguration(),
      servers: switchboard.status(),
      projects: switchboard.projects.report(),
      instances: this.instances(),
      profiles: listProfileCosts(switchboard.profiles(), switchboard.router.providers()),
      modes: switchboard.modes?.list() ?? [],
    }
  }

  /** What becomes of the file as it is saved now, for whoever has just written it. */
  async applyConfiguration(): Promise<ConfigurationVerdict> {
    await this.#opened.applyFile()
    await this.switchboard.projects.look()
    return { configuration: this.#describeConfiguration(), needs_restart: this.#needsRestart }
  }

  /** From here on the line speaks MCP. Rejects with what speaks against it. */
  async attach(params: JsonObject, line: AttachLine): Promise<void> {
    await attach(params, line, {
      gateway: this.switchboard.gateway,
      registry: this.registry,
      result: this.#options.attachResult,
      log: this.log,
      wantsTimes: () => this.switchboard.isTracing,
      repeatable: () => listRepeatable(this.switchboard),
      isStopping: () => this.#isStopping,
    })
    const instance = this.instances().find((candidate) => candidate.instance === params.instance)
    if (instance !== undefined) this.#listeners.notify({ type: 'instance_attached', instance })
  }

  /** Nobody is let in any more, and those who are attached can ask for nothing new. */
  refuseRequests(reason: string): void {
    this.#isStopping = true
    this.#listeners.notify({ type: 'stopping', reason })
    this.registry.refuseRequests()
  }

  /** What is under way may finish for so long; after that all who are attached are sent away. */
  async drain(ms: number): Promise<void> {
    await Promise.all([this.switchboard.drain(ms), this.#drainInstances(ms)])
    this.registry.shutDown(new SwitchboardError('shutting_down', 'Switchboard is stopping'))
  }

  close(options: { force?: boolean } = {}): Promise<void> {
    return this.#opened.close(options)
  }

  /** No mode binds a person at a terminal, so a command has none. */
  async #onAttached({ instance, role, workspace, project = true }: AttachedInstance): Promise<void> {
    this.#options.onUsed?.()
    if (role !== 'front') return
    await this.switchboard.modes?.attach(instance)
    if (workspace !== undefined) await this.switchboard.enter({ instance, workspace, project })
  }

  #onDetached({ instance, role }: AttachedInstance): void {
    this.#options.onUsed?.()
    if (role === 'front') this.switchboard.modes?.detach(instance)
    // What is private to it has no owner any more; the gateway knows of legacy sessions only.
    this.switchboard.release(instance)
    this.log.child({ inst: instance }).info('ipc.detach', 'detached', { instance })
    this.#listeners.notify({ type: 'instance_detached', instance })
  }

  #onReconfigured(outcome: AppliedConfiguration | SwitchboardError): void {
    if (outcome instanceof SwitchboardError) {
      this.#refusal = outcome
      this.log.warn('daemon.configuration', `configuration refused, the old one goes on: ${outcome.message}`)
      this.#listeners.notify({ type: 'configuration_refused', error: createErrorEnvelope(outcome) })
      return
    }
    const { change } = outcome
    this.#refusal = undefined
    const needsRestart = this.#options.onApplied?.(outcome) ?? outcome.needsRestart
    this.#needsRestart = needsRestart
    if (isEmptyChange(change) && !needsRestart) {
      this.#listeners.notify({ type: 'configuration_unchanged' })
      return
    }
    this.log.info('daemon.configuration', 'configuration applied', { ...change, needs_restart: needsRestart })
    this.#listeners.notify({ type: 'configuration_applied', change, needs_restart: needsRestart })
  }

  #describeConfiguration(): SwitchboardStatus['configuration'] {
    const refusal = this.#refusal
    if (refusal !== undefined) return { state: 'refused', error: refusal.toReport() }
    const doubts = this.switchboard.doubts()
    return doubts.length === 0 ? { state: 'ok' } : { state: 'ok', doubts }
  }

  /** Who is attached, and in which mode. */
  instances(): InstanceStatus[] {
    const { modes } = this.switchboard
    return this.registry.list().map((instance) => {
      const mode = modes?.isConfigured === true ? modes.read(instance.instance)?.mode : undefined
      return mode === undefined || mode === null ? instance : { ...instance, mode }
    })
  }

  #forwardEvents({ pool, modes }: Switchboard): void {
    modes?.onDidChange(({ instance, mode }) => this.#listeners.notify({ type: 'mode_changed', instance, mode }))
    pool.onDidChange((event) => {
      // The tries of a start are changes within one state.
      if (event.type === 'state_changed' && event.state !== event.previous) this.#listeners.notify(event)
      else if (event.type === 'catalog_changed') this.#listeners.notify({ type: event.type, server: event.server })
    })
  }

  async #drainInstances(ms: number): Promise<void> {
    const end = performance.now() + ms
    while (this.registry.inFlight > 0 && performance.now() < end) await wait(10)
  }
}

function listRepeatable({ ownTools }: Switchboard): string[] {
  return ownTools.flatMap(({ name, server, annotations }) =>
    LASTING.has(server) && annotations?.readOnlyHint === true && annotations.idempotentHint === true ? [name] : [],
  )
}
