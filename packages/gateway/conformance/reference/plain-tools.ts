/** The tools that the suite calls and that need nothing of the client. */
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { PIXEL, SOUND } from './media.ts'
import type { ReferenceState } from './reference-state.ts'

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

const WITH_HEADER = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
} as const

/** Returns the tool that comes and goes. */
export function registerPlainTools(server: McpServer, state: ReferenceState): RegisteredTool {
  const define = (name: string, description: string, run: (context: ServerContext) => Awaitable<CallToolResult>) =>
    server.registerTool(name, { description }, run)

  define('test_simple_text', 'Answers with a text.', () => say('This is a simple text response for testing.'))
  define('test_image_content', 'Answers with an image.', () => ({ content: [PIXEL] }))
  define('test_audio_content', 'Answers with a sound.', () => ({ content: [SOUND] }))
  define('test_embedded_resource', 'Answers with a resource.', () => ({
    content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }))
  define('test_multiple_content_types', 'Answers with a text, an image and a resource.', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      PIXEL,
      embed('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  }))
  define('test_error_handling', 'Always fails.', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  define('test_tool_with_logging', 'Logs three times.', async ({ mcpReq }) => {
    for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', text)
      await state.pause(50)
    }
    return say('Logged three times')
  })
  define('test_logging_tool', 'Logs once, when that is wanted.', async ({ mcpReq }) => {
    await mcpReq.log('info', 'A message for those who asked for messages')
    return say('Logged')
  })
  define('test_tool_with_progress', 'Reports progress three times.', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      await state.pause(50)
    }
    return say('Done')
  })
  define('test_reconnection', 'Closes the stream of its own call before it answers (legacy HTTP).', async (context) => {
    context.http?.closeSSE?.()
    await state.pause(100)
    return say('Answered after the stream was closed')
  })
  define('test_trigger_tool_change', 'Adds a tool to the list, or takes it away again.', () => {
    state.toggle('tools')
    return say('The list of tools has changed')
  })
  define('test_trigger_prompt_change', 'Adds a prompt to the list, or takes it away again.', () => {
    state.toggle('prompts')
    return say('The list of prompts has changed')
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(SCHEMA_2020_12) },
    (given) => say(JSON.stringify(given)),
  )
  server.registerTool(
    'test_custom_header',
    {
      description: 'Has a parameter that HTTP clients repeat in a header.',
      inputSchema: fromJsonSchema<{ region?: string }>(WITH_HEADER),
    },
    ({ region }) => say(region ?? 'nowhere'),
  )
  return define('test_added_tool', 'Comes and goes.', () => say('Here'))
}

type Awaitable<T> = T | Promise<T>

export function say(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

function embed(uri: string, mimeType: string, text: string): CallToolResult['content'][number] {
  return { type: 'resource', resource: { uri, mimeType, text } }
}
