/** Resources, prompts and the one completion that the suite asks for. */
import {
  fromJsonSchema,
  type GetPromptResult,
  inputRequired,
  type McpServer,
  type RegisteredPrompt,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { ask, collect } from './asking-tools.ts'
import { PIXEL } from './media.ts'

export function registerResources(server: McpServer): void {
  const text = (uri: string, name: string, description: string, content: string) =>
    server.registerResource(name, uri, { description, mimeType: 'text/plain' }, () => ({
      contents: [{ uri, mimeType: 'text/plain', text: content }],
    }))
  text('test://static-text', 'static-text', 'A text.', 'This is the content of the static text resource.')
  text('test://watched-resource', 'watched-resource', 'May be subscribed to.', 'Watched')
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image.', mimeType: PIXEL.mimeType },
    () => ({ contents: [{ uri: 'test://static-binary', mimeType: PIXEL.mimeType, blob: PIXEL.data }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data for any id.', mimeType: 'application/json' },
    (uri, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` }
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(data) }] }
    },
  )
  // Nothing ever changes in the watched resource, so there is nothing to remember of a subscription.
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function user(...content: GetPromptResult['messages'][number]['content'][]): GetPromptResult {
  return { messages: content.map((one) => ({ role: 'user', content: one })) }
}

function textArguments(...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}` }]))
  return fromJsonSchema<Record<string, string>>({ type: 'object', properties, required: names })
}

/** Returns the prompt that comes and goes. */
export function registerPrompts(server: McpServer): RegisteredPrompt {
  server.registerPrompt('test_simple_prompt', { description: 'Has no arguments.' }, () =>
    user({ type: 'text', text: 'This is a simple prompt for testing.' }),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Has two arguments.', argsSchema: textArguments('arg1', 'arg2') },
    ({ arg1, arg2 }) => user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource.', argsSchema: textArguments('resourceUri') },
    ({ resourceUri = '' }) =>
      user(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image.' }, () =>
    user(PIXEL, { type: 'text', text: 'Please analyze the image above.' }),
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, (context) => {
    const form = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    }
    const found = collect(context, { user_context: ask('What context should the prompt use?', form) })
    if ('open' in found) return inputRequired({ inputRequests: found.open })
    return user({ type: 'text', text: `With this context: ${found.answers}` })
  })
  server.server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party', 'test-value'].filter((value) => value.startsWith(params.argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
  return server.registerPrompt('test_added_prompt', { description: 'Comes and goes.' }, () =>
    user({ type: 'text', text: 'Here' }),
  )
}
