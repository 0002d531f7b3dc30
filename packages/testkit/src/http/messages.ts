/** What agents of both eras send over HTTP, written down without sending it. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { META_KEY } from '@switchboard/protocol/modern'

export const LEGACY_VERSION = '2025-11-25'
const MODERN_VERSION = '2026-07-28'

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export function createCall(id: string | number, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}

export function callTool(id: string | number, name: string, args: JsonObject = {}, meta?: JsonObject): JsonObject {
  return createCall(id, 'tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) })
}

export interface ModernOptions {
  readonly version?: string
  readonly capabilities?: JsonObject
  readonly clientInfo?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/** A modern request: the body with its envelope, and the headers that repeat it. What the body has already stays. */
export function modern(
  body: JsonObject,
  options: ModernOptions = {},
): { headers: Record<string, string>; body: JsonObject } {
  const { version = MODERN_VERSION, capabilities = {}, clientInfo, headers = {} } = options
  const params = isJsonObject(body.params) ? body.params : {}
  const meta = {
    [META_KEY.protocolVersion]: version,
    [META_KEY.clientCapabilities]: capabilities,
    ...(clientInfo === undefined ? {} : { [META_KEY.clientInfo]: clientInfo }),
    ...(isJsonObject(params._meta) ? params._meta : {}),
  }
  const name = body.method === 'resources/read' ? params.uri : params.name
  return {
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': version,
      'mcp-method': String(body.method),
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
      ...headers,
    },
    body: { ...body, params: { ...params, _meta: meta } },
  }
}
