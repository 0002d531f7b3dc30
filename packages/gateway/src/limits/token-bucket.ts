/** So many calls a second, with a burst. Refilled by the clock when it is looked at; no timers. */
export interface BucketRule {
  readonly perSecond: number
  readonly burst: number
}

/** What sums of fractions may miss; without it a caller is told to wait a millisecond too long, or comes too early. */
const ROUNDING = 1e-6

export class TokenBucket {
  readonly #rule: BucketRule
  #tokens: number
  #at: number

  constructor(rule: BucketRule, now: number) {
    this.#rule = rule
    this.#tokens = rule.burst
    this.#at = now
  }

  isBy({ perSecond, burst }: BucketRule): boolean {
    return this.#rule.perSecond === perSecond && this.#rule.burst === burst
  }

  /** 0: taken. Else the milliseconds until one is there. */
  take(now: number): number {
    const { perSecond, burst } = this.#rule
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (this.#tokens >= 1 - ROUNDING) {
      this.#tokens -= 1
      return 0
    }
    return Math.ceil(((1 - this.#tokens - ROUNDING) / perSecond) * 1000)
  }

  isFull(now: number): boolean {
    return this.#tokens + ((now - this.#at) / 1000) * this.#rule.perSecond >= this.#rule.burst
  }
}
