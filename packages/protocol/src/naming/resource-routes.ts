/**
 * Which provider a resource URI belongs to. URIs pass unchanged and the map remembers who listed them. When two list
 * the same one, the first in configuration order keeps it and the other's is exposed as `switchboard+<provider>:<uri>`.
 * URIs of skills and apps are never rewritten: manifests and tools name them, and would no longer find them.
 */
import { createUriMatcher } from './uri-template.ts'

export interface ResourceProvider {
  readonly name: string
  readonly uris: readonly string[]
  readonly templates: readonly string[]
}

export interface ResourceRoute {
  readonly provider: string
  /** As the provider itself knows it. */
  readonly uri: string
}

export interface ResourceRoutes {
  toExposed(provider: string, uri: string): string
  /** Undefined: another one lists the same, and it must not be rewritten. */
  toExposedTemplate(provider: string, template: string): string | undefined
  /** By an exact URI, else by a template it fits, in configuration order. */
  toRoute(exposed: string): ResourceRoute | undefined
}

const NEVER_REWRITTEN = /^(?:skill|ui):\/\//i
const QUALIFIED = /^switchboard\+([^:]+):(.*)$/s

export function createResourceRoutes(providers: readonly ResourceProvider[]): ResourceRoutes {
  const owners = new Map<string, string>()
  const templateOwners = new Map<string, string>()
  const templates: { provider: string; fits(uri: string): boolean }[] = []
  for (const { name, uris, templates: own } of providers) {
    for (const uri of uris) if (!owners.has(uri)) owners.set(uri, name)
    for (const template of own) {
      if (!templateOwners.has(template)) templateOwners.set(template, name)
      templates.push({ provider: name, fits: createUriMatcher(template) })
    }
  }
  const findByTemplate = (uri: string): string | undefined => templates.find(({ fits }) => fits(uri))?.provider
  return {
    toExposed(provider, uri) {
      if (NEVER_REWRITTEN.test(uri)) return uri
      // One that nobody lists keeps its URI as well, unless asking for it would lead to somebody else.
      const owner = owners.get(uri) ?? findByTemplate(uri) ?? provider
      return owner === provider ? uri : qualify(provider, uri)
    },
    toExposedTemplate(provider, template) {
      if ((templateOwners.get(template) ?? provider) === provider) return template
      return NEVER_REWRITTEN.test(template) ? undefined : qualify(provider, template)
    },
    toRoute(exposed) {
      const owner = owners.get(exposed)
      if (owner !== undefined) return { provider: owner, uri: exposed }
      const [, provider, uri] = QUALIFIED.exec(exposed) ?? []
      if (provider !== undefined && uri !== undefined && providers.some(({ name }) => name === provider))
        return { provider, uri }
      const fitting = findByTemplate(exposed)
      return fitting === undefined ? undefined : { provider: fitting, uri: exposed }
    },
  }
}

function qualify(provider: string, uri: string): string {
  return `switchboard+${provider}:${uri}`
}
