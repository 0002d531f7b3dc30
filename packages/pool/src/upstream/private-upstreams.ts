/**
 * A server that is not shared: one process or connection for every instance or session, and none for longer than it.
 * To the router it is one provider; which process a request goes to follows from who makes it.
 */
import { type Disposable, Listeners } from '@switchboard/base'
import {
  type Call,
  type Caller,
  type Catalog,
  type CatalogPart,
  type JsonObject,
  ownerOf,
  type Provider,
  type ProviderNaming,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ServerConfig } from '../config/server-config.ts'
import { createServerOfWindow } from '../config/server-of-window.ts'
import { PRIVATE_POLICY } from '../supervision/policy.ts'
import type { BothEras } from './both-eras.ts'
import { createUpstream } from './create-upstream.ts'
import type { ServerStatus } from './server-status.ts'
import { type StateListener, Upstream } from './upstream.ts'
import type { UpstreamEnvironment } from './upstream-environment.ts'

interface Private {
  readonly upstream: Upstream | BothEras
  lastCall: Call | undefined
}

export class PrivateUpstreams implements Provider {
  readonly name: string
  readonly config: ServerConfig
  readonly #environment: UpstreamEnvironment
  readonly #byOwner = new Map<string, Private>()
  /** Of owners that are gone, while they are being stopped: nothing of ours is alive after a stop. */
  readonly #leaving = new Set<Upstream | BothEras>()
  readonly #catalogListeners = new Listeners<[parts: readonly CatalogPart[]]>()
  readonly #updateListeners = new Listeners<[uri: string, params: JsonObject]>()
  readonly #noticeListeners = new Listeners<[method: string, params: JsonObject, owner: string]>()
  readonly #stateListeners = new Listeners<Parameters<StateListener>>()
  /** Knows the remembered catalog; never started itself. */
  readonly #template: Upstream
  #isStopped = false

  constructor(config: ServerConfig, environment: UpstreamEnvironment) {
    this.name = config.name
    this.config = config
    this.#environment = environment
    this.#template = new Upstream({ config, environment, policy: PRIVATE_POLICY })
  }

  catalog(): Catalog {
    let best = this.#template.catalog()
    for (const { upstream } of this.#byOwner.values()) {
      if (!upstream.stale) return upstream.catalog()
      if (best.tools.length === 0) best = upstream.catalog()
    }
    return best
  }

