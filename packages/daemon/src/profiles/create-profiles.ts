/**
 * Profiles, as the router knows them: those of the configuration and those that are built in. Of a pack every profile lists
 * its core; all of it is in the profile `<pack>-full`, and wherever `tools.allow` says exactly what is listed. What a profile does
 * not list of a pack is found by `tool_search`, and can be called.
 */
import type { Profile } from '@switchboard/gateway'
import type { ProfileConfig } from '@switchboard/gateway/config'
import { OWN_PROVIDER, toPackProvider } from '@switchboard/protocol/naming'
import type { PackDefinition } from '@switchboard/toolkit'
import { SET_MODE_TOOL } from '../modes/mode-policy.ts'

type ListedPack = Pick<PackDefinition, 'name' | 'tools'>

/** `packs`: those that are switched on. */
export function createProfiles(
  configured: Readonly<Record<string, ProfileConfig>>,
  packs: readonly ListedPack[],
): Profile[] {
  const extra = packs.flatMap(listExtra)
  const profiles = Object.entries(configured).map(([name, profile]) => toProfile(name, profile, extra))
  const addUnlessThere = (name: string, profile: ProfileConfig, hidden: readonly string[]): void => {
    if (!Object.hasOwn(configured, name)) profiles.push(toProfile(name, profile, hidden))
  }
  // Our own is in every profile, and has none of its own.
  const others = packs.filter(({ name }) => name !== OWN_PROVIDER)
  if (others.length > 0) addUnlessThere('default', PLAIN, extra)
  for (const pack of others) {
    const shown: ProfileConfig = { ...PLAIN, providers: [toPackProvider(pack.name)] }
    addUnlessThere(pack.name, shown, extra)
    addUnlessThere(
      `${pack.name}-full`,
      shown,
      extra.filter((tool) => !listExtra(pack).includes(tool)),
    )
  }
  return profiles
}

const PLAIN: ProfileConfig = { providers: undefined, tools: { allow: [], deny: [] }, search: false, pinned: [] }

/** What of a pack is listed only where all of it is asked for: a long list costs every agent, every time. */
function listExtra({ tools }: ListedPack): string[] {
  return tools.filter(({ listed, core }) => listed && !core).map(({ name }) => name)
}

function toProfile(
  name: string,
  { providers, tools: { allow, deny }, search, pinned }: ProfileConfig,
  extra: readonly string[],
): Profile {
  const hidden = allow.length > 0 ? [] : extra.filter((tool) => !pinned.includes(tool))
  return {
    name,
    tools: { allow, deny },
    search,
    unlisted: hidden,
    // Without it an agent that has to declare a mode would not know how.
    pinned: search ? [...pinned, SET_MODE_TOOL] : pinned,
    ...(providers === undefined ? {} : { providers }),
  }
}
