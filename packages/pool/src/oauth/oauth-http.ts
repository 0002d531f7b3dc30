/**
 * Requests of a login. The addresses come from a server that may be hostile, so: https, or http on loopback where the server itself
 * is on loopback; no redirects; a bounded answer in bounded time. What was sent and answered gets into no error: only the status
 * does, and of a refusal the code and the words that RFC 6749 has for it.
 */
import { errorCode, errorMessage, showHidden } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { maskText } from '@switchboard/telemetry'
import { describeUrl } from '../transport/remote-url.ts'

const TIME_LIMIT_MS = 15_000
const MAX_BYTES = 256 * 1024
const MAX_WORDS = 300

export interface OAuthRequest {
  readonly url: URL
  readonly form?: URLSearchParams
  readonly json?: JsonObject
  readonly authorization?: string
  readonly signal?: AbortSignal | undefined
}

export interface OAuthAnswer {
  readonly status: number
  /** Undefined: it was no JSON object. */
  readonly body: JsonObject | undefined
}

function isLoopback(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** The address, if it may be asked in a login at that server. Throws `login_failed`. */
export function checkAddress(text: string, server: URL, what: string): URL {
  const url = URL.parse(text)
  const shown = url === null ? 'no URL' : describeUrl(url)
  const refuse = (why: string): SwitchboardError => loginFailed(`${what} is ${showHidden(shown).slice(0, 200)}, ${why}`)
  if (url === null) throw refuse('so nothing was sent')
  if (url.username !== '' || url.password !== '') throw refuse('with a user name in it; nothing was sent there')
  if (isLoopback(url)) {
    if (!isLoopback(server)) throw refuse('which is on this machine, and the server is not; nothing was sent there')
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  }
  if (url.protocol !== 'https:') throw refuse('which is not https; nothing was sent there')
  return url
}

/** Rejects with `login_failed`, to be tried again when nobody answered. */
export async function askOAuth({ url, form, json, authorization, signal }: OAuthRequest): Promise<OAuthAnswer> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS)
  try {
    const response = await fetch(url, {
      method: form === undefined && json === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: {
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(form === undefined ? {} : { body: form }),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    return { status: response.status, body: parse(await readBounded(response)) }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SwitchboardError) throw error
    const why = limit.aborted ? `no answer within ${TIME_LIMIT_MS / 1000} s` : describeCause(error)
    throw loginFailed(`${describeUrl(url)} could not be asked: ${why}`, { retryable: true })
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // An answer without a body has none to read.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw loginFailed(`${describeUrl(new URL(response.url))} answered with more than 256 kB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return errorCode(cause) ?? errorMessage(cause ?? error)
}

/** `code: its words`, of an answer that refuses; never more than it is meant to say. */
export function describeRefusal({ status, body }: OAuthAnswer): string {
  const { error, error_description: words } = body ?? {}
  if (typeof error !== 'string') return `it answered with ${status}`
  return describeWords(error, words)
}

export function describeWords(error: string, words: unknown): string {
  const all = typeof words === 'string' && words !== '' ? `${error}: ${words}` : error
  return maskText(showHidden(all).slice(0, MAX_WORDS))
}

export function loginFailed(
  message: string,
  options: { readonly retryable?: boolean; readonly hint?: string } = {},
): SwitchboardError {
  return new SwitchboardError('login_failed', message, options)
}
