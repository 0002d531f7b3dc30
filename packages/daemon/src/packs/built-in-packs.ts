/**
 * The packs that are switched on, as providers beside the servers.
 *
 * 1. One whose own settings change is made anew, and no other; the old one is closed after the new one has its place.
 * 2. One that cannot be made is a state: its provider lists the tools and says why they do not run.
 * 3. One that cannot say whether it applies to a workspace does: better too much listed than a tool that nobody finds.
 */
import { join } from 'node:path'
import { type Clock, type Disposable, errorMessage, Listeners, systemClock } from '@switchboard/base'
import type { WorkspaceListing } from '@switchboard/gateway'
import type { Caller, Provider } from '@switchboard/protocol'
import { toPackProvider } from '@switchboard/protocol/naming'
import type { Logger, Metric } from '@switchboard/telemetry'
import {
  type CodeIndex,
  createFailedPack,
  type FileWork,
  type MetError,
  type PackContext,
  type PackDefinition,
  type PackInstance,
  type PackStore,
} from '@switchboard/toolkit'
import type { PersonCommands } from './person-commands.ts'

/** A pack of which is known what all have in common; its configuration is what its own section was read as. */
export interface AnyPack<Services> extends Omit<PackDefinition, 'create'> {
  create(context: PackContext<Services>, config: never): PackInstance | Promise<PackInstance>
}

/** The section `packs` of a configuration: what each pack that has a section of its own reads there. */
export type PackSettings = Readonly<Record<string, { readonly enabled: boolean } | undefined>>

export interface BuiltInPacksOptions<Services> {
  readonly packs: readonly AnyPack<Services>[]
  readonly settings: PackSettings
  readonly log: Logger
  /** In which each pack has a folder. */
  readonly cacheDirectory: string
  /** What a pack of that name keeps. */
  readonly storeFor: (pack: string) => PackStore
  readonly services: Services
  readonly clock?: Clock
}

/** Milliseconds for which a pack is believed where it applies: a workspace may become what it was not. */
const BELIEVED_MS = 5_000
/** So many workspaces are remembered at once. */
const MAX_WORKSPACES = 200
const SAME_EVERYWHERE: WorkspaceListing = { absent: new Set(), listed: new Set() }

interface Slot<Services> {
  readonly pack: AnyPack<Services>
  settings: string
  /** Undefined: it is switched off. */
  instance: PackInstance | undefined
}

export class BuiltInPacks<Services> {
  readonly #options: Omit<BuiltInPacksOptions<Services>, 'settings'>
  readonly #slots: readonly Slot<Services>[]
  readonly #changed = new Listeners<[]>()
  readonly #clock: Clock
  /** Whether any of them says where it or some of its tools are listed: every request asks. */
  readonly #isPartial: boolean
  /** By workspace: what is listed there, and until when that is believed. */
  readonly #listings = new Map<string | undefined, { readonly listing: WorkspaceListing; readonly until: number }>()
  /** By their names: whoever keeps something by a listing finds the same one. */
  readonly #known = new Map<string, WorkspaceListing>()
  #isStarted = false

  private constructor(options: BuiltInPacksOptions<Services>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#isPartial = options.packs.some(({ applies, listedIn }) => applies !== undefined || listedIn !== undefined)
    this.#slots = options.packs.map((pack) => ({ pack, settings: '', instance: undefined }))
  }

  static async open<Services>(options: BuiltInPacksOptions<Services>): Promise<BuiltInPacks<Services>> {
    const packs = new BuiltInPacks(options)
    await packs.reconfigure(options.settings)
    return packs
  }

  providers(): Provider[] {
    return this.#slots.flatMap(({ instance }) => (instance === undefined ? [] : [instance.provider]))
  }

  /** Those that are switched on. */
  active(): AnyPack<Services>[] {
    return this.#slots.flatMap(({ pack, instance }) => (instance === undefined ? [] : [pack]))
  }

