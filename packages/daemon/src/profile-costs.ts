import { listTools, View } from '@switchboard/gateway'
import type { ProfileConfig } from '@switchboard/pool'
import { estimateTokens, type Provider } from '@switchboard/protocol'
import { createProfiles } from './profiles.ts'

/** What a profile lists, and what that costs a model. */
export interface ProfileCost {
  readonly name: string
  readonly tools: number
  readonly tokens: number
}

/** What an agent of each profile gets listed, and what that costs it. */
export function listProfileCosts(
  profiles: Readonly<Record<string, ProfileConfig>>,
  providers: readonly Provider[],
): ProfileCost[] {
  return createProfiles(profiles).map((profile) => {
    const tools = listTools(new View(profile, providers))
    return {
      name: profile.name,
      tools: tools.length,
      tokens: tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)),
    }
  })
}
