/** Whole responses: one write each, always JSON, with its length. */
import type { ServerResponse } from 'node:http'
import {
  createFailure,
  type JsonRpcErrorObject,
  type RequestId,
  type SwitchboardError,
  toJsonRpcError,
} from '@switchboard/protocol'

export type Headers = Readonly<Record<string, string | number>>

const CONTENT_TYPE = 'application/json'

export function writeJson(response: ServerResponse, status: number, body: string, headers?: Headers): void {
  if (response.destroyed || response.headersSent) return
  const length = Buffer.byteLength(body)
  if (headers === undefined)
    response.writeHead(status, ['content-type', CONTENT_TYPE, 'content-length', String(length)])
  else response.writeHead(status, { 'content-type': CONTENT_TYPE, 'content-length': length, ...headers })
  response.end(body)
}

export function writeEmpty(response: ServerResponse, status: number): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, status === 204 ? {} : { 'content-length': 0 })
  response.end()
}

/** A protocol error that names no request unless its id is known. */
export function writeFailure(
  response: ServerResponse,
  status: number,
  error: JsonRpcErrorObject,
  id: RequestId | null = null,
  headers?: Headers,
): void {
  writeJson(response, status, JSON.stringify(createFailure(id, error)), headers)
}

export interface RefusalOptions {
  /** Default: the status of the error's category. */
  readonly status?: number
  readonly id?: RequestId | null
  readonly headers?: Headers
}

export function refuse(
  response: ServerResponse,
  error: SwitchboardError,
  { status = error.httpStatus, id = null, headers }: RefusalOptions = {},
): void {
  const meta = id === null ? {} : { requestId: id }
  const retry = error.retryAfterMs === null ? headers : { ...headers, 'retry-after': toSeconds(error.retryAfterMs) }
  writeFailure(response, status, toJsonRpcError(error, meta), id, retry)
}

/** The same on a socket that has no response object: a refused upgrade, a request that could not be read. */
export function createRawResponse(status: number, reason: string, error: SwitchboardError, headers?: Headers): string {
  const body = JSON.stringify(createFailure(null, toJsonRpcError(error)))
  const lines = Object.entries({
    'content-type': CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', body].join('\r\n')
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
