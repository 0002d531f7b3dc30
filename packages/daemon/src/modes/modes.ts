/** The modes of a running Switchboard: what is configured, what each instance has declared, and who has to be asked. */
import { homedir } from 'node:os'
import { type Disposable, errorMessage, Listeners, nearestName } from '@switchboard/base'
import type { Authorize } from '@switchboard/gateway'
import type { ModeSummary } from '@switchboard/pack-switchboard'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { ModeConfig } from './mode-fields.ts'
import { ModeFiles, type ModeRecord, type ModeSetter } from './mode-file.ts'
import { ModePolicy } from './mode-policy.ts'
import { WritableRoots } from './writable-roots.ts'

export interface ModeSettings {
  /** Empty: nothing is asked of anybody. */
  readonly modes: Readonly<Record<string, ModeConfig>>
  /** Binds callers without an instance. */
  readonly modeForHttp: string | undefined
}

export interface ModesOptions extends ModeSettings {
  /** `<home>/modes`. */
  readonly directory: string
  readonly log: Logger
}

export interface ModeChange {
  readonly instance: string
  readonly mode: string | null
  readonly setBy: ModeSetter
}

const SWEEP_EVERY_MS = 3_600_000

export class Modes {
  readonly #files: ModeFiles
  readonly #log: Logger
  readonly #roots = new WritableRoots({ platform: process.platform, userHome: homedir() })
  readonly #attached = new Map<string, number>()
  readonly #lastSeen = new Map<string, string | null>()
  readonly #listeners = new Listeners<[change: ModeChange]>()
  readonly #reconfigured = new Listeners<[]>()
  readonly #sweeping: NodeJS.Timeout
  #settings: ModeSettings
  /** Undefined: no modes are configured. */
  #policy: ModePolicy | undefined

  constructor({ directory, log, modes, modeForHttp }: ModesOptions) {
    this.#files = new ModeFiles({ directory, log })
    this.#log = log
    this.#settings = { modes, modeForHttp }
    this.#policy = this.#createPolicy()
    this.#sweeping = setInterval(() => void this.#sweep(), SWEEP_EVERY_MS).unref()
    void this.#sweep()
  }

  get isConfigured(): boolean {
    return this.#policy !== undefined
  }

  get names(): string[] {
    return Object.keys(this.#settings.modes)
  }

  list(): ModeSummary[] {
    return this.names.map((name) => this.summarize(name))
  }

  summarize(name: string): ModeSummary {
    const { description, approval } = this.config(name)
    return { name, description, approval }
  }

  get modeForHttp(): string | undefined {
    return this.#settings.modeForHttp
  }

  /** Windows that are open besides that one. */
  countOthers(instance: string | undefined): number {
    return this.#attached.size - (instance !== undefined && this.#attached.has(instance) ? 1 : 0)
  }

  readonly authorize: Authorize = (call) => this.#policy?.authorize(call)

  /** Throws `unknown_mode`, with the nearest. */
  config(name: string): ModeConfig {
    const { modes } = this.#settings
    const config = Object.hasOwn(modes, name) ? modes[name] : undefined
    if (config !== undefined) return config
    throw createUnknownMode(name, this.names)
  }

  /** What an instance has declared, whether or not it is configured still. */
  read(instance: string): ModeRecord | undefined {
    const record = this.#files.read(instance)
    this.#notice(instance, record)
    return record
  }

  /** The folders as they are for one caller. Undefined: the mode does not look at paths. */
  writableRoots(name: string, workspace: string | undefined): string[] | undefined {
    const { writable } = this.config(name)
    return writable === undefined ? undefined : this.#roots.resolveRoots(writable, workspace)
  }

  async set(instance: string, name: string, setBy: Exclude<ModeSetter, 'activation'>): Promise<ModeRecord> {
    this.config(name)
    const record = await this.#files.set(instance, name, setBy)
    this.#log.child({ inst: instance }).info('policy.mode', `mode set to ${name}`, { set_by: setBy })
    this.#notice(instance, record)
    return record
  }

  /** Call it when a front connects. A mode outlives a daemon, but not its instance: only a missing file is made. */
  async attach(instance: string): Promise<void> {
    this.#attached.set(instance, (this.#attached.get(instance) ?? 0) + 1)
    if (this.isConfigured) await this.#createBlank(instance)
  }

  /** Nothing is deleted: the front may come back. What nobody uses for a day is swept. */
  detach(instance: string): void {
    const left = (this.#attached.get(instance) ?? 1) - 1
    if (left > 0) this.#attached.set(instance, left)
    else {
      this.#attached.delete(instance)
      this.#lastSeen.delete(instance)
    }
  }

  async reconfigure({ modes, modeForHttp }: ModeSettings): Promise<void> {
    this.#settings = { modes, modeForHttp }
    this.#policy = this.#createPolicy()
    if (this.isConfigured) await Promise.all([...this.#attached.keys()].map((instance) => this.#createBlank(instance)))
    this.#reconfigured.notify()
  }

  /** Others may be configured now. */
  onDidReconfigure(listener: () => void): Disposable {
    return this.#reconfigured.add(listener)
  }

  /** A mode was set here, or a call noticed that somebody else had. */
  onDidChange(listener: (change: ModeChange) => void): Disposable {
    return this.#listeners.add(listener)
  }

  close(): void {
    clearInterval(this.#sweeping)
  }

  #createPolicy(): ModePolicy | undefined {
    if (this.names.length === 0) return undefined
    return new ModePolicy({
      ...this.#settings,
      roots: this.#roots,
      readMode: (instance) => this.read(instance),
    })
  }

  /** No mode is what a missing file means as well: that it cannot be made must not keep a front away. */
  async #createBlank(instance: string): Promise<void> {
    try {
      await this.#files.createBlank(instance)
    } catch (error) {
      const reason = errorMessage(error)
      this.#log.child({ inst: instance }).warn('policy.mode', reason)
    }
  }

  #notice(instance: string, record: ModeRecord | undefined): void {
    if (!this.#attached.has(instance)) return
    const mode = record?.mode ?? null
    const before = this.#lastSeen.get(instance) ?? null
    if (mode === before) return
    this.#lastSeen.set(instance, mode)
    this.#listeners.notify({ instance, mode, setBy: record?.setBy ?? 'activation' })
  }

  async #sweep(): Promise<void> {
    const deleted = await this.#files.sweep((instance) => this.#attached.has(instance))
    if (deleted > 0) this.#log.debug('policy.mode', `deleted ${deleted} mode files that nobody used for a day`)
  }
}

/** Also for the command, which has no running Switchboard. */
export function createUnknownMode(name: string, names: readonly string[]): SwitchboardError {
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'No modes are configured.' : `The modes are: ${names.join(', ')}.`
  return new SwitchboardError('unknown_mode', `No mode is named "${name.slice(0, 100)}"`, {
    hint: nearest === undefined ? known : `Did you mean "${nearest}"? ${known}`,
    details: { mode: name.slice(0, 100), modes: [...names] },
  })
}
