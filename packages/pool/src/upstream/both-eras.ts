/**
 * A remote server that speaks both eras: each caller is spoken to in its own, so that whatever works for it directly works
 * through us. To the router it is one provider. The main connection finds out the era, is what is listed and what resources
 * are followed by; the other one speaks the other era, and is there only while the server does.
 *
 * Whether a modern server speaks the legacy era as well nobody says: `initialize` is tried, and a server that refuses it is
 * spoken to in the modern era by all. A server that was taken for a legacy one, and answers the question for its era late,
 * gets its modern connection then.
 */
import { type Disposable, Listeners, NEVER_ABORTED } from '@switchboard/base'
import {
  type Call,
  type Caller,
  type Catalog,
  type CatalogPart,
  createTraceId,
  type Era,
  isJsonObject,
  type JsonObject,
  type Provider,
  type ProviderNaming,
} from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import { noCatalogCache } from '../cache/catalog-cache.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { SupervisorState } from '../supervision/supervision.ts'
import { CallQueue } from './call-queue.ts'
import { withoutHeld } from './held-definitions.ts'
import type { ServerStatus } from './server-status.ts'
import { type StateListener, Upstream, type UpstreamOptions } from './upstream.ts'

/** What is done once for all callers, whatever their era. */
const FOR_ALL: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe', 'ping'])
const SET_LEVEL = 'logging/setLevel'
const LEVEL_TIMEOUT_MS = 5000

export class BothEras implements Provider {
  readonly name: string
  readonly config: ServerConfig
  readonly #options: UpstreamOptions
  readonly #main: Upstream
  readonly #catalogListeners = new Listeners<[parts: readonly CatalogPart[]]>()
  readonly #updateListeners = new Listeners<[uri: string, params: JsonObject]>()
  readonly #noticeListeners = new Listeners<[method: string, params: JsonObject]>()
  readonly #changed = new Listeners<[]>()
  /** Ended, while they are being closed: nothing of ours is alive after a stop. */
  readonly #leaving = new Set<Promise<void>>()
  #other: Upstream | undefined
  #isStopped = false
  #level: JsonObject | undefined
  #merged: { readonly main: Catalog; readonly other: Catalog; readonly catalog: Catalog } | undefined

