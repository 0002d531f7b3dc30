/** For profiles with `search`: three tools in place of hundreds. The ranking is in `tool-index.ts`. */
import {
  type CallToolResult,
  isJsonObject,
  type JsonObject,
  type OwnTool,
  SwitchboardError,
  type Tool,
} from '@switchboard/protocol'
import type { View } from '../router/view.ts'
import { createToolIndex, type ToolIndex } from './tool-index.ts'

export interface SearchHost {
  call(params: JsonObject): Promise<JsonObject>
}

const DEFAULT_LIMIT = 8
const MAX_LIMIT = 50

const SEARCH_TOOLS: readonly Tool[] = [
  {
    name: 'tool_search',
    description: 'Finds tools by what they do. Use it first; then tool_describe for the arguments, then tool_call.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do, in a few words.' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'tool_describe',
    description: 'The full definition of a tool, with its arguments.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'A name that tool_search returned.' } },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'tool_call',
    description: 'Calls a tool that tool_search found.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
]

const indexes = new WeakMap<View, ToolIndex>()

export function isSearchTool(name: string): boolean {
  return SEARCH_TOOLS.some((tool) => tool.name === name)
}

/** What `tools/list` answers for a profile. */
export function listTools(view: View): readonly Tool[] {
  if (!view.profile.search) return view.tools
  // Without it an agent that has to declare a mode would not know how.
  const pinned = new Set([...(view.profile.pinned ?? []), 'mode_get_instructions' satisfies OwnTool])
  return [...SEARCH_TOOLS, ...view.tools.filter((tool) => pinned.has(tool.name))]
}

export async function callSearchTool(
  name: string,
  view: View,
  params: JsonObject,
  host: SearchHost,
): Promise<JsonObject> {
  const args = isJsonObject(params.arguments) ? params.arguments : {}
  if (name === 'tool_search') return toResult(search(view, args))
  const wanted = typeof args.name === 'string' ? args.name : ''
  if (wanted === '' || isSearchTool(wanted)) {
    throw new SwitchboardError(
      'invalid_arguments',
      `${name} needs \`name\`, the name of a tool that tool_search returned`,
    )
  }
  if (name === 'tool_call') {
    return host.call({ ...params, name: wanted, arguments: isJsonObject(args.arguments) ? args.arguments : {} })
  }
  const tool = view.tool(wanted)
  if (tool === undefined) throw new SwitchboardError('unknown_tool', `Unknown tool: "${wanted}"`)
  return toResult({ tool })
}

function search(view: View, args: JsonObject): JsonObject {
  const query = typeof args.query === 'string' ? args.query.trim() : ''
  if (query === '') throw new SwitchboardError('invalid_arguments', 'tool_search needs `query`, a few words')
  const limit =
    typeof args.limit === 'number' ? Math.max(1, Math.min(MAX_LIMIT, Math.trunc(args.limit))) : DEFAULT_LIMIT
  let index = indexes.get(view)
  if (index === undefined) {
    index = createToolIndex(view.tools)
    indexes.set(view, index)
  }
  const tools = index.search(query, limit).map(({ name, title, description }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description: (description ?? '').slice(0, 300),
  }))
  return { tools, total: view.tools.length }
}

function toResult(structuredContent: JsonObject): JsonObject {
  const result: CallToolResult = {
    content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 1) }],
    structuredContent,
  }
  return result as unknown as JsonObject
}
