/** JSON-RPC 2.0 as MCP uses it: one message a line, a frame or a POST. Types and classification only. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
/** An object of unknown members: what arrives from outside and passes through untouched. */
export type JsonObject = { [key: string]: unknown }
/** A bigint: an integer that a number of JavaScript has not the digits for. It is compared, and written as it came. */
export type RequestId = string | number | bigint
export type ProgressToken = RequestId

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

/** Also of a progress token. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}

export type MessageKind = 'request' | 'notification' | 'response' | 'invalid'

/**
 * Says once, at the edge, what a parsed value is; what follows trusts the verdict.
 * Lenient on purpose about a missing `jsonrpc` member: some servers leave it out and are understood all the same. What has a
 * result or an error is an answer, whatever they are: whoever waits for it is to hear at once that it is a bad one.
 */
export function classifyMessage(value: unknown): MessageKind {
  if (!isJsonObject(value)) return 'invalid'
  const { id, method, result, error } = value
  const hasId = isRequestId(id)
  if (typeof method === 'string') return hasId ? 'request' : id === undefined ? 'notification' : 'invalid'
  if (method !== undefined) return 'invalid'
  if (hasId && (result !== undefined || error !== undefined)) return 'response'
  return id === null && isJsonObject(error) ? 'response' : 'invalid'
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
