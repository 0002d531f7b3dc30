/** Requests that attackers send over HTTP. */
import type { JsonObject } from '@switchboard/protocol'

export interface WholeRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attacker', version: '1' } },
})

/** One request that is whole in itself, as the modern era has it. */
export function modernRequest(
  method: string,
  members: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): WholeRequest {
  const params = {
    ...members,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  return {
    method: 'POST',
    path: '/mcp',
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

export function modernCall(
  name: string,
  args: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): WholeRequest {
  return modernRequest('tools/call', { name, arguments: args }, { 'mcp-name': name, ...headers })
}
