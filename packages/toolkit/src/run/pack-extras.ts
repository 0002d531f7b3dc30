/**
 * What a pack offers besides its tools, guides and stored results: prompts and resources of its own, which may change while it
 * runs, and methods of an extension. Lists are the same for every caller; a guide keeps its name, a stored result its URI.
 */
import type { Disposable } from '@switchboard/base'
import type { Call, Catalog, CatalogPart, JsonObject } from '@switchboard/protocol'
import type { Prompt, Resource, ResourceTemplate } from '@switchboard/protocol/mcp'

export interface PackExtras {
  /** As they are now. */
  prompts(): readonly Prompt[]
  resources(): readonly Resource[]
  readonly templates?: readonly ResourceTemplate[]
  /** By their ids, with what each declares. */
  readonly extensions?: JsonObject
  /** One of its lists is another now. */
  onDidChange(listener: (parts: readonly CatalogPart[]) => void): Disposable
  /** The content of one resource is another now. Absent: that is never told, and nobody can subscribe. */
  onDidUpdateResource?(listener: (uri: string) => void): Disposable
  /** `prompts/get`, `resources/read` and whatever else is no call of a tool. Undefined: it has no such thing. */
  request(method: string, params: JsonObject, call: Call): Promise<JsonObject | undefined>
}

/** A catalog with what the pack offers now besides. */
export function withExtras(catalog: Catalog, extras: PackExtras | undefined): Catalog {
  if (extras === undefined) return catalog
  const { extensions } = extras
  const taken = new Set(catalog.prompts.map(({ name }) => name))
  const prompts = extras.prompts().filter(({ name }) => !taken.has(name))
  return {
    ...catalog,
    prompts: [...catalog.prompts, ...prompts],
    resources: [...catalog.resources, ...extras.resources()],
    templates: [...catalog.templates, ...(extras.templates ?? [])],
    capabilities: { ...catalog.capabilities, prompts: {}, ...(extensions === undefined ? {} : { extensions }) },
  }
}
