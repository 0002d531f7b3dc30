/** The tools that only an editor can serve: asked of the VS Code window that the caller belongs to. */
import { askBridge, BridgeError, describeHealth, readBridgeHealth } from '@switchboard/bridge'
import type { Call, JsonObject } from '@switchboard/protocol'
import { isJsonObject } from '@switchboard/protocol'
import { REQUIREMENTS, type Refusal, ToolError, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'

/** Those of the window that agents know; any other is told as a failure of the operation. */
const WINDOW_CODES: ReadonlySet<string> = new Set([
  'E_BRIDGE_UNAVAILABLE',
  'E_PICKUP_TIMEOUT',
  'E_NO_RESPONSE',
  'E_CAPACITY',
  'E_TIMEOUT',
  'E_FILE_NOT_FOUND',
  'E_INVALID_LINE',
  'E_SYMBOL_NOT_FOUND',
  'E_AMBIGUOUS_SYMBOL',
  'E_NO_LANGUAGE_SERVER',
  'E_FILE_READ_ONLY',
])
/** Of the budget, for the answer to come back in. */
const RESERVE_MS = 250

/** Undefined: a window is there and answers. */
export async function refuseWithoutWindow(
  { caller }: Call,
  workspace: string | undefined,
  requirement: 'vscode' | 'language-server',
): Promise<Refusal | undefined> {
  const { code, message } = REQUIREMENTS[requirement]
  if (workspace === undefined) return { code, message }
  const health = await readBridgeHealth(workspace, caller.instance)
  return health.state === 'healthy' ? undefined : { code, message: describeHealth(health) }
}

/** Paths in the parameters and the answer are absolute. */
export async function askWindow(context: DebugContext, scriptName: string, params: JsonObject): Promise<JsonObject> {
  const { call, signal, budgetMs, workspace } = context
  if (workspace === undefined) throw new ToolError('E_BRIDGE_UNAVAILABLE', REQUIREMENTS.vscode.message)
  try {
    const data = await askBridge({
      workspace,
      instance: call.caller.instance,
      scriptName,
      params,
      timeout: Math.max(RESERVE_MS, budgetMs - RESERVE_MS),
      signal,
      traceId: call.traceId,
    })
    return isJsonObject(data) ? data : {}
  } catch (error) {
    throw error instanceof BridgeError ? toToolError(error, context) : error
  }
}

/** `path` and `symbol`, or both in one `nodeId`: type:path:qualified.name. */
export function readSymbol(
  context: DebugContext,
  { nodeId, path, symbol }: { nodeId?: string; path?: string; symbol?: string },
): { path: string; symbol: string } {
  const named = nodeId === undefined ? { path, symbol } : splitNodeId(nodeId)
  if (named?.path === undefined || named.symbol === undefined) {
    const field = nodeId === undefined ? (path === undefined ? 'path' : 'symbol') : 'nodeId'
    const problem =
      nodeId === undefined ? 'is missing: give path and symbol, or nodeId' : 'is not type:path:qualified.name'
    throw new WrongArguments([{ field, problem }])
  }
  return { path: pathsOf(context).resolveFile(named.path), symbol: named.symbol }
}

/** At the first and the last colon: a path may have some of its own. */
function splitNodeId(nodeId: string): { path: string; symbol: string } | undefined {
  const first = nodeId.indexOf(':')
  const last = nodeId.lastIndexOf(':')
  return first === -1 || last <= first + 1 || last === nodeId.length - 1
    ? undefined
    : { path: nodeId.slice(first + 1, last), symbol: nodeId.slice(last + 1) }
}

function toToolError({ code, message, hint, details }: BridgeError, context: DebugContext): ToolError {
  const shown = message.replaceAll(`${pathsOf(context).root}/`, '')
  return new ToolError(WINDOW_CODES.has(code) ? code : 'E_OPERATION_FAILED', shown, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}

/** What the extension answers has the shape that its tool declares; its paths are shown as agents read them. */
export function showPlaces<T>(context: DebugContext, list: unknown): T[] {
  const paths = pathsOf(context)
  const items = Array.isArray(list) ? list.filter(isJsonObject) : []
  return items.map((item) => ({
    ...item,
    ...(typeof item.path === 'string' ? { path: paths.show(item.path) } : {}),
  })) as T[]
}
