/**
 * Gives vectors to what has none, in the background. Nothing that is saved waits for it, and nothing is noted of what is to be done:
 * the store knows what has no vector, so a restart goes on where it was.
 *
 * 1. One batch at a time. What was just saved comes before a long list of code.
 * 2. While the encoder is not to be asked, nothing is tried; after that it goes on by itself.
 * 3. With another model everything is encoded anew. The vectors of the old one stay until the last of the new ones is there, so that
 *    going back in the middle costs nothing; they are not compared, since a query has a vector of the new model only.
 * 4. Whatever fails, it goes on later. It ends when it is closed, within the time that aborting a request takes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, errorMessage } from '@switchboard/base'
import type { Space, StoredItem } from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'
import type { DocumentEncoder } from '../encoders/document-encoder.ts'
import { EncoderError } from '../encoders/encoder.ts'
import type { EncodedSpace } from '../encoders/encoder-config.ts'
import type { GuardedEncoder, Pauses } from '../encoders/guarded-encoder.ts'
import { BatchSize } from './batch-size.ts'

export interface EmbedderOptions {
  readonly encoder: GuardedEncoder
  readonly documents: DocumentEncoder
  /** What comes first is served first. */
  readonly spaces: readonly EncodedSpace[]
  readonly openSpace: (name: EncodedSpace) => Promise<Space>
  readonly batch: number
  /** Told of what was encoded, of each batch. */
  readonly onDidEncode: (model: string, vectors: readonly Float32Array[]) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds until it goes on after the store has failed. */
  readonly pauses: Pauses
}

/** Milliseconds: what is saved together is encoded together. */
const GATHER_MS = 100
/** So many are looked up at once: to look is cheaper for many than for few. */
const PAGE = 256

export class Embedder {
  readonly #options: EmbedderOptions
  readonly #batch: BatchSize
  readonly #closing = new AbortController()
  /** Where something may be without a vector. */
  readonly #dirty: Set<EncodedSpace>
  /** Where everything has had a vector of that model. */
  readonly #complete = new Map<EncodedSpace, string>()
  #model: string | undefined
  /** Of which the vectors of other models were removed. */
  #cleaned: string | undefined
  #wake: (() => void) | undefined
  #running: Promise<void> | undefined

  constructor(options: EmbedderOptions) {
    this.#options = options
    this.#batch = new BatchSize(options.batch)
    this.#dirty = new Set(options.spaces)
  }

  start(): void {
    this.#running ??= this.#run().catch((error: unknown) => {
      // Every failure that can be expected is waited out inside.
      this.#options.log.error('memory.embedder', `Nothing is encoded any more: ${errorMessage(error)}`)
    })
  }

  /** Something was stored there. */
  touch(name: EncodedSpace): void {
    if (!this.#options.spaces.includes(name)) return
    this.#dirty.add(name)
    this.#wake?.()
  }

  /** Whether all that was in it has been encoded with the encoder's model. What was just saved may still be without. */
  isComplete(name: EncodedSpace): boolean {
    const { model } = this.#options.encoder
    return model !== undefined && this.#complete.get(name) === model
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The embedder is being closed'))
    this.#wake?.()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    while (!signal.aborted) {
      try {
        const next = this.#next()
        if (next === undefined) await this.#rest(signal)
        else await this.#encodeSome(next, signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        await this.#pause(error, failures++, signal)
      }
    }
  }

  /** Until something is stored. */
  async #rest(signal: AbortSignal): Promise<void> {
    await this.#removeOldModels()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    // It may have come while the old ones were removed.
    if (this.#dirty.size === 0 && !signal.aborted) await promise
    this.#wake = undefined
    if (!signal.aborted) await delay(GATHER_MS, undefined, { signal, ref: false })
  }

  async #encodeSome(name: EncodedSpace, signal: AbortSignal): Promise<void> {
    const model = await this.#options.encoder.findModel(signal)
    if (model !== this.#model) this.#beginAnew(model)
    const space = await this.#options.openSpace(name)
    // Before it is looked: what is stored from here on makes it dirty again.
    this.#dirty.delete(name)
    try {
      const found = await space.listWithoutVector(model, PAGE, { signal })
      if (found.length === 0) {
        this.#complete.set(name, model)
        return
      }
      this.#dirty.add(name)
      for (let left = found; left.length > 0 && this.#next() === name && this.#options.encoder.model === model; ) {
        const items = this.#batch.take(left)
        await this.#encodeBatch(space, items, signal)
        left = left.slice(items.length)
      }
    } catch (error) {
      this.#dirty.add(name)
      throw error
    }
  }

  async #encodeBatch(space: Space, items: readonly StoredItem[], signal: AbortSignal): Promise<void> {
    const { documents, clock, encoder } = this.#options
    const texts = items.flatMap(({ text }) => (isBlank(text) ? [] : [text]))
    const began = clock.now()
    const encoded = await documents.encode(texts, signal)
    this.#batch.learn(clock.now() - began)
    let next = 0
    const vectors = items.map(({ id, revision, text }) => {
      const values = isBlank(text) ? undefined : encoded.vectors[next++]
      // What has no meaning, or none that the encoder takes, is near to nothing, and is not asked for again.
      return { id, revision, values: values ?? new Float32Array(encoder.dimension ?? 0) }
    })
    await space.putVectors(encoded.model, vectors)
    await this.#options.onDidEncode(
      encoded.model,
      encoded.vectors.filter((values) => values !== undefined),
    )
  }

  /** What was done with another model is to be done again. */
  #beginAnew(model: string): void {
    this.#model = model
    for (const name of this.#options.spaces) this.#dirty.add(name)
  }

  /** What was just saved comes before a long list of code. */
  #next(): EncodedSpace | undefined {
    return this.#options.spaces.find((name) => this.#dirty.has(name))
  }

  async #removeOldModels(): Promise<void> {
    const { encoder, spaces, openSpace } = this.#options
    const { model } = encoder
    if (model === undefined || this.#cleaned === model || !spaces.every((name) => this.isComplete(name))) return
    for (const name of spaces) await (await openSpace(name)).keepVectorsOf([model])
    this.#cleaned = model
  }

  async #pause(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { encoder, log, pauses } = this.#options
    const isEncoders = error instanceof EncoderError
    // One that is overwhelmed by many may answer few.
    if (isEncoders && ['slow', 'failed', 'garbage'].includes(error.problem)) this.#batch.shrink()
    // The encoder's own failures are told where they happen.
    if (!isEncoders) log.warn('memory.embedder', `Vectors could not be stored, later again: ${errorMessage(error)}`)
    const wait = Math.max(
      encoder.refusal()?.wait ?? 0,
      isEncoders && error.problem !== 'denied'
        ? pauses.first / 4
        : Math.min(pauses.first * 2 ** failures, pauses.longest),
    )
    await delay(wait, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Some keep records without a text, which no search finds. */
const isBlank = (text: string): boolean => text.trim() === ''
