/**
 * Which provider a resource URI belongs to. URIs pass unchanged and the map remembers who listed them. When two list
 * the same one, the first in configuration order keeps it and the other's is exposed as `switchboard+<provider>:<uri>`.
 * A template that names no scheme (`{+x}`) would take in everybody's: it leads nowhere but under its provider's name.
 * URIs of skills and apps are never rewritten: manifests and tools name them, and would no longer find them.
 */
import { createUriMatcher, namesScheme, type UriMatcher } from './uri-template.ts'

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

/** For one URI, over all templates that begin as it does: thousands of usual ones, or what takes a few milliseconds. */
const MAX_STEPS = 2_000_000
const NEVER_REWRITTEN = /^(?:skill|ui):\/\//i
const QUALIFIED = /^switchboard\+([^:]+):(.*)$/s

export function createResourceRoutes(providers: readonly ResourceProvider[]): ResourceRoutes {
  const owners = new Map<string, string>()
  const templateOwners = new Map<string, string>()
  const templates: { readonly provider: string; readonly matcher: UriMatcher }[] = []
  const names = new Set(providers.map(({ name }) => name))
  /** What says that it is another one's leads to that one, whoever lists it. */
  const isAnothers = (provider: string, uri: string): boolean => {
    const [, named] = QUALIFIED.exec(uri) ?? []
    return named !== undefined && named !== provider && names.has(named)
  }
  for (const { name, uris, templates: own } of providers) {
    for (const uri of uris) if (!owners.has(uri) && !isAnothers(name, uri)) owners.set(uri, name)
    for (const template of own) {
      if (!namesScheme(template) || isAnothers(name, template)) continue
      if (!templateOwners.has(template)) templateOwners.set(template, name)
      templates.push({ provider: name, matcher: createUriMatcher(template) })
    }
  }
  const findByTemplate = (uri: string): string | undefined => {
    let left = MAX_STEPS
    for (const { provider, matcher } of templates) {
      const cost = matcher.cost(uri)
      if (cost === 0) continue
      left -= cost
      if (left < 0) return undefined
      if (matcher.fits(uri)) return provider
    }
    return undefined
  }
  return {
    toExposed(provider, uri) {
      if (NEVER_REWRITTEN.test(uri)) return uri
      // One that nobody lists keeps its URI as well, unless asking for it would lead to somebody else.
      const owner = owners.get(uri) ?? findByTemplate(uri) ?? provider
      if (isAnothers(provider, uri)) return qualify(provider, uri)
      return owner === provider ? uri : qualify(provider, uri)
    },
    toExposedTemplate(provider, template) {
      if (!namesScheme(template) || isAnothers(provider, template)) return qualify(provider, template)
      if ((templateOwners.get(template) ?? provider) === provider) return template
      return NEVER_REWRITTEN.test(template) ? undefined : qualify(provider, template)
    },
    toRoute(exposed) {
      const owner = owners.get(exposed)
      if (owner !== undefined) return { provider: owner, uri: exposed }
      const [, provider, uri] = QUALIFIED.exec(exposed) ?? []
      if (provider !== undefined && uri !== undefined && names.has(provider)) return { provider, uri }
      const fitting = findByTemplate(exposed)
      return fitting === undefined ? undefined : { provider: fitting, uri: exposed }
    },
  }
}

function qualify(provider: string, uri: string): string {
  return `switchboard+${provider}:${uri}`
}
