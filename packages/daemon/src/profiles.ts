/** Profiles of the configuration, as the router knows them. */
import { type Profile, Router } from '@switchboard/gateway'
import type { ProfileConfig } from '@switchboard/pool'
import { type Provider, SwitchboardError } from '@switchboard/protocol'

export function createProfiles(profiles: Readonly<Record<string, ProfileConfig>>): Profile[] {
  return Object.entries(profiles).map(([name, { providers, tools, search, pinned }]) => ({
    name,
    tools,
    search,
    pinned,
    ...(providers === undefined ? {} : { providers }),
  }))
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
