/** A whole MCP server without any library: one JSON message a line, in and out. It ends when its stdin does. */
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: { readonly zone?: string; readonly from?: number }
    readonly requestId?: number
    readonly _meta?: { readonly progressToken?: number }
  }
}

const describeTool = (name: string, description: string, argument: string, property: object): object => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { [argument]: property },
    required: [argument],
    additionalProperties: false,
  },
})
const tools = [
  describeTool('now', 'The time in a time zone', 'zone', { type: 'string' }),
  describeTool('countdown', 'Counts down', 'from', { type: 'integer', minimum: 1 }),
]
const serverInfo = { name: 'clock', version: '1.0.0' }
const cancelled = new Set<number | undefined>()
const send = (message: object): void => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))

async function callTool({ id, params: { name, arguments: { zone, from = 0 } = {}, _meta } = {} }: Message) {
  if (name === 'now') return new Date().toLocaleTimeString('en-GB', { timeZone: zone })
  for (let progress = 1; progress <= from && !cancelled.has(id); progress++) {
    await delay(20)
    send({ method: 'notifications/progress', params: { ..._meta, progress, total: from } })
  }
  return 'Lift-off'
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: Message = JSON.parse(line)
  const { id, method, params } = message
  const reply = (result: object): void => send({ id, result })
  if (method === 'initialize') reply({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
  else if (method === 'ping') reply({})
  else if (method === 'tools/list') reply({ tools })
  else if (method === 'tools/call') void callTool(message).then((text) => reply({ content: [{ type: 'text', text }] }))
  else if (method === 'notifications/cancelled') cancelled.add(params?.requestId)
  else if (id !== undefined) send({ id, error: { code: -32601, message: `${method} is not offered` } })
}
