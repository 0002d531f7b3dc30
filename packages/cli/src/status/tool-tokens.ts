import { estimateToolTokens } from '@switchboard/protocol'
import type { BackendServer, BackendTool } from '../backend/backend.ts'

/** A tool as a client gets it listed: without what we know about where it comes from. */
export function toListed(tool: BackendTool): Omit<BackendTool, 'server' | 'own' | 'stale'> {
  const { server: _server, own: _own, stale: _stale, ...listed } = tool
  return listed
}

/** Without Switchboard's own: what is told of servers is about them alone. */
export function ofServers(tools: readonly BackendTool[], servers: readonly BackendServer[]): BackendTool[] {
  const names = new Set(servers.map(({ name }) => name))
  return tools.filter(({ server }) => names.has(server))
}

/** What the list of each server's tools costs a model, roughly. */
export function countTokensByServer(tools: readonly BackendTool[]): ReadonlyMap<string, number> {
  const byServer = Map.groupBy(tools, ({ server }) => server)
  return new Map([...byServer].map(([server, own]) => [server, estimateToolTokens(own)]))
}
