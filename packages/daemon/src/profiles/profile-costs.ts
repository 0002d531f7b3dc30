import { listTools, type Profile, View } from '@switchboard/gateway'
import { estimateToolTokens, type Provider } from '@switchboard/protocol'

/** What a profile lists, and what that costs a model. */
export interface ProfileCost {
  readonly name: string
  readonly tools: number
  readonly tokens: number
}

/** What an agent of each profile gets listed, and what that costs it. */
export function listProfileCosts(profiles: readonly Profile[], providers: readonly Provider[]): ProfileCost[] {
  return profiles.map((profile) => {
    const tools = listTools(new View(profile, providers))
    return { name: profile.name, tools: tools.length, tokens: estimateToolTokens(tools) }
  })
}
