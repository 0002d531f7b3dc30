/**
 * What one profile sees of all providers, at one moment: the exposed lists in a deterministic order (providers as
 * configured, then each one's own order) and the way from an exposed name back to its provider. Immutable.
 */
import { type Catalog, isJsonObject, type JsonObject, type Provider } from '@switchboard/protocol'
import type { HeldDefinition } from '@switchboard/protocol/errors'
import type { Prompt, Resource, ResourceTemplate, Tool } from '@switchboard/protocol/mcp'
import { createResourceRoutes, createRouteMap, type ResourceRoutes, type RouteMap } from '@switchboard/protocol/naming'
import { joinInstructions } from './join-instructions.ts'
import { createProfileFilter, type Profile, type WorkspaceListing } from './profile.ts'

export interface Target {
  readonly provider: Provider
  /** The name or URI by which the provider itself knows it. */
  readonly own: string
}

export interface ToolTarget extends Target {
  /** As the profile lists it: under its exposed name, also where it was asked for by an alias. */
  readonly tool: Tool
}

export class View {
  readonly profile: Profile
  readonly tools: readonly Tool[]
  /** Can be called and found, and are not listed. */
  readonly unlisted: readonly Tool[]
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly instructions: string
  readonly providers: readonly Provider[]
  readonly #catalogs: ReadonlyMap<string, Catalog>
  readonly #byName: ReadonlyMap<string, Provider>
  /** By every name that leads to one: one look is all that a call needs. */
  readonly #targets: ReadonlyMap<string, ToolTarget>
  readonly #toolRoutes: RouteMap
  readonly #promptRoutes: RouteMap
  readonly #resourceRoutes: ResourceRoutes
  readonly #isListed: (exposed: string) => boolean