  constructor(options: UpstreamOptions) {
    const { config, environment } = options
    this.name = config.name
    this.config = config
    // One limit for both: it is one server.
    const places = new CallQueue(config.name, config.concurrency, environment.clock)
    this.#options = { ...options, places }
    this.#main = new Upstream({ ...this.#options, onEra: (era) => this.#onEra(era) })
    this.#hear(this.#main)
    this.#main.onCatalogChange((parts) => {
      this.#other?.judgeAgain()
      this.#catalogListeners.notify(parts)
    })
  }

  get naming(): ProviderNaming {
    return this.#main.naming
  }

  get state(): SupervisorState {
    return this.#main.state
  }

  get stale(): boolean {
    return this.#main.stale
  }

  catalog(): Catalog {
    const main = this.#main.catalog()
    const other = this.#other?.catalog()
    if (other === undefined) return main
    if (this.#merged?.main !== main || this.#merged.other !== other) {
      this.#merged = { main, other, catalog: merge(main, other) }
    }
    return this.#merged.catalog
  }

  judgeAgain(): void {
    this.#main.judgeAgain()
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    return this.#catalogListeners.add(listener)
  }

  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable {
    return this.#updateListeners.add(listener)
  }

  onNotice(listener: (method: string, params: JsonObject) => void): Disposable {
    return this.#noticeListeners.add(listener)
  }

  onStateChange(listener: StateListener): Disposable {
    return this.#main.onStateChange(listener)
  }

  tellServer(method: string): void {
    this.#main.tellServer(method)
    this.#other?.tellServer(method)
  }

  start(): void {
    this.#isStopped = false
    this.#main.start()
  }

  rest(): void {
    this.#main.rest()
    this.#other?.rest()
  }

  restart(): void {
    this.#isStopped = false
    this.#main.restart()
    this.#other?.restart()
  }

  async stop(options?: { force?: boolean }): Promise<void> {
    this.#isStopped = true
    this.#endOther(options)
    await Promise.all([this.#main.stop(options), ...this.#leaving])
    this.#changed.notify()
  }

  releaseCaller(caller: string): void {
    this.#main.releaseCaller(caller)
    this.#other?.releaseCaller(caller)
  }

  request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    if (method === SET_LEVEL) return this.#setLevel(params, call)
    if (call.caller.era === this.#main.era || FOR_ALL.has(method)) return this.#main.request(method, params, call)
    // Nearly always it is known by now whether there is another, and then nothing is waited for.
    const chosen = this.#choose(call.caller.era)
    return chosen === undefined ? this.#requestLater(method, params, call) : chosen.request(method, params, call)
  }

  status(): ServerStatus {
    const main = this.#main.status()
    const other = this.#other?.status()
    if (other?.era === undefined) return main
    return {
      ...main,
      ...(main.era === undefined ? {} : { eras: [main.era, other.era] }),
      calls: main.calls + other.calls,
      failures: main.failures + other.failures,
    }
  }

  async #requestLater(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    if (this.#main.state.kind === 'idle') this.#main.start()
    const chosen = await this.#awaitChoice(call)
    return chosen.request(method, params, call)
  }

  /** Undefined: that is being found out. */
  #choose(era: Era): Upstream | undefined {
    const { kind } = this.#main.state
    // A modern caller need not wait: that era is asked for first.
    const isUnknown = this.#main.era === undefined && (kind === 'idle' || kind === 'starting')
    if (isUnknown) return era === 'modern' ? this.#main : undefined
    const other = this.#other
    if (other?.era !== undefined) return other
    // Where its first try fails for another reason than its era, it is tried again while the main one serves all.
    return other?.state.kind === 'starting' && other.state.lastFailure === undefined ? undefined : this.#main
  }

  /** No longer than the call itself would: whoever is chosen then says what there is to say. */
  #awaitChoice({ caller, signal, timeout = this.config.timeout }: Call): Promise<Upstream> {
    return new Promise((resolve) => {
      const look = (): void => {
        const chosen = signal.aborted ? this.#main : this.#choose(caller.era)
        if (chosen !== undefined) decide(chosen)
      }
      const decide = (chosen: Upstream): void => {
        subscription.dispose()
        timer.cancel()
        signal.removeEventListener('abort', look)
        resolve(chosen)
      }
      const subscription = this.#changed.add(look)
      const timer = this.#options.environment.clock.setTimer(timeout, () => decide(this.#main))
      signal.addEventListener('abort', look)
      look()
    })
  }

  #onEra(era: Era | 'both'): void {
    const wanted: Era | undefined = era === 'both' ? 'modern' : era === 'modern' ? 'legacy' : undefined
    const isThere = this.#other?.config.era === wanted && this.#other?.state.kind !== 'failed'
    if (this.#isStopped || isThere) return
    this.#endOther()
    if (wanted === undefined) return
    const { config, environment, policy } = this.#options
    const other = new Upstream({
      ...this.#options,
      config: { ...config, era: wanted },
      // What is remembered on disk is what the main connection found out.
      environment: {
        ...environment,
        cache: noCatalogCache,
        // One server is one to whoever accepts it, and the eras may describe a tool differently.
        judge: (_config, read) => withoutHeld(read, this.#main.catalog().held),
      },
      policy: { ...policy, isOptional: true },
      onEra: () => {
        if (this.#level !== undefined && wanted === 'legacy') sendLevel(other, this.#level)
      },
    })
    this.#other = other
    this.#hear(other)
    other.onCatalogChange(() => this.#onOtherCatalog())
    other.start()
  }

  #endOther(options?: { force?: boolean }): void {
    const other = this.#other
    this.#other = undefined
    if (other === undefined) return
    const ended = other.stop(options).finally(() => this.#leaving.delete(ended))
    this.#leaving.add(ended)
  }

  #hear(upstream: Upstream): void {
    upstream.onResourceUpdated(this.#updateListeners.notify)
    upstream.onNotice(this.#noticeListeners.notify)
    upstream.onStateChange(() => this.#changed.notify())
  }

  /** Both announce what changes; it is told again only where the other one's list adds something. */
  #onOtherCatalog(): void {
    const before = this.#merged?.catalog ?? this.#main.catalog()
    const after = this.catalog()
    if (JSON.stringify(before.tools) !== JSON.stringify(after.tools)) this.#catalogListeners.notify(['tools'])
  }

  #setLevel(params: JsonObject, call: Call): Promise<JsonObject> {
    this.#level = params
    const legacy = [this.#main, this.#other].find((upstream) => upstream?.era === 'legacy')
    return legacy === undefined ? Promise.resolve({}) : legacy.request(SET_LEVEL, params, call)
  }
}

function sendLevel(upstream: Upstream, params: JsonObject): void {
  const caller: Caller = { era: 'legacy', capabilities: {} }
  const call: Call = { id: 'level', traceId: createTraceId(), caller, signal: NEVER_ABORTED, timeout: LEVEL_TIMEOUT_MS }
  upstream.request(SET_LEVEL, params, call).catch(() => {
    // A server without logging says so; there is nothing to do about it.
  })
}

/** The main one's, and what the other era adds to it: how a tool may be run as a task, and what else is declared there. */
function merge(main: Catalog, other: Catalog): Catalog {
  const executions = new Map(other.tools.map(({ name, execution }) => [name, execution]))
  const add = (tool: Tool): Tool => {
    const execution = executions.get(tool.name)
    return execution === undefined || tool.execution !== undefined ? tool : { ...tool, execution }
  }
  const isSame = main.tools.every((tool) => add(tool) === tool)
  return {
    ...main,
    tools: isSame ? main.tools : main.tools.map(add),
    capabilities: { ...other.capabilities, ...main.capabilities, ...mergeExtensions(main, other) },
  }
}

function mergeExtensions(main: Catalog, other: Catalog): JsonObject {
  const { extensions } = other.capabilities
  if (!isJsonObject(extensions)) return {}
  const own = main.capabilities.extensions
  return { extensions: { ...extensions, ...(isJsonObject(own) ? own : {}) } }
}
