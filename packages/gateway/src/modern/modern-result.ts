/** Results as the modern era wants them: each with its type, its server, and for lists how long they may be kept. */
import { type CacheHint, combineCacheHints, isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Implementation, Tool } from '@switchboard/protocol/mcp'
import { META_KEY } from '@switchboard/protocol/modern'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { Identity } from '../identity.ts'
import type { View } from '../router/view.ts'

const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
])

/** The lists of the gateway: what their makers said of their own holds for them. */
const isOwnList = (method: string): boolean => !method.startsWith('skills/') && method !== 'resources/read'

/** Nothing is known: ask again every time, and keep it to yourself. */
const UNKNOWN: CacheHint = { ttlMs: 0, cacheScope: 'private' }

export function toModernResult(
  method: string,
  result: JsonObject,
  view: View,
  identity: Identity,
  serverInfo: Implementation,
): JsonObject {
  const meta = isJsonObject(result._meta) ? result._meta : undefined
  const full: JsonObject = { resultType: 'complete', ...result }
  if (method === 'tools/list') full.tools = withoutLegacyTasks(result.tools, view)
  if (meta?.[META_KEY.serverInfo] === undefined) full._meta = { ...meta, [META_KEY.serverInfo]: serverInfo }
  if (CACHEABLE.has(method) && full.resultType === 'complete') {
    const hint = isOwnList(method) ? combineHints(view) : UNKNOWN
    full.ttlMs ??= hint.ttlMs
    // What is listed may hang on the credential (its profile), and then nobody else may be given it.
    full.cacheScope ??= identity.credential === undefined ? hint.cacheScope : 'private'
  }
  return full
}

/** That a tool may, or must, be run as a task of the legacy era is nothing that a modern client could do. */
function withoutLegacyTasks(tools: unknown, view: View): unknown {
  const makers = new Set(view.withCapability('tasks'))
  if (makers.size === 0 || !Array.isArray(tools)) return tools
  return tools.map((tool: Tool) => {
    const { execution, ...rest } = tool
    if (!isJsonObject(execution) || execution.taskSupport === undefined) return tool
    const target = view.findTool(tool.name)
    if (typeof target === 'string' || !makers.has(target.provider)) return tool
    const { taskSupport: _support, ...others } = execution
    return Object.keys(others).length === 0 ? rest : { ...rest, execution: others }
  })
}

/** Of all whose lists are in it. */
function combineHints(view: View): CacheHint {
  const hints = view.providers
    // Its list changes with the configuration alone, and is never why another's may not be kept.
    .filter(({ name }) => name !== OWN_PROVIDER)
    .map((provider) => view.catalogOf(provider)?.cache ?? UNKNOWN)
  return combineCacheHints(hints) ?? UNKNOWN
}
