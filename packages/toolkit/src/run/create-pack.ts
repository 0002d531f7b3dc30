/**
 * A pack as the router sees it: declared tools, guides, stored results and extras behind the one interface. A tool's own failure
 * is a result; only what is no tool call at all (an unknown method, name or resource) is thrown.
 */
import { type Clock, type Disposable, Listeners, nearestNames, systemClock } from '@switchboard/base'
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
import { toPackProvider } from '@switchboard/protocol/naming'
import type { Logger } from '@switchboard/telemetry'
import { getGuidePrompt } from '../guides/guide-prompts.ts'
import type { PackManifest } from '../manifest/tool-declaration.ts'
import { createCatalog, type Listing } from './pack-catalog.ts'
import { type PackExtras, withExtras } from './pack-extras.ts'
import { PackIndex } from './pack-index.ts'
import { ResultStore, type ResultStoreOptions } from './result-store.ts'
import { isResultUri, readStoredResult, toResultUri } from './stored-resource.ts'
import { ToolCaller } from './tool-caller.ts'
import type { PackHost, ToolFunctions } from './tool-context.ts'

export interface PackOptions<Host extends PackHost> {
  /** Of the pack; the router's name for it follows. */
  readonly name: string
  readonly manifest: PackManifest
  /** The run functions, by alias. */
  readonly tools: ToolFunctions<Host>
  readonly host: Host
  readonly log: Logger
  /** Default: names are exposed unchanged. */
  readonly naming?: ProviderNaming
  /** Prompts and resources besides, which may change while it runs. */
  readonly extras?: PackExtras
  /** What of it is shown at first. Default: all of it. */
  readonly listing?: Listing
  /** Of a result's text, and of its data. Default: 16 KiB. The rest is stored. */
  readonly maxBytes?: number
  readonly results?: ResultStoreOptions
  /** How long a run that was told to stop may take to do so. Default: 500 ms. */
  readonly graceMs?: number
  /** Whether output schemas are listed, and data is checked against them. Default: true; the catalog has them anyway. */
  readonly outputSchemas?: boolean
  /** What its status says besides. */
  readonly details?: () => JsonObject
  /** For tests and development: an author's mistake is thrown. Default: it is logged, and answered with E_INTERNAL. */
  readonly strict?: boolean
  readonly clock?: Clock
}

export interface Pack extends Provider {
  /** Whoever listens is told when that makes a difference. */
  relist(listing: Listing): void
  /** What is kept for a caller that is gone is forgotten. */
  release(owner: string): void
}

const DEFAULT_MAX_BYTES = 16 * 1024
const DEFAULT_GRACE_MS = 500

export function createPack<Host extends PackHost>(options: PackOptions<Host>): Pack {
  return new DeclaredPack(options)
}

class DeclaredPack<Host extends PackHost> implements Pack {
  readonly name: string
  readonly naming: ProviderNaming
  readonly #options: PackOptions<Host>
  readonly #listeners = new Listeners<[readonly CatalogPart[]]>()
  readonly #index: PackIndex<Host>
  readonly #manifest: PackManifest
  readonly #caller: ToolCaller<Host>
  readonly #results: ResultStore
  #listing: Listing
  #catalog: Catalog
  #hidden: ReadonlySet<string>
  #inFlight = 0
  #calls = 0
  #failed = 0

