/**
 * What one caller may take: calls a second for a tool (a bucket for every caller and tool, never for an address), and calls
 * in flight. Over either it is told when to come back. What all may take together is shared in turns: over that, calls wait.
 * A few of every caller's never wait: one agent's calls may hang for long, and must not shut out another's.
 */
import { FairQueue, SwitchboardError } from '@switchboard/protocol'
import { type BucketRule, TokenBucket } from './token-bucket.ts'

export interface LimitRules {
  /** By exposed name; `*` for all others of that provider kind. Absent: unlimited. */
  readonly rate?: (provider: string, tool: string) => BucketRule | undefined
  /** Calls of one caller that are under way or wait. */
  readonly maxInFlight: number
  /** Calls of all callers that run at once; others wait their turn. Default: 512. */
  readonly maxRunning?: number
  /** Calls of one caller that run whatever the others have under way. Default: 4. */
  readonly ownShare?: number
}

const SWEEP_EVERY = 10_000
const DEFAULT_MAX_RUNNING = 512
const DEFAULT_OWN_SHARE = 4

export class CallLimits {
  #rules: LimitRules
  readonly #now: () => number
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #inFlight = new Map<string, number>()
  readonly #running: FairQueue
  readonly #runningOf = new Map<string, number>()
  readonly #ownShare: number
  #checks = 0

  constructor(rules: LimitRules, now: () => number = () => performance.now()) {
    this.#rules = rules
    this.#running = new FairQueue(rules.maxRunning ?? DEFAULT_MAX_RUNNING)
    this.#ownShare = rules.ownShare ?? DEFAULT_OWN_SHARE
    this.#now = now
  }

  /** For calls from now on; `maxRunning` and `ownShare` stay as they were. */
  setRules({ rate, maxInFlight }: Pick<LimitRules, 'rate' | 'maxInFlight'>): void {
    const { rate: _old, ...kept } = this.#rules
    this.#rules = { ...kept, maxInFlight, ...(rate === undefined ? {} : { rate }) }
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

  /** Undefined: go. Else when it is this caller's turn. Each turn ends with `endTurn`. */
  takeTurn(caller: string, signal: AbortSignal): Promise<void> | undefined {
    if (this.#enterAtOnce(caller)) return undefined
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        place.leave()
        signal.removeEventListener('abort', onAbort)
        const { reason } = signal
        reject(
          reason instanceof SwitchboardError ? reason : new SwitchboardError('cancelled', 'The call was cancelled'),
        )
      }
      const place = this.#running.lineUp(caller, () => {
        signal.removeEventListener('abort', onAbort)
        this.#countRunning(caller, 1)
        resolve()
      })
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
    })
  }

  endTurn(caller: string): void {
    this.#countRunning(caller, -1)
    this.#running.exit()
    if (this.#isWithinShare(caller)) this.#running.admitAnyway(caller)
  }

  leave(caller: string): void {
    const active = (this.#inFlight.get(caller) ?? 1) - 1
    if (active <= 0) this.#inFlight.delete(caller)
    else this.#inFlight.set(caller, active)
  }

  inFlight(caller: string): number {
    return this.#inFlight.get(caller) ?? 0
  }

  #enterAtOnce(caller: string): boolean {
    if (!this.#running.tryEnter()) {
      if (!this.#isWithinShare(caller)) return false
      this.#running.enterAnyway()
    }
    this.#countRunning(caller, 1)
    return true
  }

  #isWithinShare(caller: string): boolean {
    return (this.#runningOf.get(caller) ?? 0) < this.#ownShare
  }

  #countRunning(caller: string, change: 1 | -1): void {
    const running = (this.#runningOf.get(caller) ?? 0) + change
    if (running <= 0) this.#runningOf.delete(caller)
    else this.#runningOf.set(caller, running)
  }

  #takeToken(rule: BucketRule, caller: string, tool: string): void {
    const now = this.#now()
    this.#sweep(now)
    const key = `${caller}\0${tool}`
    let bucket = this.#buckets.get(key)
    if (bucket === undefined || !bucket.isBy(rule)) {
      bucket = new TokenBucket(rule, now)
      this.#buckets.set(key, bucket)
    }
    const wait = bucket.take(now)
    if (wait === 0) return
    const often = rule.perSecond === 1 ? 'once' : `${rule.perSecond} times`
    throw new SwitchboardError('rate_limited', `${tool} may be called ${often} a second; wait ${wait} ms`, {
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
