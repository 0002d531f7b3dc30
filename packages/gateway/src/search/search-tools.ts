/** For profiles with `search`: three tools in place of hundreds. The ranking is in `tool-index.ts`. */
import {
  type CallToolResult,
  isJsonObject,
  type JsonObject,
  nearestNames,
  type OwnTool,
  type Provider,
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
/** Of a description among what was found; `tool_describe` has all of it. */
const MAX_DESCRIPTION = 300

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
    description: 'The full definition of a tool, with its arguments and what it answers with.',
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
  if (name === 'tool_call') return host.call({ ...params, name: wanted, arguments: readArguments(args.arguments) })
  const tool = view.describeTool(wanted)
  if (tool === undefined) throw createUnknownToolError(view, wanted)
  return toResult({ tool })
}

/** With the nearest names that the profile lists, or with the server that is not there to list it. */
export function createUnknownToolError(view: View, name: string): SwitchboardError {
  const suggestions = nearestNames(
    name,
    view.tools.map((tool) => tool.name),
  )
  const down = view.providers.find((provider) => isPrefixed(name, provider) && provider.catalog().tools.length === 0)
  const hint =
    down !== undefined
      ? { hint: `The server "${down.name}" lists no tools now: it is ${down.status().state}.` }
      : suggestions.length === 0
        ? {}
        : { hint: `Did you mean ${suggestions.map((text) => `"${text}"`).join(' or ')}?` }
  return new SwitchboardError('unknown_tool', `Unknown tool: "${name}"`, {
    ...hint,
    details: { tool: name, suggestions },
  })
}

function isPrefixed(name: string, { name: provider, naming }: Provider): boolean {
  const prefix = naming?.prefix ?? provider
  return prefix !== false && name.startsWith(`${prefix}_`)
}

/** Models like to write them as text. To call without them all the same would run something else than was meant. */
function readArguments(value: unknown): JsonObject {
  if (value === undefined) return {}
  if (isJsonObject(value)) return value
  const seen = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  throw new SwitchboardError('invalid_arguments', `tool_call needs \`arguments\` as an object, not as ${seen}`, {
    details: { fields: [{ field: 'arguments', problem: 'must be object', expected: 'object' }] },
  })
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
  const tools = index.search(query, limit).map(({ name, title, description = '' }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description: description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
  }))
  const total = view.tools.length
  if (tools.length > 0) return { tools, total }
  const servers = view.providers.map((provider) => provider.name).join(', ')
  return { tools, total, hint: `Nothing fits. Try other or fewer words; the servers here are: ${servers}.` }
}

function toResult(structuredContent: JsonObject): JsonObject {
  const result: CallToolResult = {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  }
  return result as unknown as JsonObject
}
