/**
 * The benchmark's tool as most servers are made: with the SDK's v1, here by its low-level class, which checks no arguments
 * and so is the fastest that the SDK can be.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const TOOLS = [
  {
    name: 'echo',
    description: 'Says what it is told.',
    inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] },
  },
]

/** `toolMs`: how long the tool takes; 0 answers at once. */
export function createSdkEcho(toolMs = 0): Server {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const result = { content: [{ type: 'text', text: String(params.arguments?.text ?? '') }] }
    return toolMs === 0 ? result : delay(toolMs, result)
  })
  return server
}
