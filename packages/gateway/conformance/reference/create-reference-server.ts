import { McpServer } from '@modelcontextprotocol/server'
import { type AskingStyle, registerAskingTools, verifyState } from './asking-tools.ts'
import { registerPlainTools } from './plain-tools.ts'
import { CHANGING_LISTS, type ReferenceState } from './reference-state.ts'
import { registerPrompts, registerResources } from './resources-and-prompts.ts'

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

export interface ReferenceServer {
  readonly server: McpServer
  /** Brings what comes and goes in line with the state; the SDK tells the client of it. */
  follow(): void
}

/** One server object of the SDK with everything that the suite expects; the same for both eras and every transport. */
export function createReferenceServer(state: ReferenceState, style: AskingStyle): ReferenceServer {
  const server = new McpServer(
    { name: 'conformance-reference', version: '1.0.0' },
    { capabilities: CAPABILITIES, requestState: { verify: verifyState } },
  )
  const entries = { tools: registerPlainTools(server, state), prompts: registerPrompts(server) }
  registerAskingTools(server, style)
  registerResources(server)
  const follow = (): void => {
    for (const list of CHANGING_LISTS) {
      const isListed = state.has(list)
      if (entries[list].enabled !== isListed) entries[list].update({ enabled: isListed })
    }
  }
  follow()
  return { server, follow }
}
