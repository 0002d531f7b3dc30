/**
 * What one caller may take: calls a second for a tool (a bucket for every caller and tool, never for an address), and calls
 * in flight. Over the first it is told when to come back; over the second its calls wait for each other, up to a bound.
 */
import { SwitchboardError } from '@switchboard/protocol'
import { type BucketRule, TokenBucket } from './token-bucket.ts'

export interface LimitRules {
  /** By exposed name; `*` for all others of that provider kind. Absent: unlimited. */
  readonly rate?: (provider: string, tool: string) => BucketRule | undefined
  /** Calls of one caller that are under way or wait. */
  readonly maxInFlight: number
}

const SWEEP_EVERY = 10_000

export class CallLimits {
  readonly #rules: LimitRules
  readonly #now: () => number
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #inFlight = new Map<string, number>()
  #checks = 0

  constructor(rules: LimitRules, now: () => number = () => performance.now()) {
    this.#rules = rules
    this.#now = now
  }

  /** Throws `rate_limited`; else the call counts until `leave`. */
  enter(caller: string, provider: string, tool: string): void {
    const active = this.#inFlight.get(caller) ?? 0
    if (active >= this.#rules.maxInFlight) {
      throw new SwitchboardError(
        'rate_limited',
        `This caller has ${active} calls in flight, which is the most it may have`,
        {
          retryAfterMs: 100,
          details: { inFlight: active, limit: this.#rules.maxInFlight },
        },
      )
    }
    const rule = this.#rules.rate?.(provider, tool)
    if (rule !== undefined) this.#takeToken(rule, caller, tool)
    this.#inFlight.set(caller, active + 1)
  }

  leave(caller: string): void {
    const active = (this.#inFlight.get(caller) ?? 1) - 1
    if (active <= 0) this.#inFlight.delete(caller)
    else this.#inFlight.set(caller, active)
  }

  inFlight(caller: string): number {
    return this.#inFlight.get(caller) ?? 0
  }

  #takeToken(rule: BucketRule, caller: string, tool: string): void {
    const now = this.#now()
    this.#sweep(now)
    const key = `${caller}\0${tool}`
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = new TokenBucket(rule, now)
      this.#buckets.set(key, bucket)
    }
    const wait = bucket.take(now)
    if (wait === 0) return
    throw new SwitchboardError('rate_limited', `${tool} may be called ${rule.perSecond} times a second`, {
      retryAfterMs: wait,
      details: { tool, perSecond: rule.perSecond, burst: rule.burst },
    })
  }

  /** A full bucket remembers nothing worth keeping. */
  #sweep(now: number): void {
    if (++this.#checks % SWEEP_EVERY !== 0) return
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key)
  }
}
