/** Ends a daemon that nobody has used for a while. Off unless a time is set. */
export interface IdleStopOptions {
  /** Somebody is there, or something is under way. */
  readonly isBusy: () => boolean
  readonly stop: () => void
  readonly now?: () => number
}

export class IdleStop {
  readonly #options: IdleStopOptions
  readonly #now: () => number
  #limit: number | undefined
  #lastUsed: number
  #timer: NodeJS.Timeout | undefined

  constructor(options: IdleStopOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#lastUsed = this.#now()
  }

  /** Undefined switches it off. */
  setLimit(limit: number | undefined): void {
    this.#limit = limit
    this.#look()
  }

  /** It was used just now. */
  touch(): void {
    this.#lastUsed = this.#now()
  }

  close(): void {
    this.#limit = undefined
    clearTimeout(this.#timer)
  }

  /** Looks again when the time could be over, so that a use costs nothing but a number. */
  #look(): void {
    clearTimeout(this.#timer)
    if (this.#limit === undefined) return
    if (this.#options.isBusy()) this.touch()
    const left = this.#lastUsed + this.#limit - this.#now()
    if (left <= 0) this.#options.stop()
    else this.#timer = setTimeout(() => this.#look(), left).unref()
  }
}
