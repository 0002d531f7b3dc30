/** The pool's one picture of who offers what under which name, made anew when a catalog changes. */
import { nearestNames } from '@switchboard/base'
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

export interface RoutedServer {
  readonly config: ServerConfig
  readonly provider: Pick<Upstream, 'catalog' | 'stale'>
}

export class Routes {
  readonly tools: readonly ExposedTool[]
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
      views.map(({ config, catalog }) => ({ ...naming(config), tools: catalog.tools.map(({ name }) => name) })),
      reserved,
    )
    this.#promptRoutes = createRouteMap(
      views.map(({ config, catalog }) => ({
        ...naming(config),
        rename: {},
        tools: catalog.prompts.map(({ name }) => name),
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
    const prompts: ExposedPrompt[] = []
    const resources: ExposedResource[] = []
    const templates: ExposedTemplate[] = []
    for (const { config, catalog, stale } of views) {
      const server = config.name
      for (const tool of catalog.tools) {
        const name = this.#toolRoutes.toExposed(server, tool.name) ?? tool.name
        tools.push({ ...tool, name, server, own: tool.name, stale })
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
