/** The pool's one picture of who offers what under which name, made anew when a catalog changes. */
import { nearestNames } from '@switchboard/base'
import type { HeldDefinition } from '@switchboard/protocol/errors'
import type { Prompt, Resource, ResourceTemplate, Tool } from '@switchboard/protocol/mcp'
import { createResourceRoutes, createRouteMap, type ResourceRoutes, type RouteMap } from '@switchboard/protocol/naming'
import type { ServerConfig } from './config/server-config.ts'
import type { Upstream } from './upstream/upstream.ts'

/** Where an exposed thing comes from, beside its definition. */
interface Origin {
  readonly server: string
  /** The name or URI that the server itself uses. */
  readonly own: string
  /** Its server is not up; this is the last that was known. */
  readonly stale: boolean
}

export type ExposedTool = Tool & Origin
export type ExposedPrompt = Prompt & Origin
export type ExposedResource = Resource & Origin
export type ExposedTemplate = ResourceTemplate & Origin

/** What is listed nowhere until a person has accepted it, by the name that it would have. */
export interface HeldTool extends HeldDefinition {
  readonly exposed: string
}

export interface RoutedServer {
  readonly config: ServerConfig
  readonly provider: Pick<Upstream, 'catalog' | 'stale'>
}

export class Routes {
  readonly tools: readonly ExposedTool[]
  readonly heldTools: readonly HeldTool[]
  readonly prompts: readonly ExposedPrompt[]
  readonly resources: readonly ExposedResource[]
  readonly templates: readonly ExposedTemplate[]
  readonly #toolRoutes: RouteMap
  readonly #promptRoutes: RouteMap
  readonly #resourceRoutes: ResourceRoutes

  constructor(servers: readonly RoutedServer[], reserved: readonly string[] = []) {
    const views = servers.map(({ config, provider }) => ({
      config,
      catalog: provider.catalog(),
      stale: provider.stale,
    }))
    const naming = (config: ServerConfig) => ({
      name: config.name,
      prefix: config.tools.prefix,
      rename: config.tools.rename,
    })
    this.#toolRoutes = createRouteMap(
      views.map(({ config, catalog }) => ({ ...naming(config), tools: namesOf(catalog.tools, catalog.held?.tools) })),
      reserved,
    )
    this.#promptRoutes = createRouteMap(
      views.map(({ config, catalog }) => ({
        ...naming(config),
        rename: {},
        tools: namesOf(catalog.prompts, catalog.held?.prompts),
      })),
    )
    this.#resourceRoutes = createResourceRoutes(
      views.map(({ config, catalog }) => ({
        name: config.name,
        uris: catalog.resources.map(({ uri }) => uri),
        templates: catalog.templates.map(({ uriTemplate }) => uriTemplate),
      })),
    )
    const tools: ExposedTool[] = []
    const heldTools: HeldTool[] = []
    const prompts: ExposedPrompt[] = []
    const resources: ExposedResource[] = []
    const templates: ExposedTemplate[] = []
    for (const { config, catalog, stale } of views) {
      const server = config.name
      for (const tool of catalog.tools) {
        const name = this.#toolRoutes.toExposed(server, tool.name) ?? tool.name
        tools.push({ ...tool, name, server, own: tool.name, stale })
      }
      for (const [name, reason] of catalog.held?.tools ?? []) {
        heldTools.push({
          server,
          kind: 'tool',
          name,
          reason,
          exposed: this.#toolRoutes.toExposed(server, name) ?? name,
        })
      }
      for (const prompt of catalog.prompts) {
        const name = this.#promptRoutes.toExposed(server, prompt.name) ?? prompt.name
        prompts.push({ ...prompt, name, server, own: prompt.name, stale })
      }
      for (const resource of catalog.resources) {
        const uri = this.#resourceRoutes.toExposed(server, resource.uri)
        resources.push({ ...resource, uri, server, own: resource.uri, stale })
      }
      for (const template of catalog.templates) {
        const own = template.uriTemplate
        const uriTemplate = this.#resourceRoutes.toExposedTemplate(server, own) ?? own
        templates.push({ ...template, uriTemplate, server, own, stale })
      }
    }
    this.tools = tools
    this.heldTools = heldTools
    this.prompts = prompts
    this.resources = resources
    this.templates = templates
  }

  findTool(exposed: string): { provider: string; own: string } | undefined {
    return this.#toolRoutes.toRoute(exposed)
  }

  findPrompt(exposed: string): { provider: string; own: string } | undefined {
    return this.#promptRoutes.toRoute(exposed)
  }

  findResource(exposed: string): { provider: string; uri: string } | undefined {
    return this.#resourceRoutes.toRoute(exposed)
  }

  suggestTools(name: string): string[] {
    return nearestNames(
      name,
      this.tools.map((tool) => tool.name),
    )
  }
}

/** What is held back keeps its name: a call of it is refused by whose it is, and no other takes it meanwhile. */
function namesOf(
  listed: readonly { readonly name: string }[],
  held: ReadonlyMap<string, string> | undefined,
): string[] {
  return [...listed.map(({ name }) => name), ...(held?.keys() ?? [])]
}
