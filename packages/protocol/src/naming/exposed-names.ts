/**
 * The names under which agents see the tools of many providers, and the way back. A name never depends on which
 * provider is ready first: it follows from the configuration and from that provider's own list alone.
 *
 * 1. Plain name: `<prefix>_<tool>`, sanitised. It belongs to the provider with the longest prefix that fits it, so
 *    `shell` (tool `tools_run`) never takes what is `run` of `shell_tools`. Whoever does not own it gets a hash.
 * 2. Over 64 characters: cut, with a hash. Empty: a hash.
 * 3. Where prefixes are related, a plain name that looks hashed gets a hash as well: then a hashed name of one
 *    provider can never be the plain name of another.
 * 4. The one provider without a prefix keeps its own names unchanged, whatever they are, unless another owns them.
 * 5. Only providers with equal prefixes depend on each other's lists: the first in the configuration keeps the name.
 * 6. A name that is reserved belongs to the provider that reserves it, whether or not it is listed, and to nobody else:
 *    those of Switchboard's own tools are.
 * 7. Packs keep their names whatever the prefixes of servers are, and change nobody else's: of a name that a server has
 *    already, the server keeps it.
 */
import { isPackProvider } from './pack-provider.ts'
import { createShortHash } from './short-hash.ts'

export const MAX_EXPOSED_NAME = 64

export interface NamedProvider {
  readonly name: string
  /** Default: the provider's name. False or '': no prefix. */
  readonly prefix?: string | false | undefined
  /** Own names. A repeated one counts once. */
  readonly tools: readonly string[]
  /** Own name to new name, before the prefix. */
  readonly rename?: Readonly<Record<string, string>> | undefined
  /** Exposed names that nobody else gets, whether or not it lists them now. */
  readonly reserves?: readonly string[] | undefined
}

export interface Route {
  readonly provider: string
  readonly own: string
}

export interface ExposedRoute extends Route {
  readonly exposed: string
}

export interface RouteMap {
  toExposed(provider: string, own: string): string | undefined
  toRoute(exposed: string): Route | undefined
  /** In the order of the providers, and of each provider's list. */
  entries(): ExposedRoute[]
  names(): string[]
}

/** One character outside `[A-Za-z0-9_-]` becomes one underscore; an emoji is one character. */
export function sanitizeName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/gu, '_')
}

/** `reserved`: names for somebody who is not among the providers. */
export function createRouteMap(providers: readonly NamedProvider[], reserved: readonly string[] = []): RouteMap {
  const keepers = new Map<string, string | undefined>(reserved.map((name) => [name, undefined]))
  for (const { name, reserves = [] } of providers) for (const kept of reserves) keepers.set(kept, name)
  const plans = providers.map((provider) => ({ provider, ...planPrefix(provider, providers) }))
  const routes = new Map<string, Route>()
  const exposedNames = new Map<string, Map<string, string>>()
  for (const { provider, prefix, owners, related } of plans) {
    const own = exposedNames.get(provider.name) ?? new Map<string, string>()
    exposedNames.set(provider.name, own)
    for (const tool of inOrderOfClaim(provider)) {
      if (own.has(tool)) continue
      const plain = joinName(prefix, labelOf(provider, tool))
      const isPlain =
        (prefix === '' ? plain !== '' : isUsable(plain) && !(related && HASHED.test(plain))) &&
        !owners.some((owner) => plain.startsWith(owner)) &&
        (!keepers.has(plain) || keepers.get(plain) === provider.name)
      const exposed = isPlain && !routes.has(plain) ? plain : findHashedName(plain, provider.name, tool, routes)
      routes.set(exposed, { provider: provider.name, own: tool })
      own.set(tool, exposed)
    }
  }
  const entries = (): ExposedRoute[] => listEntries(providers, exposedNames)
  return {
    toExposed: (provider, own) => exposedNames.get(provider)?.get(own),
    toRoute: (exposed) => routes.get(exposed),
    entries,
    names: () => entries().map(({ exposed }) => exposed),
  }
}

const HASHED = /_[0-9a-f]{8}$/
/** An underscore and eight hex digits follow. */
const KEPT_BEFORE_HASH = MAX_EXPOSED_NAME - 9

function prefixOf(provider: NamedProvider): string {
  return provider.prefix === false ? '' : sanitizeName(provider.prefix ?? provider.name)
}

function planPrefix(
  provider: NamedProvider,
  providers: readonly NamedProvider[],
): { prefix: string; owners: string[]; related: boolean } {
  const prefix = prefixOf(provider)
  const owners: string[] = []
  let related = false
  if (isPackProvider(provider.name)) return { prefix, owners, related }
  for (const other of providers) {
    if (other.name === provider.name || isPackProvider(other.name)) continue
    const otherPrefix = prefixOf(other)
    if (isWithin(otherPrefix, prefix) && otherPrefix.length > prefix.length) owners.push(`${otherPrefix}_`)
    // Compared as a hashed name keeps them: a longer prefix is itself cut there.
    const [cut, otherCut] = [prefix.slice(0, KEPT_BEFORE_HASH), otherPrefix.slice(0, KEPT_BEFORE_HASH)]
    related ||= isWithin(otherCut, cut) || isWithin(cut, otherCut)
  }
  return { prefix, owners, related }
}

/** Whether names under `inner` may also be read as names under `outer`. */
function isWithin(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}_`)
}

function labelOf(provider: NamedProvider, own: string): string {
  const { rename } = provider
  return rename !== undefined && Object.hasOwn(rename, own) ? (rename[own] ?? own) : own
}

/** Without a prefix a name is exposed exactly as its server has it. */
function joinName(prefix: string, label: string): string {
  return prefix === '' ? label : sanitizeName(`${prefix}_${label}`)
}

function isUsable(name: string): boolean {
  return name !== '' && name.length <= MAX_EXPOSED_NAME
}

/** Names that needed no change claim first, then renamed ones, then the rest; each group in code-unit order. */
function inOrderOfClaim(provider: NamedProvider): string[] {
  const rank = (own: string): number => {
    const label = labelOf(provider, own)
    if (prefixOf(provider) !== '' && sanitizeName(label) !== label) return 2
    return label === own ? 0 : 1
  }
  return [...new Set(provider.tools)]
    .map((own) => ({ own, rank: rank(own) }))
    .sort((a, b) => a.rank - b.rank || (a.own < b.own ? -1 : 1))
    .map(({ own }) => own)
}

/** A second round is only ever needed when two hashes of 32 bits are equal. */
function findHashedName(plain: string, provider: string, own: string, taken: ReadonlyMap<string, Route>): string {
  for (let round = 0; ; round++) {
    const salt = round === 0 ? '' : `\0${round}`
    const suffix = `_${createShortHash(`${provider}\0${own}${salt}`)}`
    const name = sanitizeName(plain).slice(0, KEPT_BEFORE_HASH) + suffix
    if (!taken.has(name)) return name
  }
}

function listEntries(
  providers: readonly NamedProvider[],
  exposedNames: ReadonlyMap<string, ReadonlyMap<string, string>>,
): ExposedRoute[] {
  const entries = new Map<string, ExposedRoute>()
  for (const { name, tools } of providers) {
    for (const own of tools) {
      const exposed = exposedNames.get(name)?.get(own)
      if (exposed !== undefined) entries.set(exposed, { exposed, provider: name, own })
    }
  }
  return [...entries.values()]
}
