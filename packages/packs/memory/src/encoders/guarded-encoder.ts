/**
 * An encoder that is asked only while it makes sense: within a time, again after a failure that may pass, and for a while not at all
 * after failures in a row (`circuit.ts`); the next one after that is the trial. Keeps count, and holds every answer to one length.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, errorMessage } from '@switchboard/base'
import type { Logger } from '@switchboard/telemetry'
import { type Attempt, Circuit, type OpenCircuit } from './circuit.ts'
import { Dimension } from './dimension.ts'
import { type Encoder, EncoderError } from './encoder.ts'
import { EncodingCounts, type EncodingRole } from './encoder-metrics.ts'
import type { EncoderNotes } from './encoder-notes.ts'

export interface GuardedEncoderOptions {
  readonly encoder: Encoder
  readonly notes: EncoderNotes
  readonly clock: Clock
  readonly log: Logger
  readonly dimensions: number | undefined
  readonly documentPrefix: string
  /** Milliseconds for one request. */
  readonly timeout: number
  readonly pauses: Pauses
  /** Aborted when everything ends. */
  readonly closing: AbortSignal
}

/** Milliseconds for which nobody is asked after failures in a row. */
export interface Pauses {
  readonly first: number
  readonly longest: number
}

export interface Encoded {
  /** What made them, with their length. */
  readonly model: string
  readonly vectors: readonly Float32Array[]
}

export const FAILURES_UNTIL_OPEN = 3
const ATTEMPTS: Readonly<Record<EncodingRole, number>> = { query: 2, document: 3 }
/** Milliseconds before the second attempt; four times as many before the third. */
const RETRY_PAUSE_MS = 100
/** Somebody who wants to be left alone for longer is not waited for between two attempts. */
const LONGEST_RETRY_MS = 5_000
/** Where another attempt changes nothing. */
const HOPELESS: readonly string[] = ['rejected', 'denied', 'unusable', 'waiting']
/** Any encoder takes it. */
const PROBE = 'What is this?'

export class GuardedEncoder {
  readonly counts: EncodingCounts
  readonly #options: GuardedEncoderOptions
  readonly #circuit: Circuit
  readonly #dimension: Dimension
  #name: string | undefined

