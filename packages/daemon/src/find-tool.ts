/** A tool by its exposed name, of servers that were never started too: those that may have it are woken. */
import type { ExposedTool, McpPool, ServerConfig, ServerState } from '@switchboard/pool'
import { nearestName, SwitchboardError, sanitizeName } from '@switchboard/protocol'

/** How long others are waited for only to suggest a name. */
const SUGGESTION_MS = 3_000

export interface ToolFinder {
  readonly pool: McpPool
  readonly servers: readonly ServerConfig[]
  /** Switchboard's own. */
  readonly own: readonly ExposedTool[]
  /** A sentence about where there are more. */
  readonly elsewhere?: string
}

/** Rejects with `unknown_tool`, `server_disabled`, or as a call to the server would. */
export async function findTool(finder: ToolFinder, name: string, signal: AbortSignal): Promise<ExposedTool> {
  const { pool, servers, own } = finder
  const find = (): ExposedTool | undefined => [...pool.tools(), ...own].find((tool) => tool.name === name)
  const known = find()
  if (known !== undefined) return known
  const isOwner = ({ tools }: ServerConfig): boolean =>
    tools.prefix === false || name.startsWith(`${sanitizeName(tools.prefix)}_`)
  // One that is down says why in place of "no such tool", as a call to it would.
  for (const { name: server } of listUnknown(finder, isUp).filter(isOwner)) {
    await wakeServer(pool, server, signal)
    const found = find()
    if (found !== undefined) return found
  }
  const disabled = servers.find((server) => !server.enabled && isOwner(server))
  if (disabled !== undefined) throw createDisabledError(name, disabled.name)
  // Nobody has it. To say what is near, the others must be known too, but not at any price.
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SUGGESTION_MS)])
  const others = listUnknown(finder, (state) => state !== 'idle' && state !== 'starting')
  await Promise.allSettled(others.map(({ name: server }) => wakeServer(pool, server, patience)))
  const found = find()
  if (found !== undefined) return found
  throw createUnknownToolError(finder, name)
}

/** Servers that wait for their first use: nothing can be said about their tools. */
export function listUnknownServers(finder: Pick<ToolFinder, 'pool' | 'servers'>): ServerConfig[] {
  return listUnknown(finder, (state) => state !== 'idle')
}

/** Without those of which tools are known, be it from an earlier run. */
function listUnknown(
  { pool, servers }: Pick<ToolFinder, 'pool' | 'servers'>,
  isLeftOut: (state: ServerState) => boolean,
): ServerConfig[] {
  const empty = new Set(
    pool.status().flatMap(({ name, state, tools }) => (tools === 0 && !isLeftOut(state) ? [name] : [])),
  )
  return servers.filter(({ enabled, name }) => enabled && empty.has(name))
}

function isUp(state: ServerState): boolean {
  return state === 'ready' || state === 'probing'
}

/** Any request starts a server; what it answers does not matter (a modern one does not know ping). */
export async function wakeServer(pool: McpPool, server: string, signal: AbortSignal): Promise<void> {
  try {
    await pool.request(server, 'ping', {}, { signal })
  } catch (error) {
    if (!(error instanceof SwitchboardError) || error.code !== 'upstream_error') throw error
  }
}

function createDisabledError(tool: string, server: string): SwitchboardError {
  return new SwitchboardError('server_disabled', `"${tool}" would be a tool of ${server}, which is disabled.`, {
    hint: `Enable it with: switchboard server enable ${server}`,
    details: { tool, server },
  })
}

function createUnknownToolError({ pool, own, elsewhere }: ToolFinder, name: string): SwitchboardError {
  const names = [...pool.tools(), ...own].map((tool) => tool.name)
  const nearest = nearestName(name, names)
  const down = pool.status().filter(({ state }) => state !== 'ready' && state !== 'disabled' && state !== 'idle')
  const missing = down.length === 0 ? '' : ` Not up: ${down.map((server) => server.name).join(', ')}.`
  return new SwitchboardError('unknown_tool', `No tool is named "${name}".${missing}`, {
    hint: [
      nearest === undefined ? 'Run switchboard tools to see the names.' : `Did you mean "${nearest}"?`,
      ...(elsewhere === undefined ? [] : [elsewhere]),
    ].join(' '),
    details: { tool: name, ...(nearest === undefined ? {} : { suggestions: [nearest] }) },
  })
}
