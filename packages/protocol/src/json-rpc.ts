/** JSON-RPC 2.0 as MCP uses it: one message a line, a frame or a POST. Types and classification only. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
/** An object of unknown members: what arrives from outside and passes through untouched. */
export type JsonObject = { [key: string]: unknown }
export type RequestId = string | number
export type ProgressToken = string | number

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: RequestId
  method: string
  params?: JsonObject
}

export interface JsonRpcNotification {
  jsonrpc: '2.0'
  method: string
  params?: JsonObject
}

export interface JsonRpcErrorObject {
  code: number
  message: string
  data?: unknown
}

export interface JsonRpcSuccess {
  jsonrpc: '2.0'
  id: RequestId
  result: JsonObject
}

export interface JsonRpcFailure {
  jsonrpc: '2.0'
  /** Null when the request could not be read far enough to know its id. */
  id: RequestId | null
  error: JsonRpcErrorObject
}

export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

export const JSON_RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type MessageKind = 'request' | 'notification' | 'response' | 'invalid'

/**
 * Says once, at the edge, what a parsed value is; what follows trusts the verdict.
 * Lenient on purpose about a missing `jsonrpc` member: some servers leave it out and are understood all the same.
 */
export function classifyMessage(value: unknown): MessageKind {
  if (!isJsonObject(value)) return 'invalid'
  const id = value.id
  const hasId = typeof id === 'string' || typeof id === 'number'
  if (typeof value.method === 'string') return hasId ? 'request' : id === undefined ? 'notification' : 'invalid'
  if (hasId && isJsonObject(value.result)) return 'response'
  if ((hasId || id === null) && isJsonObject(value.error)) return 'response'
  return 'invalid'
}

export function createRequest(id: RequestId, method: string, params?: JsonObject): JsonRpcRequest {
  return params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params }
}

export function createNotification(method: string, params?: JsonObject): JsonRpcNotification {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params }
}

export function createSuccess(id: RequestId, result: JsonObject): JsonRpcSuccess {
  return { jsonrpc: '2.0', id, result }
}

export function createFailure(id: RequestId | null, error: JsonRpcErrorObject): JsonRpcFailure {
  return { jsonrpc: '2.0', id, error }
}
