/** A list of tools is paid for in every conversation: where it is long, searching is offered in its place. */
import { estimateToolTokens } from '@switchboard/protocol'
import { formatCount, formatTokens } from '../terminal/format.ts'

const MANY_TOOLS = 100
const MANY_TOKENS = 20_000

export interface ListCost {
  readonly name: string
  readonly tools: number
  readonly tokens: number
}

/** Of the profile that holds where none is named; a profile that searches is short by itself. Undefined: it is short enough. */
export async function adviseSearch(
  profiles: readonly ListCost[],
  all: Omit<ListCost, 'name'>,
): Promise<string | undefined> {
  const { tools, tokens } = profiles.find(({ name }) => name === 'default') ?? all
  if (tools <= MANY_TOOLS && tokens <= MANY_TOKENS) return undefined
  const saved = formatTokens(Math.max(0, tokens - (await countSearchTokens())))
  const list = `${formatCount(tools, 'tool')}, about ${formatTokens(tokens)} tokens in every conversation`
  return `${list}: with switchboard tools --search on agents find tools by searching, which saves about ${saved} of them`
}

/** What is listed in place of everything. */
async function countSearchTokens(): Promise<number> {
  const { listTools, View } = await import('@switchboard/gateway')
  const profile = { name: 'search', tools: { allow: [], deny: [] }, search: true, pinned: [], unlisted: [] }
  return estimateToolTokens(listTools(new View(profile, [])))
}
