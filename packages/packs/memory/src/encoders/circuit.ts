/**
 * Whether it makes sense to ask somebody who has failed before.
 *
 * 1. Closed: everybody may. After so many failures in a row it opens.
 * 2. Open: nobody may, for a pause that doubles with every trial that fails, up to a bound; or for as long as was asked for.
 * 3. After the pause one may, as a trial; the others wait for its outcome. Success closes it.
 * 4. What was asked before it opened changes nothing any more, unless it succeeds.
 */
import type { Clock } from '@switchboard/base'

export interface CircuitOptions {
  readonly clock: Clock
  /** Failures in a row until it opens. */
  readonly failures: number
  /** Milliseconds. */
  readonly firstPause: number
  readonly longestPause: number
}

export interface Attempt {
  succeed(): void
  /** `retryAfter`: milliseconds that the one who failed asks for. `isFinal`: there is no use in counting further. */
  fail(reason: string, details?: { readonly retryAfter?: number | undefined; readonly isFinal?: boolean }): void
  /** It was given up: nothing is known. */
  abandon(): void
}

export interface OpenCircuit {
  /** Why it is open. */
  readonly reason: string
  /** Milliseconds until somebody may try. 0: somebody is trying. */
  readonly wait: number
}

/** What somebody asks for is not waited for longer than that. */
const LONGEST_WISH_MS = 300_000

export class Circuit {
  readonly #options: CircuitOptions
  #failures = 0
  #pause = 0
  #openUntil: number | undefined
  #reason = ''
  #isTrying = false

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  /** Undefined: it is closed. */
  refusal(): OpenCircuit | undefined {
    if (this.#openUntil === undefined) return undefined
    return { reason: this.#reason, wait: Math.max(0, this.#openUntil - this.#options.clock.now()) }
  }

  enter(): Attempt | OpenCircuit {
    const refusal = this.refusal()
    if (refusal !== undefined && (refusal.wait > 0 || this.#isTrying)) return refusal
    const isTrial = refusal !== undefined
    if (isTrial) this.#isTrying = true
    let isOver = false
    const end = (change: () => void) => {
      if (isOver) return
      isOver = true
      if (isTrial) this.#isTrying = false
      change()
    }
    return {
      succeed: () => end(() => this.#close()),
      fail: (reason, details = {}) =>
        end(() => {
          if (isTrial || this.#openUntil === undefined)
            this.#count(reason, isTrial || details.isFinal === true, details)
        }),
      abandon: () => end(() => {}),
    }
  }

  #close(): void {
    this.#failures = 0
    this.#pause = 0
    this.#openUntil = undefined
  }

  #count(reason: string, opens: boolean, { retryAfter }: { readonly retryAfter?: number | undefined }): void {
    const { clock, failures, firstPause, longestPause } = this.#options
    this.#failures++
    this.#reason = reason
    if (!opens && this.#failures < failures) return
    this.#pause = this.#pause === 0 ? firstPause : Math.min(2 * this.#pause, longestPause)
    const wished = retryAfter === undefined ? 0 : Math.min(retryAfter, LONGEST_WISH_MS)
    this.#openUntil = clock.now() + Math.max(this.#pause, wished)
  }
}
