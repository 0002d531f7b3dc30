/** For profiles that have more than they list: three tools in place of hundreds, or of the rest. The ranking is in `tool-index.ts`. */
import { createArgumentsError, describeWrongValue, SchemaChecker } from '@switchboard/config/arguments'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import type { View } from '../router/view.ts'
import { createUnlistedToolError } from '../unknown-names.ts'
import { createToolIndex, type ToolIndex } from './tool-index.ts'

export interface SearchHost {
  call(params: JsonObject): Promise<JsonObject>
  /** In the envelope of all that our own tools answer. */
  answer(data: JsonObject): JsonObject
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
        query: { type: 'string', minLength: 1, description: 'What you want to do, in a few words.' },
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
      properties: { name: { type: 'string', minLength: 1, description: 'A name that tool_search returned.' } },
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
      properties: { name: { type: 'string', minLength: 1 }, arguments: { type: 'object' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
]

const checker = new SchemaChecker()
const indexes = new WeakMap<View, Promise<ToolIndex>>()

export function isSearchTool(name: string): boolean {
  return SEARCH_TOOLS.some((tool) => tool.name === name)
}

/** What `tools/list` answers for a profile. */
export function listTools(view: View): readonly Tool[] {
  if (!view.isSearchable) return view.tools
  if (!view.profile.search) return [...view.tools, ...SEARCH_TOOLS]
  const pinned = new Set(view.profile.pinned)
  return [...SEARCH_TOOLS, ...view.tools.filter((tool) => pinned.has(tool.name))]
}

export async function callSearchTool(
  name: string,
  view: View,
  params: JsonObject,
  host: SearchHost,
): Promise<JsonObject> {
  const args = await checkArguments(name, params.arguments)
  if (name === 'tool_search') return host.answer(await search(view, args))
  const wanted = String(args.name)
  if (isSearchTool(wanted)) throw refuse(name, 'name', 'the name of a tool that tool_search returned', wanted)
  // As they came: what is checked is a copy, in which great numbers are plain ones.
  const given = isJsonObject(params.arguments) ? params.arguments.arguments : undefined
  if (name === 'tool_call') return host.call({ ...params, name: wanted, arguments: given ?? {} })
  const tool = view.describeTool(wanted)
  if (tool === undefined) throw createUnlistedToolError(view, wanted)
  return host.answer({ tool })
}

/**
 * Against what is listed, in the words of every other tool. Models like to write the arguments of `tool_call` as text: to call
 * without them all the same would run something else than was meant.
 */
async function checkArguments(name: string, given: unknown): Promise<JsonObject> {
  const schema = SEARCH_TOOLS.find((tool) => tool.name === name)?.inputSchema ?? {}
  const checked = await checker.checkParams(schema, given)
  if (checked.problems === undefined) return checked.params
  throw createArgumentsError(name, checked.problems)
}

function refuse(tool: string, field: string, expected: string, value: unknown): SwitchboardError {
  return createArgumentsError(tool, [describeWrongValue(field, expected, value)])
}

async function search(view: View, args: JsonObject): Promise<JsonObject> {
  const query = String(args.query).trim()
  if (query === '') throw refuse('tool_search', 'query', 'a few words', args.query)
  let index = indexes.get(view)
  if (index === undefined) {
    index = createToolIndex([...view.tools, ...view.unlisted])
    indexes.set(view, index)
  }
  const tools = (await (await index).search(query, Number(args.limit))).map(({ name, title, description = '' }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description: description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
  }))
  const total = view.tools.length + view.unlisted.length
  if (tools.length > 0) return { tools, total }
  const servers = view.providers.map((provider) => provider.name).join(', ')
  return { tools, total, hint: `Nothing fits. Try other or fewer words; the servers here are: ${servers}.` }
}
