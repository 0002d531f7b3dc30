/**
 * Switchboard's own tools, as a provider like any other: the router sees no difference. Its names have no prefix and are
 * kept for it (`protocol/src/naming/own-tools.ts`); it stands behind all servers, so that its tools are listed last.
 */
import type { ExposedTool } from '@switchboard/pool'
import {
  type Call,
  type Catalog,
  type CatalogPart,
  type Disposable,
  EMPTY_CATALOG,
  type JsonObject,
  OWN_PROVIDER,
  type Provider,
  type ProviderStatus,
  SwitchboardError,
} from '@switchboard/protocol'
import { checkArguments } from './check-arguments.ts'
import { type OwnTool, toCallResult } from './own-tool.ts'

/** Of what runs in this process, as the commands show them beside those of servers. */
export function listOwnTools(provider: Provider): ExposedTool[] {
  return provider.catalog().tools.map((tool) => ({ ...tool, server: provider.name, own: tool.name, stale: false }))
}

export interface BuiltinContent {
  readonly tools: readonly OwnTool[]
  /** What every agent is told at its start; empty: nothing. */
  readonly instructions: string
}

export class BuiltinProvider implements Provider {
  readonly name = OWN_PROVIDER
  readonly naming = { prefix: false } as const
  readonly #listeners = new Set<(parts: readonly CatalogPart[]) => void>()
  #tools: ReadonlyMap<string, OwnTool> = new Map()
  #catalog: Catalog = EMPTY_CATALOG

  constructor(content: BuiltinContent) {
    this.#set(content)
  }

  catalog(): Catalog {
    return this.#catalog
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** It has no resources. */
  onResourceUpdated(): Disposable {
    return { dispose: () => {} }
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const tool = typeof params.name === 'string' ? this.#tools.get(params.name) : undefined
    if (method !== 'tools/call') throw new SwitchboardError('unknown_method', `Method not found: ${method}`)
    if (tool === undefined) throw new SwitchboardError('unknown_tool', `Unknown tool: "${String(params.name)}"`)
    const begun = performance.now()
    const args = checkArguments(tool.definition, params.arguments)
    return toCallResult(await tool.run(args, call), tool.definition.name, call, begun)
  }

  status(): ProviderStatus {
    return { name: this.name, state: 'ready', stale: false }
  }

  /** Tells everybody who listens when the list is another one now. */
  update(content: BuiltinContent): void {
    const before = this.#catalog.tools.map(({ name }) => name).join()
    this.#set(content)
    if (this.#catalog.tools.map(({ name }) => name).join() === before) return
    for (const listener of [...this.#listeners]) listener(['tools'])
  }

  #set({ tools, instructions }: BuiltinContent): void {
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, tool]))
    this.#catalog = { ...EMPTY_CATALOG, tools: tools.map(({ definition }) => definition), instructions }
  }
}
