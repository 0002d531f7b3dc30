/** The servers of one pool: made from the configuration, changed with it, started and stopped together. */
import { type Clock, type Disposable, didYouMean, Listeners, nearestName, type Timer } from '@switchboard/base'
import type { Call, Provider } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { sanitizeName } from '@switchboard/protocol/naming'
import { rememberSecrets } from '@switchboard/telemetry'
import type { MisconfiguredServer, PoolConfig } from './config/pool-section.ts'
import { listSecretValues } from './config/secret-values.ts'
import type { ServerConfig } from './config/server-config.ts'
import type { PoolListener } from './events.ts'
import type { RoutedServer } from './routes.ts'
import { SHARED_POLICY } from './supervision/policy.ts'
import type { BothEras } from './upstream/both-eras.ts'
import { CallQueue } from './upstream/call-queue.ts'
import { createUpstream } from './upstream/create-upstream.ts'
import { MisconfiguredUpstream } from './upstream/misconfigured-upstream.ts'
import { PrivateUpstreams } from './upstream/private-upstreams.ts'
import { describeState, type ServerStatus } from './upstream/server-status.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { Owner, UpstreamEnvironment } from './upstream/upstream-environment.ts'

const CATALOG_PROBE_METHOD = 'ping'

/** How long a server that was started only to be looked at may be taken into use before it is stopped again. */
const LEARNED_MS = 5_000

export interface StartManner {
  /** Whether a lazy server of which nothing is known is started once, to learn what it offers. */
  readonly learns: boolean
}

/** One configured server: enabled or not, shared or private. */
class ServerEntry {
  readonly config: ServerConfig
  readonly provider: Upstream | BothEras | PrivateUpstreams
  readonly #clock: Clock
  readonly #subscriptions: Disposable[]
  /** Its secrets are not looked for any more. */
  readonly forget: () => void
  #restTimer: Timer | undefined

  constructor(
    config: ServerConfig,
    environment: UpstreamEnvironment,
    owner: Owner | undefined,
    listener: PoolListener,
  ) {
    this.config = config
    this.forget = rememberSecrets(listSecretValues(config))
    this.#clock = environment.clock
    const isPrivate = !config.shared || config.interactive === 'private'
    this.provider = isPrivate
      ? new PrivateUpstreams(config, environment)
      : createUpstream({ config, environment, policy: SHARED_POLICY, ...(owner === undefined ? {} : { owner }) })
    const server = config.name
    this.#subscriptions = [
      this.provider.onStateChange((state, previous) =>
        listener({ type: 'state_changed', server, state: describeState(state), previous: describeState(previous) }),
      ),
      this.provider.onCatalogChange((parts) => listener({ type: 'catalog_changed', server, parts })),
      this.provider.onResourceUpdated((uri, params) => listener({ type: 'resource_updated', server, uri, params })),
    ]
  }

  start({ learns }: StartManner): void {
    if (!this.config.enabled) return
    // Of one that each window has for itself nobody uses another: to know its tools is all.
    const { start, privateReason, isPerWindow } = this.config
    if (isPerWindow === true) return
    const isAtOnce = start === 'eager' && privateReason === undefined
    if (isAtOnce) this.provider.start()
    else if (learns && this.isUnknown()) this.#learn()
  }

  /** A window of that folder has come. */
  prepare(instance: string, workspace: string): void {
    if (this.config.enabled && this.provider instanceof PrivateUpstreams) this.provider.prepare(instance, workspace)
  }

  /** What nobody lists, no agent ever uses: it is started to see what it offers, and stopped again unless it is used by then. */
  #learn(): void {
    const watch = this.provider.onStateChange(({ kind }) => {
      if (kind !== 'ready') return
      watch.dispose()
      this.#restTimer = this.#clock.setTimer(LEARNED_MS, () => {
        const isUsed = !(this.provider instanceof PrivateUpstreams) && this.provider.status().calls > 0
        if (!isUsed) this.provider.rest()
      })
    })
    this.provider.start()
  }

  /** Up, or failed once, or not meant to start by itself. */
  hasSettledOnce(): boolean {
    const { state } = this.provider
    if (!this.config.enabled || state.kind === 'idle') return true
    return state.kind !== 'starting' || state.lastFailure !== undefined
  }

  statuses(): ServerStatus[] {
    const all = this.provider instanceof PrivateUpstreams ? this.provider.statuses() : [this.provider.status()]
    return this.config.enabled ? all : all.map((status) => ({ ...status, state: 'disabled' }))
  }

  isUnknown(): boolean {
    const { tools, capabilities } = this.provider.catalog()
    return this.config.enabled && tools.length === 0 && Object.keys(capabilities).length === 0
  }

  /** Resolves once it is up; rejects as a call to it would. */
  async awaitCatalog(call: Call): Promise<void> {
    const { progress: _progress, ...quiet } = call
    await this.provider.request(CATALOG_PROBE_METHOD, {}, quiet).catch((error: unknown) => {
      // Any answer will do: a modern server does not know ping.
      if (!(error instanceof SwitchboardError) || error.code !== 'upstream_error') throw error
    })
  }

  async stop(options?: { force?: boolean }): Promise<void> {
    this.#restTimer?.cancel()
    await this.provider.stop(options)
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }
}

