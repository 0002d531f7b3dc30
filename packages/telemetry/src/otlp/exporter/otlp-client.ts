/**
 * Posts one export to a collector until it is taken or given up. The body has been written already; what a collector answers is
 * read as far as it matters, and no more of it than that.
 */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { errorMessage, ForeignFileError, readForeignBytes } from '@switchboard/base'
import { type Rejected, readRejected } from './encode/read-rejected.ts'
import type { SignalSettings } from './export-settings.ts'

/** What became of an export. `retryAfter`: milliseconds that the collector has asked for. */
export type Delivery =
  | { readonly type: 'taken'; readonly rejected: Rejected | undefined }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string; readonly retryAfter: number | undefined }

const MOST_ANSWER = 64 * 1024
const MOST_QUOTED = 200
/** By these a collector says that the same may go well later. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

export class OtlpClient {
  readonly #settings: SignalSettings
  readonly #version: string
  #agent: HttpAgent | undefined

  constructor(settings: SignalSettings, version: string) {
    this.#settings = settings
    this.#version = version
  }

  /** One attempt. Never rejects. */
  async send(body: Buffer, signal: AbortSignal): Promise<Delivery> {
    try {
      const { isCompressed, format } = this.#settings
      const sent = isCompressed ? await promisify(gzip)(body) : body
      const headers = {
        ...this.#settings.headers,
        'user-agent': `switchboard/${this.#version}`,
        'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf',
        ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
        'content-length': sent.length,
      }
      this.#agent ??= await createAgent(this.#settings)
      return await this.#post(sent, { method: 'POST', headers, agent: this.#agent, signal })
    } catch (thrown) {
      if (thrown instanceof ForeignFileError) return { type: 'refused', reason: thrown.message }
      return { type: 'failed', reason: errorMessage(thrown), retryAfter: undefined }
    }
  }

  close(): void {
    this.#agent?.destroy()
  }

  #post(body: Buffer, options: RequestOptions): Promise<Delivery> {
    const { url, timeout } = this.#settings
    return new Promise((resolve) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeout} ms`)), timeout)
      const settle = (delivery: Delivery): void => {
        clearTimeout(timer)
        resolve(delivery)
      }
      const fail = (error: Error): void =>
        settle({ type: 'failed', reason: errorMessage(error), retryAfter: undefined })
      request.on('error', fail)
      request.on('response', (response) => {
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size <= MOST_ANSWER) parts.push(part)
          else request.destroy(new Error(`its answer is larger than ${MOST_ANSWER} bytes`))
        })
        response.on('error', fail)
        response.on('aborted', () => fail(new Error('the connection broke in the middle of the answer')))
        response.on('end', () => settle(judge(response, Buffer.concat(parts))))
      })
      request.end(body)
    })
  }
}

function judge({ statusCode = 0, headers }: IncomingMessage, body: Buffer): Delivery {
  if (statusCode >= 200 && statusCode < 300) {
    return { type: 'taken', rejected: readRejected(body, headers['content-type'] ?? '') }
  }
  const said = body
    .toString('utf8', 0, MOST_QUOTED)
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
  const reason = `it answers with HTTP ${statusCode}${said === '' ? '' : `: ${said}`}`
  if (!RETRYABLE.has(statusCode)) return { type: 'refused', reason }
  return { type: 'failed', reason, retryAfter: readRetryAfter(headers['retry-after']) }
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined
}

const MOST_CERTIFICATE = 1024 * 1024

/** Its files are read with the first export, and told of then where they cannot be. */
async function createAgent({ url, tls }: SignalSettings): Promise<HttpAgent> {
  const common = { keepAlive: true, maxSockets: 1 }
  if (url.protocol === 'http:') return new HttpAgent(common)
  const read = async (path: string | undefined): Promise<Buffer | undefined> =>
    path === undefined ? undefined : readForeignBytes(path, { maxBytes: MOST_CERTIFICATE })
  const [ca, cert, key] = await Promise.all([read(tls.ca), read(tls.cert), read(tls.key)])
  return new HttpsAgent({ ...common, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) })
}
