/**
 * One request to the configured server, and to no other: a redirect is an error, so that no key and no text goes where nobody
 * said. Answers are bounded in size and, by the signal, in time.
 */
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { errorCode, errorMessage } from '@switchboard/base'
import { EncoderError, type EncoderProblem } from '../encoder.ts'

export interface JsonRequest {
  readonly url: URL
  /** Absent: it is only asked for what is there. */
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly agent: Agent
  /** A larger answer is refused. It is read on the event loop, so nobody may make it long. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Of an answer that is an error so much is read and told. */
const MAX_REASON_BYTES = 8_192
const MAX_REASON_LENGTH = 200

export async function requestJson(asked: JsonRequest): Promise<unknown> {
  const response = await send(asked)
  try {
    const status = response.statusCode ?? 0
    if (status >= 300 && status < 400) throw createRedirectError(response, asked.url)
    if (status !== 200) throw await createStatusError(response, status)
    return parse(await readBody(response, asked.maxBytes, 'refuse'))
  } finally {
    // What is not read to its end is not waited for.
    response.destroy()
  }
}

function send({ url, body, headers, agent, signal }: JsonRequest): Promise<IncomingMessage> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: content === undefined ? 'GET' : 'POST',
      agent,
      signal,
      headers: {
        accept: 'application/json',
        ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.length }),
        ...headers,
      },
    })
    outgoing.once('response', resolve)
    // Stays: a connection may break again after it was given up.
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : createNetworkError(error)))
    outgoing.end(content)
  })
}

function createNetworkError(error: Error): EncoderError {
  const code = errorCode(error)
  return new EncoderError('unreachable', `cannot be reached (${code ?? errorMessage(error)})`, { cause: error })
}

function createRedirectError({ headers }: IncomingMessage, from: URL): EncoderError {
  const { location } = headers
  const target =
    location !== undefined && URL.canParse(location, from.href) ? new URL(location, from).origin : 'elsewhere'
  return new EncoderError(
    'denied',
    `wants to send what is asked on to ${target}, which is not followed: configure the right url`,
  )
}

async function createStatusError(response: IncomingMessage, status: number): Promise<EncoderError> {
  const said = describeReason(await readBody(response, MAX_REASON_BYTES, 'cut'))
  const message = `answered ${status}${said === '' ? '' : ` (${said})`}`
  return new EncoderError(problemOf(status), message, { retryAfter: readRetryAfter(response.headers['retry-after']) })
}

function problemOf(status: number): EncoderProblem {
  if (status === 429 || status === 503) return 'busy'
  if ([400, 413, 414, 415, 422].includes(status)) return 'rejected'
  if (status >= 500 || status === 408 || status === 425) return 'failed'
  return status >= 400 ? 'denied' : 'garbage'
}

/** Seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(wait) && wait > 0 ? wait : undefined
}

async function readBody(response: IncomingMessage, maxBytes: number, more: 'refuse' | 'cut'): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response) {
      // Nobody sets an encoding.
      const bytes = part as Buffer
      size += bytes.length
      if (size > maxBytes && more === 'refuse') {
        throw new EncoderError('garbage', `answered more than ${Math.round(maxBytes / 1024)} kB`)
      }
      parts.push(bytes)
      if (size > maxBytes) break
    }
  } catch (error) {
    throw error instanceof Error && !(error instanceof EncoderError) && errorCode(error) === 'ECONNRESET'
      ? createNetworkError(error)
      : error
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw new EncoderError('garbage', `answered something that is no JSON (${describeReason(body) || 'nothing'})`, {
      cause,
    })
  }
}

/** What a server says about itself: one line, without what a terminal or an agent could take for more. */
function describeReason(body: Buffer): string {
  const text = readMessage(body.toString('utf8'))
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text
}

function readMessage(text: string): string {
  try {
    const { error, message } = JSON.parse(text)
    const said = typeof error === 'string' ? error : (error?.message ?? message)
    return typeof said === 'string' ? said : text
  } catch {
    return text
  }
}