  constructor(options: PackOptions<Host>) {
    const { name, manifest, tools, host, naming = { prefix: false }, listing = {} } = options
    this.name = toPackProvider(name)
    this.naming = naming
    this.#options = options
    this.#manifest = manifest
    this.#index = new PackIndex(manifest, tools, host)
    this.#results = new ResultStore(options.results, options.clock)
    this.#listing = listing
    this.#catalog = this.#createCatalog()
    this.#hidden = new Set(listing.hidden)
    // As long as the pack itself: nobody is told any more when both are gone.
    options.extras?.onDidChange((parts) => {
      this.#catalog = this.#createCatalog()
      this.#listeners.notify(parts)
    })
    this.#caller = new ToolCaller({
      provider: this.name,
      host,
      guides: manifest.guides,
      log: options.log,
      clock: options.clock ?? systemClock,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      strict: options.strict ?? false,
      commonErrors: manifest.commonErrors ?? [],
      definitions: manifest.definitions ?? {},
      isDataChecked: options.outputSchemas ?? true,
      budgetFor: (call) => ({
        maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
        store: this.#results,
        owner: readerOf(call.caller),
        toUri: (id) => toResultUri(name, id),
      }),
    })
  }

  catalog(): Catalog {
    return this.#catalog
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    return this.#listeners.add(listener)
  }

  relist(listing: Listing): void {
    const before = JSON.stringify(this.#catalog.tools)
    this.#listing = listing
    this.#catalog = this.#createCatalog()
    this.#hidden = new Set(listing.hidden)
    if (JSON.stringify(this.#catalog.tools) === before) return
    this.#listeners.notify(['tools'])
  }

  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable {
    const { extras } = this.#options
    return extras?.onDidUpdateResource?.((uri) => listener(uri, { uri })) ?? { dispose: () => undefined }
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    switch (method) {
      case 'tools/call':
        return this.#callTool(readText(params, 'name', method), params.arguments, call)
      case 'prompts/get':
        return this.#getPrompt(readText(params, 'name', method), params, call)
      case 'resources/read':
        return this.#readResource(readText(params, 'uri', method), params, call)
      default: {
        const answer = await this.#options.extras?.request(method, params, call)
        if (answer !== undefined) return answer
        throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
      }
    }
  }

  status() {
    return {
      name: this.name,
      state: 'ready',
      stale: false,
      kind: 'pack',
      tools: this.#catalog.tools.length,
      inFlight: this.#inFlight,
      calls: this.#calls,
      failed: this.#failed,
      ...this.#options.details?.(),
      storedResults: { count: this.#results.count, bytes: this.#results.bytes },
    }
  }

  release(owner: string): void {
    this.#results.release(owner)
  }

  #createCatalog(): Catalog {
    const { name, manifest, outputSchemas = true, extras } = this.#options
    return withExtras(createCatalog({ name, manifest, outputSchemas }, this.#listing), extras)
  }

  async #getPrompt(name: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const { guides } = this.#manifest
    const isGuide = guides.some(({ id }) => id === name)
    const answer = isGuide ? undefined : await this.#options.extras?.request('prompts/get', params, call)
    return answer ?? getGuidePrompt(guides, name, this.#catalog.prompts)
  }

  async #readResource(uri: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const { name, extras } = this.#options
    const answer = isResultUri(name, uri) ? undefined : await extras?.request('resources/read', params, call)
    return answer ?? readStoredResult(name, this.#results, readerOf(call.caller), uri)
  }

  async #callTool(name: string, args: unknown, call: Call): Promise<JsonObject> {
    const tool = this.#index.find(name)
    if (tool === undefined || this.#hidden.has(tool.declaration.name)) {
      const suggestions = nearestNames(name, this.#index.names())
      throw new SwitchboardError('unknown_tool', `The pack ${this.#options.name} has no tool "${name}"`, {
        ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(' or ')}?` }),
        details: { tool: name, suggestions },
      })
    }
    this.#inFlight++
    this.#calls++
    try {
      const result = await this.#caller.call(tool, args, call)
      if (result.isError === true) this.#failed++
      return result
    } finally {
      this.#inFlight--
    }
  }
}

/** Whose a stored result is. Callers of whom nobody can tell are one: among them, knowing its id (96 random bits) lets one read. */
function readerOf(caller: Caller): string {
  return ownerOf(caller) ?? ''
}

function readText(params: JsonObject, member: string, method: string): string {
  const value = params[member]
  if (typeof value === 'string' && value !== '') return value
  throw new SwitchboardError('invalid_request', `${method} needs \`${member}\`, a text`)
}
