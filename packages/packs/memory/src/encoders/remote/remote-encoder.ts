/** An encoder behind HTTP. Its key goes to the configured url alone, and into no message. */
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { isJsonObject } from '@switchboard/protocol'
import { MASK } from '@switchboard/telemetry'
import { type Encoder, EncoderError } from '../encoder.ts'
import { MAX_DIMENSION } from '../encoder-config.ts'
import { readVectors } from '../read-vectors.ts'
import { DIALECTS, type Dialect, type RemoteKind } from './dialects.ts'
import { requestJson } from './request-json.ts'

export interface RemoteEncoderOptions {
  readonly kind: RemoteKind
  /** What the path of its API is put behind: `http://127.0.0.1:1234/v1`. */
  readonly url: string
  /** Absent: only of `tei`, which is asked for it. */
  readonly model: string | undefined
  readonly key: string | undefined
  readonly dimensions: number | undefined
  readonly format: 'float' | 'base64'
}

interface Asked {
  readonly path: string
  readonly body?: unknown
  readonly maxBytes: number
}

/** Enough for 256 vectors of 1,536 numbers; to read it takes a tenth of a second. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** As long as a number is written at most, with what is around it. */
const NUMBER_BYTES = 32
/** What else an answer may hold. */
const OTHER_BYTES = 64 * 1024
/** Queries beside one batch. */
const MAX_CONNECTIONS = 6

export class RemoteEncoder implements Encoder {
  readonly place: string
  readonly #options: RemoteEncoderOptions
  readonly #dialect: Dialect
  readonly #agent: Agent
  readonly #headers: Readonly<Record<string, string>>
  #name: string | undefined

  constructor(options: RemoteEncoderOptions) {
    const { kind, url, model, key } = options
    const { origin, protocol } = new URL(url)
    this.place = origin
    this.#options = options
    this.#dialect = DIALECTS[kind]
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const limits = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: 2 }
    this.#agent = protocol === 'https:' ? new SecureAgent(limits) : new Agent(limits)
    if (model !== undefined) this.#name = `${kind}:${model}`
  }

  async identify(signal: AbortSignal): Promise<string> {
    this.#name ??= `${this.#options.kind}:${readModelName(await this.#ask({ path: 'info', maxBytes: OTHER_BYTES }, signal))}`
    return this.#name
  }

  async encode(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { path, createBody, findVectors } = this.#dialect
    const maxBytes = Math.min(MAX_ANSWER_BYTES, OTHER_BYTES + texts.length * MAX_DIMENSION * NUMBER_BYTES)
    const answer = await this.#ask({ path, body: createBody(texts, this.#options), maxBytes }, signal)
    return readVectors(findVectors(answer), texts.length)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
  }

  async #ask({ path, ...asked }: Asked, signal: AbortSignal): Promise<unknown> {
    const { url, key } = this.#options
    const target = new URL(url)
    const base = target.pathname.replace(/\/{1,8}$/, '')
    // Whoever copies an address from a page has the whole of it.
    const ours = `/${this.#dialect.path}`
    target.pathname = `${base.endsWith(ours) ? base.slice(0, -ours.length) : base}/${path}`
    try {
      return await requestJson({ ...asked, url: target, headers: this.#headers, agent: this.#agent, signal })
    } catch (error) {
      if (!(error instanceof EncoderError) || key === undefined || !error.message.includes(key)) throw error
      // A server may repeat what it was sent.
      const { problem, message, retryAfter } = error
      throw new EncoderError(problem, message.replaceAll(key, MASK), { retryAfter })
    }
  }
}

/** What a TEI serves: its name, and which version of it where that is told. */
function readModelName(info: unknown): string {
  const { model_id: id, model_sha: version } = isJsonObject(info) ? info : {}
  if (typeof id !== 'string' || id === '') throw new EncoderError('garbage', 'does not say which model it serves')
  return typeof version === 'string' ? `${id}@${version.slice(0, 12)}` : id
}
