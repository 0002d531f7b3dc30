/**
 * Documents: nobody waits for them.
 *
 * 1. Nothing is asked for that the cache knows.
 * 2. One that the encoder refuses for what it is does not keep the others from being encoded: it is asked for alone, then shorter,
 *    then left out.
 */
import { errorMessage } from '@switchboard/base'
import type { Logger } from '@switchboard/telemetry'
import { EncoderError } from './encoder.ts'
import type { GuardedEncoder } from './guarded-encoder.ts'
import { cutText, prepareText, type TextRules } from './prepare-text.ts'
import { VectorCache } from './vector-cache.ts'

export interface DocumentEncoderOptions {
  readonly encoder: GuardedEncoder
  readonly rules: TextRules
  readonly cacheFolder: string
  readonly log: Logger
}

export interface EncodedDocuments {
  /** What made them, with their length. */
  readonly model: string
  /** Undefined: the encoder refuses that text, however short. */
  readonly vectors: readonly (Float32Array | undefined)[]
}

/** A text that is refused is tried down to so few characters. */
const SHORTEST_TEXT = 250

export class DocumentEncoder {
  readonly #options: DocumentEncoderOptions
  #cache: { readonly model: string; readonly opened: Promise<VectorCache | undefined> } | undefined

  constructor(options: DocumentEncoderOptions) {
    this.#options = options
  }

  /** Throws EncoderError: all may be asked for again. */
  async encode(texts: readonly string[], signal: AbortSignal): Promise<EncodedDocuments> {
    const { encoder, rules } = this.#options
    const model = await encoder.findModel(signal)
    const prepared = texts.map((text) => prepareText(text, rules))
    const cache = await this.#openCache(model)
    const known = await Promise.all(prepared.map((text) => cache?.get(text).catch(() => undefined)))
    const missing = prepared.filter((_, index) => known[index] === undefined)
    encoder.counts.recordCached('document', prepared.length - missing.length)
    if (missing.length === 0) return { model, vectors: known }
    const made = await this.#encodeAll(missing, signal)
    // The encoder has another model by now: what the cache knew is of the old one.
    if (encoder.model !== model) return this.encode(texts, signal)
    const entries = missing.flatMap((text, index) => {
      const vector = made[index]
      return vector === undefined ? [] : [[text, vector] as const]
    })
    await cache?.put(entries).catch((error: unknown) => this.#reportCache(error))
    let next = 0
    return { model, vectors: known.map((vector) => vector ?? made[next++]) }
  }

  async close(): Promise<void> {
    const cache = await this.#cache?.opened
    await cache?.close().catch(() => undefined)
  }

  /** In halves, where some are refused. */
  async #encodeAll(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]> {
    try {
      return [...(await this.#options.encoder.encode(texts, 'document', signal)).vectors]
    } catch (error) {
      if (!(error instanceof EncoderError) || error.problem !== 'rejected') throw error
      const [text] = texts
      if (texts.length === 1 && text !== undefined) return [await this.#encodeShorter(text, error, signal)]
      const half = Math.ceil(texts.length / 2)
      const first = await this.#encodeAll(texts.slice(0, half), signal)
      return [...first, ...(await this.#encodeAll(texts.slice(half), signal))]
    }
  }

  async #encodeShorter(text: string, refused: EncoderError, signal: AbortSignal): Promise<Float32Array | undefined> {
    if (text.length > SHORTEST_TEXT) {
      const [vector] = await this.#encodeAll([cutText(text, Math.ceil(text.length / 2))], signal)
      return vector
    }
    const { log, encoder } = this.#options
    // Whether it is this text.
    await encoder.probe(signal)
    log.warn('memory.encoder', `The encoder ${refused.message}: a text is left without a vector`, {
      place: encoder.place,
    })
    return undefined
  }

  #openCache(model: string): Promise<VectorCache | undefined> {
    if (this.#cache?.model === model) return this.#cache.opened
    const opened = this.#replaceCache(this.#cache?.opened, model)
    this.#cache = { model, opened }
    return opened
  }

  async #replaceCache(old: Promise<VectorCache | undefined> | undefined, model: string) {
    const { cacheFolder: folder, encoder } = this.#options
    try {
      await (await old)?.close()
      return await VectorCache.open({ folder, model, dimension: encoder.dimension ?? 0 })
    } catch (error) {
      this.#reportCache(error)
      return undefined
    }
  }

  #reportCache(error: unknown): void {
    this.#options.log.warn('memory.encoder', `Vectors are not cached: ${errorMessage(error)}`)
  }
}
