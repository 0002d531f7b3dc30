import type { Disposable } from '@switchboard/base'
import {
  type Call,
  type Caller,
  type Catalog,
  type CatalogPart,
  EMPTY_CATALOG,
  type JsonObject,
  type Provider,
  type ProviderNaming,
  type ProviderStatus,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Prompt, Resource, ResourceTemplate, Tool } from '@switchboard/protocol/mcp'

export interface ReceivedRequest {
  readonly method: string
  readonly params: JsonObject
  readonly call: Call
}

export type Handler = (params: JsonObject, call: Call) => JsonObject | Promise<JsonObject>

export interface FakeProviderOptions {
  readonly catalog?: Partial<Catalog>
  readonly naming?: ProviderNaming
  /** Default: ready. */
  readonly state?: string
  /** By method; one that is missing is answered as a server without it does. */
  readonly answers?: Readonly<Record<string, Handler>>
}

/** A provider in memory: answers as it is told, remembers what it was asked, and changes when a test says so. */
export class FakeProvider implements Provider {
  readonly name: string
  readonly naming?: ProviderNaming
  readonly requests: ReceivedRequest[] = []
  readonly #answers: Readonly<Record<string, Handler>>
  readonly #catalogListeners = new Set<(parts: readonly CatalogPart[]) => void>()
  readonly #resourceListeners = new Set<(uri: string, params: JsonObject) => void>()
  readonly #noticeListeners = new Set<(method: string, params: JsonObject, owner?: string) => void>()
  /** What it was told, and on whose behalf. */
  readonly told: { readonly method: string; readonly caller: Caller }[] = []
  readonly #waiting: { method: string; resolve(request: ReceivedRequest): void }[] = []
  readonly #state: string
  #catalog: Catalog

  constructor(name: string, { catalog, naming, state = 'ready', answers = {} }: FakeProviderOptions = {}) {
    this.name = name
    this.#state = state
    if (naming !== undefined) this.naming = naming
    this.#catalog = { ...EMPTY_CATALOG, ...catalog }
    this.#answers = answers
  }

  get listenerCount(): number {
    return this.#catalogListeners.size + this.#resourceListeners.size + this.#noticeListeners.size
  }

  /** The methods it was asked, in order. */
  get methods(): string[] {
    return this.requests.map(({ method }) => method)
  }

  get lastParams(): JsonObject | undefined {
    return this.requests.at(-1)?.params
  }

  catalog(): Catalog {
    return this.#catalog
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    this.#catalogListeners.add(listener)
    return { dispose: () => void this.#catalogListeners.delete(listener) }
  }

  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable {
    this.#resourceListeners.add(listener)
    return { dispose: () => void this.#resourceListeners.delete(listener) }
  }

  onNotice(listener: (method: string, params: JsonObject, owner?: string) => void): Disposable {
    this.#noticeListeners.add(listener)
    return { dispose: () => void this.#noticeListeners.delete(listener) }
  }

  notify(method: string, caller: Caller): void {
    this.told.push({ method, caller })
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const request = { method, params, call }
    this.requests.push(request)
    const index = this.#waiting.findIndex((waiting) => waiting.method === method)
    if (index >= 0) this.#waiting.splice(index, 1)[0]?.resolve(request)
    const answer = this.#answers[method]
    if (answer === undefined) throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
    return answer(params, call)
  }

  status(): ProviderStatus {
    return { name: this.name, state: this.#state, stale: false }
  }

  /** The next request of that method that comes. */
  waitFor(method: string): Promise<ReceivedRequest> {
    return new Promise((resolve) => this.#waiting.push({ method, resolve }))
  }

  simulateCatalog(catalog: Partial<Catalog>, parts: readonly CatalogPart[] = ['tools']): void {
    this.#catalog = { ...this.#catalog, ...catalog }
    for (const listener of [...this.#catalogListeners]) listener(parts)
  }

  simulateNotice(method: string, params: JsonObject, owner?: string): void {
    for (const listener of [...this.#noticeListeners]) listener(method, params, owner)
  }

  simulateResourceUpdated(uri: string, params: JsonObject = { uri }): void {
    for (const listener of [...this.#resourceListeners]) listener(uri, params)
  }
}

export function tool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...more }
}

export function resource(uri: string): Resource {
  return { uri, name: uri }
}

export function template(uriTemplate: string): ResourceTemplate {
  return { uriTemplate, name: uriTemplate }
}

export function prompt(name: string): Prompt {
  return { name }
}

/** A call that ends when its signal is aborted, with the reason. */
export function untilAborted(call: Call): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(call.signal.reason)
    if (call.signal.aborted) onAbort()
    else call.signal.addEventListener('abort', onAbort, { once: true })
  })
}
