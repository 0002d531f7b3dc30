/** Profiles of the configuration, as the router knows them. */
import { type Profile, Router } from '@switchboard/gateway'
import { CORE_DEBUG_TOOLS, DEBUG_PROVIDER } from '@switchboard/pack-debug'
import type { ProfileConfig } from '@switchboard/pool'
import { type Provider, SwitchboardError } from '@switchboard/protocol'

/**
 * Those of the configuration and, where the debugger is there, those that are built in. Of a pack every profile lists what
 * most agents need; all of it is in the profile that is named for it, and where `tools.allow` says exactly what is listed.
 */
export function createProfiles(
  configured: Readonly<Record<string, ProfileConfig>>,
  debugTools: readonly string[] = [],
): Profile[] {
  const core = new Set(CORE_DEBUG_TOOLS)
  const extra = debugTools.filter((name) => !core.has(name))
  const profiles = Object.entries(configured).map(([name, profile]) => toProfile(name, profile, extra))
  if (debugTools.length === 0) return profiles
  const addUnlessThere = (name: string, profile: ProfileConfig, hidden: readonly string[]): void => {
    if (!Object.hasOwn(configured, name)) profiles.push(toProfile(name, profile, hidden))
  }
  const shown: ProfileConfig = { ...PLAIN, providers: [DEBUG_PROVIDER] }
  addUnlessThere('default', PLAIN, extra)
  addUnlessThere('debug', shown, extra)
  addUnlessThere('debug-full', shown, [])
  return profiles
}

const PLAIN: ProfileConfig = { providers: undefined, tools: { allow: [], deny: [] }, search: false, pinned: [] }

function toProfile(
  name: string,
  { providers, tools: { allow, deny }, search, pinned }: ProfileConfig,
  extra: readonly string[],
): Profile {
  const hidden = allow.length > 0 ? [] : extra.filter((tool) => !pinned.includes(tool))
  return {
    name,
    tools: { allow, deny: [...deny, ...hidden] },
    search,
    pinned,
    ...(providers === undefined ? {} : { providers }),
  }
}

/** For a call that goes through no gateway: what it would be told there. Throws `unknown_profile` or `profile_denied`. */
export function throwOnHiddenTool(
  { profiles, providers }: { profiles: Readonly<Record<string, ProfileConfig>>; providers: readonly Provider[] },
  profile: string,
  tool: string,
): void {
  const source = { providers: () => providers, onDidChangeProviders: () => ({ dispose: () => {} }) }
  const router = new Router(source, createProfiles(profiles))
  try {
    if (router.view(profile).findTool(tool) !== 'denied') return
    throw new SwitchboardError('profile_denied', `The profile "${profile}" does not list ${tool}`)
  } finally {
    router.dispose()
  }
}
