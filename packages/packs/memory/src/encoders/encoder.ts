/** Whatever turns texts into vectors. It makes one attempt; patience, memory and doubt are those of `encoder-service.ts`. */

export interface Encoder {
  /** Who gives the answers, for messages: `http://127.0.0.1:11434`. Never holds a secret. */
  readonly place: string
  /** What decides its vectors, but for their length: those of another name are never compared with them. */
  identify(signal: AbortSignal): Promise<string>
  /** One for each text, in their order, of length 1 each. Throws EncoderError. */
  encode(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

/**
 * Why there are no vectors. `rejected`: these texts alone were refused. `denied` and `unusable`: nothing but a person mends it.
 * `waiting`: nobody was asked, since the last ones failed.
 */
export type EncoderProblem =
  | 'unreachable'
  | 'slow'
  | 'busy'
  | 'failed'
  | 'garbage'
  | 'rejected'
  | 'denied'
  | 'unusable'
  | 'waiting'

export interface EncoderErrorOptions extends ErrorOptions {
  /** Milliseconds after which it wants to be asked again. */
  readonly retryAfter?: number | undefined
}

/** Its message completes "the encoder …". */
export class EncoderError extends Error {
  readonly problem: EncoderProblem
  readonly retryAfter: number | undefined

  constructor(problem: EncoderProblem, message: string, { retryAfter, ...options }: EncoderErrorOptions = {}) {
    super(message, options)
    this.name = 'EncoderError'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}