export class ServerSet {
  readonly #environment: UpstreamEnvironment
  readonly #owner: Owner | undefined
  readonly #listener: PoolListener
  readonly #queues = new Map<string, CallQueue>()
  readonly #changed = new Listeners<[]>()
  #entries = new Map<string, ServerEntry>()
  /** By name. One that is among the entries as well runs as its entry was before it went wrong. */
  #misconfigured = new Map<string, MisconfiguredServer>()
  /** Of those that do not run. */
  #refused = new Map<string, MisconfiguredUpstream>()
  /** Gone from the configuration, while they are being stopped. */
  readonly #leaving = new Set<ServerEntry>()
  #isStopped = false

  constructor(
    config: PoolConfig,
    environment: Omit<UpstreamEnvironment, 'findQueue'>,
    owner: Owner | undefined,
    listener: PoolListener,
  ) {
    this.#owner = owner
    this.#listener = (event) => {
      listener(event)
      this.#changed.notify()
    }
    this.#environment = { ...environment, findQueue: (name) => this.#queues.get(name) }
    this.#setQueues(config)
    for (const server of config.servers) this.#entries.set(server.name, this.#createEntry(server))
    this.#setMisconfigured(config)
  }

  start(manner: StartManner): void {
    for (const entry of this.#entries.values()) entry.start(manner)
  }

  providers(): Provider[] {
    return [...this.#enabled().map(({ provider }) => provider), ...this.#refused.values()]
  }

  routed(): RoutedServer[] {
    return this.#enabled()
  }

  statuses(): ServerStatus[] {
    const running = [...this.#entries.values()].flatMap((entry) => {
      const entryProblem = this.#misconfigured.get(entry.config.name)?.reason
      return entry.statuses().map((status) => (entryProblem === undefined ? status : { ...status, entryProblem }))
    })
    return [...running, ...[...this.#refused.values()].map((server) => server.status())]
  }

  provider(name: string): Upstream | BothEras | PrivateUpstreams {
    const entry = this.#find(name)
    if (!entry.config.enabled) throw new SwitchboardError('server_disabled', `The server ${name} is disabled`)
    return entry.provider
  }

  judgeAgain(name: string): void {
    this.#entries.get(name)?.provider.judgeAgain()
  }

  config(name: string): ServerConfig {
    return this.#find(name).config
  }

  restart(name: string): void {
    this.provider(name).restart()
  }

  async stop(name: string): Promise<void> {
    await this.#find(name).stop()
  }

  /** For good: a configuration that is just being applied starts nothing any more. */
  async stopAll(options?: { force?: boolean }): Promise<void> {
    this.#isStopped = true
    const all = [...this.#leaving, ...this.#entries.values()]
    await Promise.all(all.map((entry) => entry.stop(options)))
    for (const entry of all) entry.forget()
  }

  prepare(instance: string, workspace: string, isMeant: (server: string) => boolean): void {
    for (const entry of this.#enabled()) if (isMeant(entry.config.name)) entry.prepare(instance, workspace)
  }

  async release(caller: string): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ provider }) => provider.releaseCaller(caller)))
  }

  /** Waits until nothing is in flight, or the time is over. */
  async drain(ms: number): Promise<void> {
    const { clock } = this.#environment
    const until = clock.now() + ms
    while (clock.now() < until && this.statuses().some(({ inFlight }) => inFlight > 0)) {
      await new Promise<void>((resolve) => clock.setTimer(20, resolve))
    }
  }

  /** Resolves when the condition holds for every server. */
  async settled(condition: (entry: ServerEntry) => boolean, signal?: AbortSignal): Promise<void> {
    const holds = (): boolean => [...this.#entries.values()].every(condition)
    if (holds()) return
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (!holds()) return
        leave()
        resolve()
      }
      const onAbort = (): void => {
        leave()
        reject(new SwitchboardError('cancelled', 'Waiting for the servers was given up', { executed: false }))
      }
      const leave = (): void => {
        subscription.dispose()
        signal?.removeEventListener('abort', onAbort)
      }
      const subscription = this.#changed.add(check)
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
    })
  }

  /** Servers of which nothing is known yet and that a name with their prefix may belong to. */
  unknownOnes(exposed: string): ServerEntry[] {
    return this.#enabled().filter((entry) => {
      if (!entry.isUnknown()) return false
      const { prefix } = entry.config.tools
      return prefix === false || exposed.startsWith(`${sanitizeName(prefix)}_`)
    })
  }

  /** Build the new, stop what is gone or changed, start what is new. */
  async reconfigure(config: PoolConfig, start: StartManner | undefined): Promise<void> {
    const previous = this.#entries
    const next = new Map<string, ServerEntry>()
    const fresh: ServerEntry[] = []
    this.#setQueues(config)
    for (const server of config.servers) {
      const old = previous.get(server.name)
      if (old !== undefined && JSON.stringify(old.config) === JSON.stringify(server)) next.set(server.name, old)
      else {
        const entry = this.#createEntry(server)
        next.set(server.name, entry)
        fresh.push(entry)
      }
    }
    this.#entries = next
    const isOtherwiseRefused = this.#setMisconfigured(config)
    // Told only when it is so: every agent reads all lists anew.
    const order = [...previous.keys()]
    const isSame =
      !isOtherwiseRefused &&
      fresh.length === 0 &&
      order.length === next.size &&
      [...next.keys()].every((name, at) => name === order[at])
    if (!isSame) this.#listener({ type: 'servers_changed' })
    const gone = [...previous.values()].filter((entry) => next.get(entry.config.name) !== entry)
    for (const entry of gone) {
      entry.dispose()
      this.#leaving.add(entry)
    }
    await Promise.all(gone.map((entry) => entry.stop()))
    for (const entry of gone) {
      this.#leaving.delete(entry)
      entry.forget()
    }
    if (start === undefined || this.#isStopped) return
    for (const entry of fresh) entry.start(start)
  }

  #enabled(): ServerEntry[] {
    return [...this.#entries.values()].filter(({ config }) => config.enabled)
  }

  #createEntry(config: ServerConfig): ServerEntry {
    return new ServerEntry(config, this.#environment, this.#owner, this.#listener)
  }

  #find(name: string): ServerEntry {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    const refused = this.#refused.get(name)
    if (refused !== undefined) throw refused.createError()
    const hint = didYouMean(nearestName(name, this.#entries.keys()))
    throw new SwitchboardError('unknown_server', `No server is named "${name}"`, hint === undefined ? {} : { hint })
  }

  /** Returns whether others than before are not run, or for other reasons. */
  #setMisconfigured({ misconfigured }: PoolConfig): boolean {
    const before = JSON.stringify([...this.#refused.values()].map((server) => server.status()))
    this.#misconfigured = new Map(misconfigured.map((server) => [server.name, server]))
    const refused = misconfigured.filter(({ name }) => !this.#entries.has(name))
    this.#refused = new Map(refused.map((server) => [server.name, new MisconfiguredUpstream(server)]))
    return before !== JSON.stringify([...this.#refused.values()].map((server) => server.status()))
  }

  #setQueues(config: PoolConfig): void {
    for (const [name, { concurrent }] of Object.entries(config.queues)) {
      const known = this.#queues.get(name)
      if (known === undefined) this.#queues.set(name, new CallQueue(name, concurrent, this.#environment.clock))
      else known.setLimit(concurrent)
    }
  }
}