  judgeAgain(): void {
    this.#template.judgeAgain()
    for (const { upstream } of this.#byOwner.values()) upstream.judgeAgain()
  }

  get stale(): boolean {
    return [...this.#byOwner.values()].every(({ upstream }) => upstream.stale)
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    return this.#catalogListeners.add(listener)
  }

  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable {
    return this.#updateListeners.add(listener)
  }

  onNotice(listener: (method: string, params: JsonObject, owner: string) => void): Disposable {
    return this.#noticeListeners.add(listener)
  }

  onStateChange(listener: StateListener): Disposable {
    return this.#stateListeners.add(listener)
  }

  get naming(): ProviderNaming {
    return this.#template.naming
  }

  get state(): Upstream['state'] {
    return (this.#byOwner.get('') ?? [...this.#byOwner.values()][0])?.upstream.state ?? this.#template.state
  }

  /** The pool's own user's: its catalog is what others see listed before they have one. */
  start(): void {
    this.#isStopped = false
    // Of one that works in the windows' folders there is none without a window.
    if (this.config.isPerWindow !== true) this.#for('').upstream.start()
  }

  /** A window has come. What one runs in its folder is listed once any of them is up, so the first is started for it. */
  prepare(instance: string, workspace: string): void {
    if (this.config.isPerWindow !== true || this.#isStopped) return
    if (this.catalog().tools.length === 0) this.#for(instance, workspace).upstream.start()
  }

  /** The pool's own user's, unless it is used: the others end with their owners. */
  rest(): void {
    const own = this.#byOwner.get('')?.upstream
    if (own?.status().calls === 0) own.rest()
  }

  restart(): void {
    this.#isStopped = false
    for (const { upstream } of this.#byOwner.values()) upstream.restart()
  }

  async stop(options?: { force?: boolean }): Promise<void> {
    this.#isStopped = true
    const all = [...this.#leaving, ...[...this.#byOwner.values()].map(({ upstream }) => upstream)]
    await Promise.all(all.map((upstream) => upstream.stop(options)))
    await this.#template.stop(options)
  }

  async releaseCaller(caller: string): Promise<void> {
    const mine = this.#byOwner.get(caller)
    if (mine === undefined) return
    this.#byOwner.delete(caller)
    this.#leaving.add(mine.upstream)
    await mine.upstream.stop()
    this.#leaving.delete(mine.upstream)
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const key = this.#keyOf(call.caller)
    // An owner who comes after the stop must not start a process of its own.
    if (this.#isStopped && !this.#byOwner.has(key)) {
      throw new SwitchboardError('server_stopped', `The server ${this.name} was stopped`, {
        details: { server: this.name },
      })
    }
    const mine = this.#for(key, call.caller.workspace)
    mine.lastCall = isNamed(call.caller) ? call : undefined
    return mine.upstream.request(method, params, call)
  }

  notify(method: string, caller: Caller): void {
    if (isNamed(caller)) this.#byOwner.get(this.#keyOf(caller))?.upstream.tellServer(method)
  }

  status(): ServerStatus {
    return this.statuses()[0] ?? this.#template.status()
  }

  statuses(): ServerStatus[] {
    const all = [...this.#byOwner.values()].map(({ upstream }) => upstream.status())
    if (all.length === 0) return [this.#template.status()]
    // One that rests is worth a line only where there is no other.
    const awake = all.filter(({ owner, state }) => owner !== undefined || state !== 'idle')
    return awake.length === 0 ? all : awake
  }

  /**
   * Where nobody has asked for more than that questions are kept apart, or has asked for nothing, callers of whom nobody can
   * tell share one with the pool's own user.
   */
  #keyOf(caller: Caller): string {
    const owner = ownerOf(caller)
    if (this.config.isPerWindow === true && caller.workspace === undefined) {
      throw new SwitchboardError(
        'caller_unknown',
        `The server ${this.name} works in the folder of the window that calls, and this caller has none`,
        { hint: 'Connect through `switchboard mcp --workspace <folder>`.', details: { server: this.name } },
      )
    }
    if (owner !== undefined) return owner
    if (this.config.shared || this.config.privateReason !== undefined) return ''
    throw new SwitchboardError(
      'caller_unknown',
      `The server ${this.name} is private to each agent, and nothing tells this one from others`,
      { details: { server: this.name } },
    )
  }

  #for(key: string, workspace?: string): Private {
    const known = this.#byOwner.get(key)
    if (known !== undefined) return known
    const { config } = this
    const isOfWindow = config.isPerWindow === true && workspace !== undefined
    const upstream = createUpstream({
      config: isOfWindow ? createServerOfWindow(config, workspace) : config,
      environment: this.#environment,
      policy: PRIVATE_POLICY,
      // It serves one owner, so every question is that owner's, in the middle of a call or not. Where its callers are
      // not told apart, a question is only ever the one call's that it can belong to.
      owner: () => entry.lastCall,
      ...(key === '' ? {} : { ownerName: key }),
    })
    const entry: Private = { upstream, lastCall: undefined }
    this.#byOwner.set(key, entry)
    upstream.onCatalogChange(this.#catalogListeners.notify)
    upstream.onStateChange(this.#stateListeners.notify)
    upstream.onResourceUpdated(this.#updateListeners.notify)
    upstream.onNotice((method, params) => this.#noticeListeners.notify(method, params, key))
    return entry
  }
}

/** A caller that has a lane only is one of many without a name; without even that it is the pool's own user. */
function isNamed({ instance, session, lane }: Caller): boolean {
  return instance !== undefined || session !== undefined || lane === undefined
}
