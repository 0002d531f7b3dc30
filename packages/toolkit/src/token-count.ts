import type { Tool } from '@switchboard/protocol/mcp'

const CHARACTERS_PER_TOKEN = 4

/** What listing these tools costs a model, roughly: four characters of their JSON are one token. */
export function countListTokens(tools: readonly Tool[]): number {
  return tools.length === 0 ? 0 : Math.ceil(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN)
}