  constructor(options: GuardedEncoderOptions) {
    const { clock, dimensions, pauses } = options
    this.#options = options
    this.#circuit = new Circuit({
      clock,
      firstPause: pauses.first,
      longestPause: pauses.longest,
      failures: FAILURES_UNTIL_OPEN,
    })
    this.#dimension = new Dimension(dimensions)
    this.counts = new EncodingCounts(() => this.refusal() !== undefined)
  }

  get place(): string {
    return this.#options.encoder.place
  }

  /** What vectors are kept by: the model and their length, as far as both are known. */
  get model(): string | undefined {
    const { length } = this.#dimension
    return this.#name === undefined || length === undefined ? undefined : `${this.#name}/${length}`
  }

  get dimension(): number | undefined {
    return this.#dimension.length
  }

  /** Why nobody is asked for now, if so. */
  refusal(): OpenCircuit | undefined {
    return this.#circuit.refusal()
  }

  /** As `model`; asks the encoder where nobody knows. Throws EncoderError. */
  async findModel(signal: AbortSignal): Promise<string> {
    if (this.model !== undefined) return this.model
    const name = await this.#identify(signal)
    const known = await this.#options.notes.readDimension(name).catch(() => undefined)
    if (known !== undefined) this.#dimension.remember(known)
    return this.model ?? (await this.probe(signal)).model
  }

  /** Whether it encodes at all: one that refuses whatever it is asked has no such model, or is no encoder. Throws EncoderError. */
  async probe(signal: AbortSignal): Promise<Encoded> {
    try {
      return await this.encode([PROBE], 'document', signal)
    } catch (error) {
      if (!(error instanceof EncoderError) || error.problem !== 'rejected') throw error
      const denied = new EncoderError('denied', error.message, { cause: error })
      const attempt = this.#circuit.enter()
      if (!('wait' in attempt)) this.#fail(attempt, denied)
      throw denied
    }
  }

  /** Throws EncoderError, or the reason of the signal. */
  async encode(texts: readonly string[], role: EncodingRole, signal: AbortSignal): Promise<Encoded> {
    for (let left = ATTEMPTS[role] - 1, pause = RETRY_PAUSE_MS; ; left--, pause *= 4) {
      try {
        return await this.#request(texts, role, signal)
      } catch (error) {
        const mayPass = error instanceof EncoderError && !HOPELESS.includes(error.problem)
        if (!mayPass || left === 0 || this.refusal() !== undefined) throw error
        const wait = Math.max(error.retryAfter ?? 0, pause * (0.5 + Math.random()))
        if (wait > LONGEST_RETRY_MS) throw error
        const ended = AbortSignal.any([signal, this.#options.closing])
        await delay(wait, undefined, { signal: ended, ref: false }).catch(() => {
          throw ended.reason
        })
      }
    }
  }

  async #identify(signal: AbortSignal): Promise<string> {
    if (this.#name !== undefined) return this.#name
    const { encoder, documentPrefix } = this.#options
    const name = await this.#attempt('document', 0, signal, (both) => encoder.identify(both))
    this.#name ??= withPrefix(name, documentPrefix)
    return this.#name
  }

  async #request(texts: readonly string[], role: EncodingRole, signal: AbortSignal): Promise<Encoded> {
    const name = await this.#identify(signal)
    const vectors = await this.#attempt(role, texts.length, signal, async (both) => {
      const answered = await this.#options.encoder.encode(texts, both)
      const length = answered[0]?.length ?? 0
      if (this.#dimension.accept(length)) this.#noteDimension(name, length)
      return answered
    })
    return { model: `${name}/${vectors[0]?.length ?? 0}`, vectors }
  }

  /** Within the time, counted, and only while the circuit lets it. */
  async #attempt<T>(
    role: EncodingRole,
    texts: number,
    signal: AbortSignal,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const attempt = this.#circuit.enter()
    if ('wait' in attempt) throw createWaitingError(attempt)
    const { clock, timeout, closing } = this.#options
    const limit = new AbortController()
    const late = () => limit.abort(new EncoderError('slow', `did not answer within ${timeout} ms`))
    const timer = clock.setBackgroundTimer(timeout, late)
    const began = clock.now()
    const both = AbortSignal.any([limit.signal, signal, closing])
    try {
      both.throwIfAborted()
      const result = await act(both)
      attempt.succeed()
      this.counts.record(role, 'ok', texts, clock.now() - began)
      return result
    } catch (thrown) {
      if (both.aborted && !limit.signal.aborted) {
        attempt.abandon()
        throw both.reason
      }
      const error = toEncoderError(limit.signal.aborted ? limit.signal.reason : thrown)
      this.counts.record(role, error.problem, texts, clock.now() - began)
      // Who refuses a text is there.
      if (error.problem === 'rejected') attempt.succeed()
      else this.#fail(attempt, error)
      throw error
    } finally {
      timer.cancel()
    }
  }

  #fail(attempt: Attempt, { problem, message, retryAfter }: EncoderError): void {
    const wasOpen = this.refusal() !== undefined
    const isFinal = problem === 'denied' || problem === 'unusable' || (retryAfter ?? 0) > LONGEST_RETRY_MS
    attempt.fail(message, { retryAfter, isFinal })
    if (wasOpen || this.refusal() === undefined) return
    this.#options.log.warn('memory.encoder', `The encoder ${message}. Search goes by words alone until it answers`, {
      place: this.place,
      problem,
    })
  }

  #noteDimension(name: string, length: number): void {
    this.#options.notes.writeDimension(name, length).catch((error: unknown) => {
      // It is asked for again after a restart.
      this.#options.log.debug('memory.encoder', `The length of the vectors was not noted: ${errorMessage(error)}`)
    })
  }
}

export function createWaitingError({ reason, wait }: OpenCircuit): EncoderError {
  return new EncoderError('waiting', reason, { retryAfter: wait })
}

/** A document with something before it has another vector. */
function withPrefix(name: string, prefix: string): string {
  return prefix === '' ? name : `${name}+${createHash('sha256').update(prefix).digest('hex').slice(0, 8)}`
}

function toEncoderError(thrown: unknown): EncoderError {
  if (thrown instanceof EncoderError) return thrown
  return new EncoderError('failed', `failed (${errorMessage(thrown)})`, { cause: thrown })
}
