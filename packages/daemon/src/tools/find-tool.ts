/** A tool by its exposed name, of servers that were never started too: those that may have it are woken. */
import { nearestName } from '@switchboard/base'
import type { ExposedTool, McpPool, ServerConfig, ServerState } from '@switchboard/pool'
import { createHeldError, SwitchboardError } from '@switchboard/protocol/errors'
import { sanitizeName } from '@switchboard/protocol/naming'

/** How long others are waited for only to suggest a name. */
const SUGGESTION_MS = 3_000

export interface ToolFinder {
  readonly pool: McpPool
  readonly servers: readonly ServerConfig[]
  /** Switchboard's own. */
  readonly own: readonly ExposedTool[]
}

export interface WantedTool {
  /** As it is exposed; where the server is named, also the server's own name. */
  readonly name: string
  readonly server?: string | undefined
}

/** Rejects with `unknown_tool`, `unknown_server`, `server_disabled`, or as a call to the server would. */
export async function findTool(finder: ToolFinder, wanted: WantedTool, signal: AbortSignal): Promise<ExposedTool> {
  const { pool, servers } = finder
  const { name, server: only } = wanted
  const find = (): ExposedTool | undefined => listTools(finder, only).find((tool) => isNamed(tool, wanted))
  const known = find()
  if (known !== undefined) return known
  throwOnHeld(pool, wanted)
  const isPrefixed = (prefix: string): boolean => name.startsWith(`${sanitizeName(prefix)}_`)
  // One that is down, or whose entry is wrong, says why in place of "no such tool", as a call to it would.
  const wrong = pool
    .status()
    .find(
      ({ name: server, state }) =>
        state === 'misconfigured' && (only === undefined ? isPrefixed(server) : only === server),
    )
  if (wrong !== undefined) await wakeServer(pool, wrong.name, signal)
  if (only !== undefined) throwOnUnknownServer(finder, only)
  const isOwner = ({ name: server, tools }: ServerConfig): boolean =>
    only === undefined ? tools.prefix === false || isPrefixed(tools.prefix) : server === only
  for (const { name: server } of listUnknown(finder, isUp).filter(isOwner)) {
    await wakeServer(pool, server, signal)
    const found = find()
    if (found !== undefined) return found
    throwOnHeld(pool, wanted)
  }
  const disabled = servers.find((server) => !server.enabled && isOwner(server))
  if (disabled !== undefined) throw createDisabledError(name, disabled.name)
  if (only !== undefined) throw createUnknownToolError(finder, wanted)
  // Nobody has it. To say what is near, the others must be known too, but not at any price.
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SUGGESTION_MS)])
  const others = listUnknown(finder, (state) => state !== 'idle' && state !== 'starting')
  await Promise.allSettled(others.map(({ name: server }) => wakeServer(pool, server, patience)))
  const found = find()
  if (found !== undefined) return found
  throw createUnknownToolError(finder, wanted)
}

function listTools({ pool, own }: ToolFinder, only: string | undefined): ExposedTool[] {
  const tools = [...pool.tools(), ...own]
  return only === undefined ? tools : tools.filter(({ server }) => server === only)
}

function isNamed(tool: ExposedTool, { name, server }: WantedTool): boolean {
  return tool.name === name || (server !== undefined && tool.own === name)
}

function throwOnHeld(pool: McpPool, { name, server }: WantedTool): void {
  const held = pool
    .heldTools()
    .find((tool) => (server === undefined ? tool.exposed === name : tool.server === server && tool.name === name))
  if (held === undefined) return
  const { exposed: _exposed, ...definition } = held
  throw createHeldError(definition)
}

function throwOnUnknownServer(finder: ToolFinder, server: string): void {
  const known = [...new Set([...finder.servers.map(({ name }) => name), ...finder.own.map((tool) => tool.server)])]
  if (known.includes(server)) return
  const nearest = nearestName(server, known)
  throw new SwitchboardError('unknown_server', `No server is named "${server}".`, {
    ...(nearest === undefined ? {} : { hint: `Did you mean "${nearest}"?` }),
    details: { server, known },
  })
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

function createUnknownToolError(finder: ToolFinder, { name, server: only }: WantedTool): SwitchboardError {
  const { pool } = finder
  const names = listTools(finder, only).map((tool) => (only === undefined ? tool.name : tool.own))
  const nearest = nearestName(name, names)
  const down = pool.status().filter(({ state }) => state !== 'ready' && state !== 'disabled' && state !== 'idle')
  const missing = down.length === 0 ? '' : ` Not up: ${down.map((server) => server.name).join(', ')}.`
  const whose = only === undefined ? 'No tool' : `No tool of ${only}`
  const list = only === undefined ? 'switchboard tools' : `switchboard tools ${only}`
  return new SwitchboardError('unknown_tool', `${whose} is named "${name}".${missing}`, {
    hint: nearest === undefined ? `Run ${list} to see the names.` : `Did you mean "${nearest}"?`,
    details: { tool: name, ...(nearest === undefined ? {} : { suggestions: [nearest] }) },
  })
}