  /** `remarks`: what agents are told besides. */
  constructor(profile: Profile, all: readonly Provider[], listing?: WorkspaceListing, remarks: readonly string[] = []) {
    this.profile = profile
    const filter = createProfileFilter(profile)
    // Names follow from all providers, so that a tool has the same name in every profile.
    const catalogs = new Map(all.map((provider) => [provider.name, provider.catalog()]))
    this.#catalogs = catalogs
    this.#byName = new Map(all.map((provider) => [provider.name, provider]))
    const isHere = (name: string): boolean =>
      listing?.absent.has(name) !== true || profile.providers?.includes(name) === true
    this.providers = all.filter(({ name }) => filter.provider(name) && isHere(name))
    const listOf = (provider: Provider): Catalog => catalogs.get(provider.name) as Catalog
    this.#toolRoutes = createRouteMap(
      all.map((provider) => ({
        name: provider.name,
        ...provider.naming,
        tools: [
          ...listOf(provider).tools.map(({ name }) => name),
          ...Object.keys(listOf(provider).aliases ?? {}),
          // What is held back keeps its name: no other takes it meanwhile.
          ...(listOf(provider).held?.tools.keys() ?? []),
        ],
      })),
    )
    this.#promptRoutes = createRouteMap(
      all.map((provider) => ({
        name: provider.name,
        prefix: provider.naming?.prefix,
        tools: [...listOf(provider).prompts.map(({ name }) => name), ...(listOf(provider).held?.prompts.keys() ?? [])],
      })),
    )
    this.#resourceRoutes = createResourceRoutes(
      all.map((provider) => ({
        name: provider.name,
        uris: listOf(provider).resources.map(({ uri }) => uri),
        // A template has no name of its own to keep: only those that this profile lists lead anywhere.
        templates: this.providers.includes(provider)
          ? listOf(provider).templates.map(({ uriTemplate }) => uriTemplate)
          : [],
      })),
    )
    this.#isListed = filter.tool
    const tools: Tool[] = []
    const unlisted: Tool[] = []
    const isUnlisted = new Set(profile.unlisted?.filter((name) => listing?.listed.has(name) !== true))
    const targets = new Map<string, ToolTarget>()
    const prompts: Prompt[] = []
    const resources: Resource[] = []
    const templates: ResourceTemplate[] = []
    const uris = new Set<string>()
    for (const provider of this.providers) {
      const catalog = listOf(provider)
      for (const tool of catalog.tools) {
        const name = this.#toolRoutes.toExposed(provider.name, tool.name)
        if (name === undefined || !filter.tool(name)) continue
        const listed = name === tool.name ? tool : { ...tool, name }
        if (isUnlisted.has(name)) unlisted.push(listed)
        else tools.push(listed)
        targets.set(name, { provider, own: tool.name, tool: listed })
      }
      for (const [alias, own] of Object.entries(catalog.aliases ?? {})) {
        const name = this.#toolRoutes.toExposed(provider.name, alias)
        const target = targets.get(this.#toolRoutes.toExposed(provider.name, own) ?? '')
        if (name !== undefined && target !== undefined) targets.set(name, target)
      }
      for (const prompt of catalog.prompts) {
        const name = this.#promptRoutes.toExposed(provider.name, prompt.name)
        if (name !== undefined) prompts.push(name === prompt.name ? prompt : { ...prompt, name })
      }
      for (const resource of catalog.resources) {
        const uri = this.#resourceRoutes.toExposed(provider.name, resource.uri)
        // A second one of a URI that is never rewritten could not be read anyway.
        if (uris.has(uri)) continue
        uris.add(uri)
        resources.push(uri === resource.uri ? resource : { ...resource, uri })
      }
      for (const template of catalog.templates) {
        const uriTemplate = this.#resourceRoutes.toExposedTemplate(provider.name, template.uriTemplate)
        if (uriTemplate === undefined) continue
        templates.push(uriTemplate === template.uriTemplate ? template : { ...template, uriTemplate })
      }
    }
    this.tools = tools
    this.unlisted = unlisted
    this.prompts = prompts
    this.resources = resources
    this.templates = templates
    this.#targets = targets
    this.instructions = joinInstructions(
      this.providers.map((provider) => {
        const { instructions: text, held } = listOf(provider)
        return { provider: provider.name, text, held: (held?.tools.size ?? 0) + (held?.prompts.size ?? 0) }
      }),
      remarks,
    )
  }

  /** Whether `tool_search` and its like are among its tools: there is more than it lists. */
  get isSearchable(): boolean {
    return this.profile.search === true || this.unlisted.length > 0
  }

  /** The name of a tool as this profile lists it; undefined when it does not. */
  exposeTool(provider: string, own: string): string | undefined {
    const exposed = this.#toolRoutes.toExposed(provider, own)
    return exposed !== undefined && this.#targets.has(exposed) ? exposed : undefined
  }

  /** The definition as listed; undefined when this profile does not list it. */
  tool(exposed: string): Tool | undefined {
    const tool = this.#targets.get(exposed)?.tool
    return tool?.name === exposed ? tool : undefined
  }

  /** The same in full: with the output schema, also where the list leaves it out; by an alias too. */
  describeTool(given: string): Tool | undefined {
    const target = this.#targets.get(given)
    if (target === undefined) return undefined
    const outputSchema = this.#catalogs.get(target.provider.name)?.outputSchemaOf?.(target.own)
    return outputSchema === undefined ? target.tool : { ...target.tool, outputSchema }
  }

  /** The listed name of what is called by an alias, also where this profile does not list it; every other name is its own. */
  canonicalName(given: string): string {
    const route = this.#toolRoutes.toRoute(given)
    const aliases = route === undefined ? undefined : this.#catalogs.get(route.provider)?.aliases
    if (route === undefined || aliases === undefined || !Object.hasOwn(aliases, route.own)) return given
    return this.#toolRoutes.toExposed(route.provider, aliases[route.own] ?? '') ?? given
  }

  findTool(given: string): ToolTarget | 'unknown' | 'denied' | 'held' {
    return this.#targets.get(given) ?? this.#explainMissing(this.canonicalName(given))
  }

  /** Of a tool that this profile would list, were it not held back. */
  findHeld(exposed: string): HeldDefinition | undefined {
    const route = this.#toolRoutes.toRoute(exposed)
    if (route === undefined || !this.#isListed(exposed)) return undefined
    const reason = this.#catalogs.get(route.provider)?.held?.tools.get(route.own)
    if (reason === undefined || !this.providers.some(({ name }) => name === route.provider)) return undefined
    return { server: route.provider, kind: 'tool', name: route.own, reason }
  }

  findPrompt(exposed: string): Target | undefined {
    const route = this.#promptRoutes.toRoute(exposed)
    return route === undefined ? undefined : this.findAt(route.provider, route.own)
  }

  findResource(uri: string): Target | undefined {
    const route = this.#resourceRoutes.toRoute(uri)
    return route === undefined ? undefined : this.findAt(route.provider, route.uri)
  }

  /** Also one that nobody lists: with a single provider that offers resources there is no doubt whose it is. */
  findServedResource(uri: string): Target | undefined {
    const found = this.findResource(uri)
    if (found !== undefined) return found
    const [only, other] = this.withCapability('resources')
    return only !== undefined && other === undefined ? { provider: only, own: uri } : undefined
  }

  /** What a provider calls so, listed or not; undefined when this profile does not have the provider. */
  findAt(providerName: string, own: string): Target | undefined {
    const provider = this.providers.find(({ name }) => name === providerName)
    return provider === undefined ? undefined : { provider, own }
  }

  findTemplate(uriTemplate: string): Target | undefined {
    const provider = this.providers.find(({ name }) =>
      this.#catalogs.get(name)?.templates.some((template) => template.uriTemplate === uriTemplate),
    )
    return provider === undefined ? undefined : { provider, own: uriTemplate }
  }

  exposeUri(provider: string, uri: string): string {
    return this.#resourceRoutes.toExposed(provider, uri)
  }

  catalogOf(provider: Provider): Catalog | undefined {
    return this.#catalogs.get(provider.name)
  }

  /** Those that declare a capability, for requests that name no single provider. */
  withCapability(name: string): Provider[] {
    return this.providers.filter((provider) => isJsonObject(this.#catalogs.get(provider.name)?.capabilities[name]))
  }

  withExtension(id: string): Provider[] {
    return this.providers.filter((provider) => {
      const extensions = this.#catalogs.get(provider.name)?.capabilities.extensions
      return isJsonObject(extensions) && isJsonObject(extensions[id])
    })
  }

  /** The capabilities of all, merged; an extension that any of them declares is there. */
  capabilities(): JsonObject {
    const merged: JsonObject = {}
    for (const provider of this.providers) merge(merged, this.#catalogs.get(provider.name)?.capabilities ?? {})
    return merged
  }

  #explainMissing(exposed: string): 'unknown' | 'denied' | 'held' {
    if (this.findHeld(exposed) !== undefined) return 'held'
    const route = this.#toolRoutes.toRoute(exposed)
    const provider = route === undefined ? undefined : this.#byName.get(route.provider)
    if (provider === undefined) return 'unknown'
    return this.#isListed(exposed) && this.providers.includes(provider) ? 'unknown' : 'denied'
  }
}

function merge(into: JsonObject, from: Readonly<JsonObject>): void {
  for (const [key, value] of Object.entries(from)) {
    const known = into[key]
    if (isJsonObject(known) && isJsonObject(value)) {
      const copy = { ...known }
      merge(copy, value)
      into[key] = copy
    } else if (known !== true) into[key] = value
  }
}
