import { SwitchboardError } from '@switchboard/protocol/errors'

/** How many legacy sessions there are over all transports, and whether there may be one more. */
export class SessionQuota {
  readonly #most: number
  #count = 0
  #evict: (() => boolean) | undefined

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** `evict` ends an idle session and calls `leave` for it, or returns false. */
  onFull(evict: () => boolean): void {
    this.#evict = evict
  }

  /** Throws when there is no room and none can be made. */
  enter(): void {
    if (this.#count >= this.#most && this.#evict?.() !== true) {
      throw new SwitchboardError('rate_limited', `There are ${this.#count} sessions, which is the most there may be`, {
        hint: 'End sessions that are not needed (DELETE), or raise `gateway.maxSessions`.',
        retryAfterMs: 5_000,
        details: { sessions: this.#count, limit: this.#most },
      })
    }
    this.#count++
  }

  leave(): void {
    this.#count--
  }
}
