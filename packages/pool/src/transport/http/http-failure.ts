/** Turns what HTTP can answer instead of a message into the errors that leave the pool. */
import { errorCode } from '@switchboard/base'
import { isJsonObject, type JsonObject, type RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { decodeMessages } from '../decode-messages.ts'
import { describeUrl } from '../remote-url.ts'
import { CONNECT_TIMEOUT_MS } from './http-client.ts'
import { type HttpHeaders, headerText } from './http-headers.ts'

const BODY_HEAD_CHARACTERS = 500
/** Error bodies are small; a larger one is not read further. */
export const MAX_FAILURE_BODY_BYTES = 1024 * 1024

export interface HttpFailure {
  readonly method: string
  /** Of the request, fit to be shown. */
  readonly target: string
  readonly url: URL
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: string
}

/**
 * The JSON-RPC error in a failed answer, as the answer to the request that was sent: such bodies carry null or a
 * made-up id when the server refused before reading the message.
 */
export function readFailureMessage(failure: HttpFailure, id: RequestId): JsonObject | undefined {
  // 401 is the challenge of a layer in front of the protocol, whatever its body says.
  if (failure.status === 401) return undefined
  const error = jsonRpcError(failure)
  return error === undefined ? undefined : { ...error, id }
}

/** A server that no longer knows our session says 404, or 400 with a complaint about the session that names no request. */
export function isSessionLost(failure: HttpFailure, id: RequestId | undefined): boolean {
  const message = jsonRpcError(failure)
  const error = isJsonObject(message?.error) ? message.error : undefined
  if (failure.status === 404) return error?.code !== -32601
  if (failure.status !== 400 || error === undefined || (id !== undefined && message?.id === id)) return false
  return /\bsession\b|not initialized/i.test(String(error.message))
}

export function createStatusError(failure: HttpFailure): SwitchboardError {
  const { method, target, status, headers } = failure
  const details: Record<string, unknown> = { status, body: failure.body.slice(0, BODY_HEAD_CHARACTERS) }
  const what = `${method} ${target} was answered with ${status}`
  if (status === 401 || status === 403) {
    const challenge = headerText(headers, 'www-authenticate')
    if (challenge !== undefined) details.wwwAuthenticate = challenge
    return new SwitchboardError('unauthorized_upstream', `${what}; check the credentials in \`headers\``, { details })
  }
  if (status >= 300 && status < 400) {
    const location = redirectLocation(failure)
    details.location = location
    return new SwitchboardError(
      'bad_response',
      `${what}, a redirect to ${location}, which is not followed (only 307 and 308 within the same origin are); put the final address into \`url\``,
      { details, executed: false },
    )
  }
  if (status >= 500 || status === 429) {
    const retryAfterMs = readRetryAfter(headerText(headers, 'retry-after'))
    return new SwitchboardError('bad_response', `${what}; the server is failing or overloaded, check its log`, {
      details,
      retryable: true,
      executed: status === 429 ? false : 'unknown',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    })
  }
  const hint = status === 404 || status === 405 ? 'check that `url` is the MCP endpoint' : 'check `url` and `headers`'
  return new SwitchboardError('bad_response', `${what}; ${hint}`, {
    details,
    executed: status >= 400 ? false : 'unknown',
  })
}

/** What went wrong below HTTP: the far side cannot be reached or hung up, it is not HTTP, or we asked for nonsense. */
export function classifyRequestError(error: Error): 'network' | 'not_http' | 'invalid_request' | 'unsent' {
  // Ours: there was nothing to send it with.
  if (error instanceof SwitchboardError) return 'unsent'
  const code = errorCode(error) ?? ''
  if (code === 'UND_ERR_INVALID_ARG') return 'invalid_request'
  return error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' ? 'not_http' : 'network'
}

export function createRequestError(method: string, target: string, error: Error): SwitchboardError {
  if (error instanceof SwitchboardError) return error
  if (classifyRequestError(error) === 'invalid_request') {
    const message = `${method} ${target} could not be sent: ${error.message}; check \`headers\``
    return new SwitchboardError('invalid_configuration', message, { cause: error })
  }
  const message = `${method} ${target} was answered with something that is not HTTP (${error.message}); check \`url\``
  return new SwitchboardError('bad_response', message, { cause: error })
}

const NETWORK_ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED); check that the server runs and that the port in `url` is right',
  ENOTFOUND: 'its host name is unknown (ENOTFOUND); check `url` and the network',
  EAI_AGAIN: 'its host name could not be looked up (EAI_AGAIN); check `url` and the network',
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${CONNECT_TIMEOUT_MS / 1000} s; check the host and any firewall`,
  ETIMEDOUT: 'no connection in time (ETIMEDOUT); check the host and any firewall',
  UND_ERR_SOCKET: "the server closed the connection; check the server's log",
  ECONNRESET: "the connection was reset (ECONNRESET); check the server's log",
  EPIPE: "the connection was closed while writing (EPIPE); check the server's log",
}

export function describeNetworkError(target: string, error: Error): string {
  const code = errorCode(error) ?? ''
  const known = NETWORK_ADVICE[code]
  if (known !== undefined) return `${target}: ${known}`
  const seen = [error.message, code].filter((part) => part !== '').join(', ')
  const advice = /CERT|SSL|TLS|SIGNATURE|ISSUER/.test(code) ? 'check its certificate' : 'check `url` and the network'
  return `${target}: connection failed (${seen}); ${advice}`
}

/** No process listens: as sure a sign of death as the network gives. */
export function isRefused(error: Error): boolean {
  return errorCode(error) === 'ECONNREFUSED'
}

function jsonRpcError(failure: HttpFailure): JsonObject | undefined {
  const messages = decodeMessages(failure.body)
  const message = Array.isArray(messages) && messages.length === 1 ? messages[0] : undefined
  return isJsonObject(message?.error) && typeof message.error.code === 'number' ? message : undefined
}

function redirectLocation({ url, headers }: HttpFailure): string {
  const location = headerText(headers, 'location')
  const target = location === undefined ? null : URL.parse(location, url.href)
  return target === null ? 'an unknown place' : describeUrl(target)
}

function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
