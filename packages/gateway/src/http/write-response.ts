/** Whole responses: one write each, always JSON, with its length. */
import type { ServerResponse } from 'node:http'
import type { JsonRpcResponse } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import { type Asked, answerWithError } from '../answer-with-error.ts'

export type ResponseHeaders = Readonly<Record<string, string | number>>

const CONTENT_TYPE = 'application/json'

export function writeJson(response: ServerResponse, status: number, body: string, headers?: ResponseHeaders): void {
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

/** A whole answer as the body. */
export function writeAnswer(
  response: ServerResponse,
  status: number,
  answer: JsonRpcResponse,
  headers?: ResponseHeaders,
): void {
  writeJson(response, status, encodeMessage(answer), headers)
}

export interface RefusalOptions {
  /** Default: the status of the error's category. */
  readonly status?: number
  /** What is refused; without it, a message that nobody read. */
  readonly asked?: Asked
  /** Of JSON-RPC, where the mistake has one of its own. */
  readonly code?: number
  readonly headers?: ResponseHeaders
}

export function refuse(
  response: ServerResponse,
  error: SwitchboardError,
  { status = error.httpStatus, asked = { id: null }, code, headers }: RefusalOptions = {},
): void {
  const retry = error.retryAfterMs === null ? headers : { ...headers, 'retry-after': toSeconds(error.retryAfterMs) }
  writeAnswer(response, status, answerWithError(error, asked, { code }), retry)
}

/** The same on a socket that has no response object: a refused upgrade, a request that could not be read. */
export function createRawResponse(
  status: number,
  reason: string,
  error: SwitchboardError,
  headers?: ResponseHeaders,
): string {
  const body = JSON.stringify(answerWithError(error, { id: null }))
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
