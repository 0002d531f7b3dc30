/** A named view of the catalog. Which one applies follows from the URL path, the credential or a flag, never from a message. */
import { didYouMean, nearestName } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createToolFilter, OWN_PROVIDER } from '@switchboard/protocol/naming'

export interface Profile {
  readonly name: string
  /** Names of providers; undefined: all. Switchboard's own tools are there in any case, unless `tools` leaves them out. */
  readonly providers?: readonly string[]
  /** Globs over exposed tool names; deny wins. */
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }
  /** Lists `tool_search`, `tool_describe`, `tool_call` and the pinned tools in place of all. */
  readonly search?: boolean
  /** Exposed names that stay listed with `search`. */
  readonly pinned?: readonly string[]
  /** Exposed names of tools that can be called and are found by `tool_search`, but are not listed: a list costs every agent. */
  readonly unlisted?: readonly string[]
}

export const DEFAULT_PROFILE: Profile = { name: 'default' }

/** Everything there is. It is in no map: no name in a URL, a credential or a message leads to it. */
export const UNRESTRICTED: Profile = { name: 'everything' }

/** What callers of one workspace get listed otherwise than their profile says. */
export interface WorkspaceListing {
  /** Names of providers that they do not get listed, unless their profile names them. */
  readonly absent: ReadonlySet<string>
  /** Exposed names of tools that they get listed though it leaves them to `tool_search`. */
  readonly listed: ReadonlySet<string>
}

/** Whose view is asked for. */
export interface Viewer {
  readonly profile: string
  /** Sees everything, whatever the profile says: a person at a terminal. */
  readonly isUnrestricted?: boolean
  /** Where its window is: not every provider is listed everywhere. */
  readonly workspace?: string
}

export function findProfile(profiles: ReadonlyMap<string, Profile>, name: string): Profile {
  const found = profiles.get(name)
  if (found !== undefined) return found
  if (name === DEFAULT_PROFILE.name) return DEFAULT_PROFILE
  const hint = didYouMean(nearestName(name, profiles.keys()))
  throw new SwitchboardError('unknown_profile', `No profile is named "${name}"`, {
    ...(hint === undefined ? {} : { hint }),
  })
}

export function createProfileFilter(profile: Profile): {
  provider(name: string): boolean
  tool(exposed: string): boolean
} {
  const { providers, tools } = profile
  const listed = providers === undefined ? undefined : new Set(providers)
  const passes = createToolFilter({ allow: tools?.allow ?? [], deny: tools?.deny ?? [] })
  return { provider: (name) => name === OWN_PROVIDER || (listed?.has(name) ?? true), tool: passes }
}
