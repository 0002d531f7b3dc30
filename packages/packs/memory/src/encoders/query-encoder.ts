/**
 * Queries: somebody waits for them.
 *
 * 1. For a short time only. The request goes on, and its answer is kept for whoever asks the same again.
 * 2. When they come too late again and again, none is asked for a while: a search that waits in vain is worse than one by words.
 */
import type { Clock } from '@switchboard/base'
import type { QueryVector } from '@switchboard/store'
import { Circuit } from './circuit.ts'
import { EncoderError } from './encoder.ts'
import { createWaitingError, FAILURES_UNTIL_OPEN, type GuardedEncoder, type Pauses } from './guarded-encoder.ts'
import { prepareText, type TextRules } from './prepare-text.ts'
import { QueryMemory } from './query-memory.ts'

export interface QueryEncoderOptions {
  readonly encoder: GuardedEncoder
  readonly clock: Clock
  readonly rules: TextRules
  /** Milliseconds that a query waits. */
  readonly timeout: number
  readonly pauses: Pauses
  readonly closing: AbortSignal
}

const MAX_WAITING = 4

export class QueryEncoder {
  readonly #options: QueryEncoderOptions
  readonly #pace: Circuit
  readonly #memory = new QueryMemory()
  readonly #waiting = new Map<string, Promise<QueryVector>>()

  constructor(options: QueryEncoderOptions) {
    const { clock, pauses } = options
    this.#options = options
    this.#pace = new Circuit({
      clock,
      firstPause: pauses.first,
      longestPause: pauses.longest,
      failures: FAILURES_UNTIL_OPEN,
    })
  }

  /** Throws EncoderError, also when the time is over. */
  async encode(text: string, signal?: AbortSignal): Promise<QueryVector> {
    const { encoder, rules } = this.#options
    const prepared = prepareText(text, rules)
    const known = this.#memory.find(encoder.model, prepared)
    if (known !== undefined) {
      encoder.counts.recordCached('query', 1)
      return known
    }
    const down = encoder.refusal()
    if (down !== undefined && down.wait > 0) throw createWaitingError(down)
    const attempt = this.#pace.enter()
    if ('wait' in attempt) throw createWaitingError(attempt)
    try {
      const vector = await this.#waitFor(this.#start(prepared), signal)
      attempt.succeed()
      return vector
    } catch (error) {
      if (error instanceof EncoderError && error.problem === 'slow') attempt.fail(error.message)
      else attempt.abandon()
      throw error
    }
  }

  /** For whoever has time. Throws EncoderError. */
  async encodePatiently(text: string, signal: AbortSignal): Promise<QueryVector> {
    signal.throwIfAborted()
    return this.#start(prepareText(text, this.#options.rules))
  }

  /** Resolves when nothing is on its way any more. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#waiting.values())
  }

  #start(prepared: string): Promise<QueryVector> {
    const running = this.#waiting.get(prepared)
    if (running !== undefined) return running
    if (this.#waiting.size >= MAX_WAITING) {
      return Promise.reject(new EncoderError('slow', 'has not answered earlier queries yet'))
    }
    const started = this.#ask(prepared).finally(() => this.#waiting.delete(prepared))
    // Nobody may be there any more when it fails.
    started.catch(() => undefined)
    this.#waiting.set(prepared, started)
    return started
  }

  async #ask(prepared: string): Promise<QueryVector> {
    const { encoder, closing } = this.#options
    const { model, vectors } = await encoder.encode([prepared], 'query', closing)
    const [values] = vectors
    if (values === undefined) throw new EncoderError('garbage', 'answered without a vector')
    const vector = { model, values }
    this.#memory.keep(prepared, vector)
    return vector
  }

  #waitFor(started: Promise<QueryVector>, signal: AbortSignal | undefined): Promise<QueryVector> {
    const { clock, timeout } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<QueryVector>()
    const late = () => reject(new EncoderError('slow', `did not answer within ${timeout} ms`))
    const timer = clock.setBackgroundTimer(timeout, late)
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    started.then(resolve, reject)
    return promise.finally(() => {
      timer.cancel()
      signal?.removeEventListener('abort', abort)
    })
  }
}