  /** Who does not apply to a workspace, and what is listed there besides the core of the others. */
  listingIn(workspace: string | undefined): WorkspaceListing {
    if (!this.#isPartial) return SAME_EVERYWHERE
    const known = this.#listings.get(workspace)
    const now = this.#clock.now()
    if (known !== undefined && now < known.until) return known.listing
    const listing = this.#listingOf(
      this.#slots.filter(({ pack }) => !this.#ask(pack, true, () => pack.applies?.(workspace))),
      this.#slots.flatMap(({ pack }) => this.#ask(pack, [], () => pack.listedIn?.(workspace))),
    )
    if (this.#listings.size >= MAX_WORKSPACES) this.#listings.clear()
    this.#listings.set(workspace, { listing, until: now + BELIEVED_MS })
    return listing
  }

  /** What a person may ask one of; undefined: it is switched off, or has nothing to ask for. */
  commandsOf(name: string): PersonCommands | undefined {
    return this.#slots.find(({ pack }) => pack.name === name)?.instance?.commands
  }

  /** Agents are served from here on. */
  start(): void {
    this.#isStarted = true
    for (const { instance } of this.#slots) instance?.start?.()
  }

  /** Of the one that looks at files; undefined: none does. */
  fileWork(): FileWork | undefined {
    return this.#slots.find(({ instance }) => instance?.work !== undefined)?.instance?.work
  }

  /** What they measure of themselves. */
  metrics(isShown: (provider: string) => boolean): Metric[] {
    return this.#slots.flatMap(({ instance }) =>
      instance?.metrics !== undefined && isShown(instance.provider.name) ? instance.metrics() : [],
    )
  }

  /** Others are there now. */
  onDidChange(listener: () => void): Disposable {
    return this.#changed.add(listener)
  }

  /** The agent is gone: what it had is ended. */
  release(owner: string): void {
    for (const { instance } of this.#slots) instance?.release(owner)
  }

  /** What they have under way for that caller, a line each. */
  standing(caller: Caller): string[] {
    return this.#slots.flatMap(({ instance }) => instance?.standing?.(caller) ?? [])
  }

  /** One line about what helped against that error before: of the first that knows, among those that the caller may see. */
  async recall(error: MetError, caller: Caller, isShown?: (provider: string) => boolean): Promise<string | undefined> {
    for (const { instance } of this.#slots) {
      if (instance?.recall === undefined || isShown?.(instance.provider.name) === false) continue
      const line = await instance.recall(error, caller)
      if (line !== undefined) return line
    }
    return undefined
  }

  /** Of the first that has one. */
  codeIndex(): CodeIndex | undefined {
    return this.#slots.find(({ instance }) => instance?.codeIndex !== undefined)?.instance?.codeIndex
  }

  async reconfigure(settings: PackSettings): Promise<void> {
    const replaced: PackInstance[] = []
    let isChanged = false
    for (const slot of this.#slots) {
      const own = settings[slot.pack.name]
      const text = JSON.stringify(own) ?? 'none'
      if (text === slot.settings) continue
      slot.settings = text
      if (slot.instance !== undefined) replaced.push(slot.instance)
      slot.instance = own?.enabled === false ? undefined : await this.#create(slot.pack, own)
      if (this.#isStarted) slot.instance?.start?.()
      isChanged = true
    }
    if (isChanged) this.#changed.notify()
    await Promise.all(replaced.map((instance) => instance.close()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ instance }) => instance?.close()))
  }

  #ask<T>({ name }: AnyPack<Services>, fallback: T, question: () => T | undefined): T {
    try {
      return question() ?? fallback
    } catch (thrown) {
      this.#options.log.error('pack.applies', `${name} cannot say where it applies: ${errorMessage(thrown)}`, {
        pack: name,
      })
      return fallback
    }
  }

  #listingOf(absent: readonly Slot<Services>[], listed: readonly string[]): WorkspaceListing {
    const names = absent.map(({ pack }) => toPackProvider(pack.name))
    const key = `${names.join(' ')}\n${listed.join(' ')}`
    const known = this.#known.get(key) ?? { absent: new Set(names), listed: new Set(listed) }
    this.#known.set(key, known)
    return known
  }

  async #create(pack: AnyPack<Services>, settings: PackSettings[string]): Promise<PackInstance> {
    const { log, cacheDirectory, storeFor, services } = this.#options
    const folders = { cache: join(cacheDirectory, pack.name) }
    const context = { log, clock: this.#clock, folders, store: storeFor(pack.name), services }
    try {
      // They come from the section that the pack itself declares; of one without, they are undefined.
      return await pack.create(context, settings as never)
    } catch (thrown) {
      const reason = errorMessage(thrown)
      const stack = thrown instanceof Error ? thrown.stack : undefined
      log.error('pack.create', `the pack ${pack.name} could not be started: ${reason}`, { pack: pack.name, stack })
      return createFailedPack(pack, thrown)
    }
  }
}
