/**
 * A pack as the router sees it: declared tools, guides and stored results behind the one interface. A tool's own failure
 * is a result; only what is no tool call at all (an unknown method, name or resource) is thrown.
 */
import {
  type Call,
  type Caller,
  type Catalog,
  type JsonObject,
  nearestNames,
  type Provider,
  type ProviderNaming,
  SwitchboardError,
} from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import { type Clock, systemClock } from '../clock.ts'
import { getGuidePrompt, listGuidePrompts } from '../guides/guide-prompts.ts'
import { createOutputSchema } from '../manifest/output-schema.ts'
import type { PackManifest } from '../manifest/tool-declaration.ts'
import { describeTool } from './describe-tool.ts'
import { PackIndex } from './pack-index.ts'
import { ResultStore, type ResultStoreOptions } from './result-store.ts'
import { createResultTemplate, readStoredResult, toResultUri } from './stored-resource.ts'
import { ToolCaller } from './tool-caller.ts'
import type { PackHost, ToolFunctions } from './tool-context.ts'

export interface PackOptions<Host extends PackHost> {
  readonly name: string
  readonly manifest: PackManifest
  /** The run functions, by alias. */
  readonly tools: ToolFunctions<Host>
  readonly host: Host
  readonly log: Logger
  /** Default: names are exposed unchanged. */
  readonly naming?: ProviderNaming
  /** What the pack tells a model about itself. */
  readonly instructions?: string
  /** Of a result's text, and of its data. Default: 16 KiB. The rest is stored. */
  readonly maxBytes?: number
  readonly results?: ResultStoreOptions
  /** How long a run that was told to stop may take to do so. Default: 500 ms. */
  readonly graceMs?: number
  /** Whether output schemas are listed, and data is checked against them. Default: true; the catalog has them anyway. */
  readonly outputSchemas?: boolean
  /** For tests and development: an author's mistake is thrown. Default: it is logged, and answered with E_INTERNAL. */
  readonly strict?: boolean
  readonly clock?: Clock
}

export interface Pack extends Provider {
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
  readonly #catalog: Catalog
  readonly #index: PackIndex<Host>
  readonly #manifest: PackManifest
  readonly #caller: ToolCaller<Host>
  readonly #results: ResultStore
  #inFlight = 0
  #calls = 0
  #failed = 0

  constructor(options: PackOptions<Host>) {
    const { name, manifest, tools, host, naming = { prefix: false }, outputSchemas = true } = options
    this.name = name
    this.naming = naming
    this.#manifest = manifest
    this.#index = new PackIndex(manifest, tools, host)
    this.#results = new ResultStore(options.results, options.clock)
    const { definitions = {} } = manifest
    const schemas = Object.fromEntries(
      this.#index.listed.flatMap(({ name: tool, data }) =>
        data === undefined ? [] : [[tool, createOutputSchema(data, definitions)]],
      ),
    )
    this.#catalog = {
      tools: this.#index.listed.map((declaration) =>
        describeTool(declaration, outputSchemas ? schemas[declaration.name] : undefined),
      ),
      ...(outputSchemas ? {} : { outputSchemas: schemas }),
      aliases: this.#index.aliases,
      resources: [],
      templates: [createResultTemplate(name)],
      prompts: listGuidePrompts(manifest.guides),
      instructions: options.instructions ?? '',
      // Not `resources`: stored results are reached by their template, and an upstream's unlisted ones stay reachable.
      capabilities: { tools: {}, ...(manifest.guides.length === 0 ? {} : { prompts: {} }) },
    }
    this.#caller = new ToolCaller({
      pack: name,
      host,
      guides: manifest.guides,
      log: options.log,
      clock: options.clock ?? systemClock,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      strict: options.strict ?? false,
      commonErrors: manifest.commonErrors ?? [],
      definitions,
      isDataChecked: outputSchemas,
      budgetFor: (call) => ({
        maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
        store: this.#results,
        owner: ownerOf(call.caller),
        toUri: (id) => toResultUri(name, id),
      }),
    })
  }

  catalog(): Catalog {
    return this.#catalog
  }

  /** What a pack offers is fixed when it is built. */
  onCatalogChange(): { dispose(): void } {
    return { dispose: () => undefined }
  }

  onResourceUpdated(): { dispose(): void } {
    return { dispose: () => undefined }
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    switch (method) {
      case 'tools/call':
        return this.#callTool(readText(params, 'name', method), params.arguments, call)
      case 'prompts/get':
        return getGuidePrompt(this.#manifest.guides, readText(params, 'name', method))
      case 'resources/read':
        return readStoredResult(this.name, this.#results, ownerOf(call.caller), readText(params, 'uri', method))
      default:
        throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
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
      storedResults: { count: this.#results.count, bytes: this.#results.bytes },
    }
  }

  release(owner: string): void {
    this.#results.release(owner)
  }

  async #callTool(name: string, args: unknown, call: Call): Promise<JsonObject> {
    const tool = this.#index.find(name)
    if (tool === undefined) {
      const suggestions = nearestNames(name, this.#index.names())
      throw new SwitchboardError('unknown_tool', `The pack ${this.name} has no tool "${name}"`, {
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

/**
 * Whose a stored result is: the window's, else the conversation's. Callers without either come by a connection that may change
 * with every request, so they are one: among them, knowing the id (96 random bits) is what lets one read.
 */
function ownerOf({ instance, session }: Caller): string {
  return instance ?? session ?? ''
}

function readText(params: JsonObject, member: string, method: string): string {
  const value = params[member]
  if (typeof value === 'string' && value !== '') return value
  throw new SwitchboardError('invalid_request', `${method} needs \`${member}\`, a text`)
}
