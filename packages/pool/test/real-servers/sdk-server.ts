/**
 * A server built on the public SDK of the modern era, started as a program:
 * `sdk-server.ts <modern|dual> <file>`. Every start adds a line to the file, so that a second spawn cannot hide.
 */
import { appendFileSync } from 'node:fs'
import { acceptedContent, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [, , eras = 'modern', journal = ''] = process.argv
appendFileSync(journal, `${process.pid}\n`)

const CITY = fromJsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
})
const CONFIRMATION = {
  type: 'object' as const,
  properties: { sure: { type: 'boolean' as const } },
  required: ['sure'],
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'sdk-built', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.registerTool('weather', { description: 'A forecast', inputSchema: CITY }, ({ city }) => ({
    content: [{ type: 'text', text: `Sunny in ${city}` }],
  }))
  server.registerTool('count', { description: 'Counts to three' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
      const params = { progressToken, progress, total: 3, message: `step ${progress}` }
      await context.mcpReq.notify({ method: 'notifications/progress', params })
    }
    return { content: [{ type: 'text', text: 'counted' }] }
  })
  server.registerTool('deploy', { description: 'Asks first' }, (context) => {
    const answer = acceptedContent<{ sure: boolean }>(context.mcpReq.inputResponses, 'confirm')
    if (answer === undefined) {
      const confirm = inputRequired.elicit({ message: 'Deploy now?', requestedSchema: CONFIRMATION })
      return inputRequired({ inputRequests: { confirm }, requestState: 'round-one' })
    }
    const state = context.mcpReq.requestState<string>()
    return { content: [{ type: 'text', text: `${answer.sure ? 'deployed' : 'left alone'} after ${state}` }] }
  })
  return server
}

serveStdio(createServer, { legacy: eras === 'dual' ? 'serve' : 'reject' })
