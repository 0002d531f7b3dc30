/**
 * Which provider a resource URI belongs to. URIs pass unchanged and the map remembers who listed them. When two list
 * the same one, the first in configuration order keeps it and the other's is exposed as `switchboard+<provider>:<uri>`.
 * URIs of skills and apps are never rewritten: manifests and tools name them, and would no longer find them.
 */

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
  /** By an exact URI, else by a template it fits, in configuration order. */
  toRoute(exposed: string): ResourceRoute | undefined
}

const NEVER_REWRITTEN = /^(?:skill|ui):\/\//i
const QUALIFIED = /^switchboard\+([^:]+):(.*)$/s

export function createResourceRoutes(providers: readonly ResourceProvider[]): ResourceRoutes {
  const owners = new Map<string, string>()
  const templates: { provider: string; pattern: RegExp }[] = []
  for (const { name, uris, templates: own } of providers) {
    for (const uri of uris) if (!owners.has(uri)) owners.set(uri, name)
    for (const template of own) templates.push({ provider: name, pattern: createTemplatePattern(template) })
  }
  const findByTemplate = (uri: string): string | undefined =>
    templates.find(({ pattern }) => pattern.test(uri))?.provider
  return {
    toExposed(provider, uri) {
      if (NEVER_REWRITTEN.test(uri)) return uri
      // One that nobody lists keeps its URI as well, unless asking for it would lead to somebody else.
      const owner = owners.get(uri) ?? findByTemplate(uri) ?? provider
      return owner === provider ? uri : `switchboard+${provider}:${uri}`
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

/** RFC 6570 as far as matching needs it: `{a}` is one segment, `{+a}`, `{#a}`, `{/a*}` may hold slashes, `{?a,b}` a query. */
function createTemplatePattern(template: string): RegExp {
  let pattern = ''
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (!part.startsWith('{')) pattern += part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    else if (/^\{[?&]/.test(part)) pattern += '(?:[?&][^#]*)?'
    else if (/^\{[+#/.;]/.test(part) || part.includes('*')) pattern += '.*'
    else pattern += '[^/?#]+'
  }
  return new RegExp(`^${pattern}$`, 's')
}
