/**
 * What one caller may take: calls a second for a tool (a bucket for every caller and tool, never for an address), and calls
 * in flight. Over either it is told when to come back. What all may take together is shared in turns: over that, calls wait.
 * A few of every caller's never wait: one agent's calls may hang for long, and must not shut out another's.
 */
import { FairQueue } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
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

/** What one caller has under way. Kept between its calls: a map that is filled and emptied all the time is costly. */
interface Load {
  /** With those that wait. */
  inFlight: number
  running: number
}

export class CallLimits {
  #rules: LimitRules
  readonly #now: () => number
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #loads = new Map<string, Load>()
  readonly #running: FairQueue
  #entered = 0

  constructor(rules: LimitRules, now: () => number = () => performance.now()) {
    this.#rules = rules
    const ownShare = rules.ownShare ?? DEFAULT_OWN_SHARE
    this.#running = new FairQueue(rules.maxRunning ?? DEFAULT_MAX_RUNNING, {
      isOwed: (caller) => this.#loadOf(caller).running < ownShare,
      onEntered: (caller) => {
        this.#loadOf(caller).running++
      },
    })
    this.#now = now
  }

  /** For calls from now on; `maxRunning` and `ownShare` stay as they were. */
  setRules({ rate, maxInFlight }: Pick<LimitRules, 'rate' | 'maxInFlight'>): void {
    const { rate: _old, ...kept } = this.#rules
    this.#rules = { ...kept, maxInFlight, ...(rate === undefined ? {} : { rate }) }
  }

  /**
   * Throws `rate_limited`; else the call counts until `leave`. Undefined: go. Else it is this caller's turn when that
   * resolves; a call that is cancelled meanwhile has left.
   */
  enter(caller: string, provider: string, tool: string, signal?: AbortSignal): Promise<void> | undefined {
    if (++this.#entered % SWEEP_EVERY === 0) this.#sweep()
    const load = this.#loadOf(caller)
    if (load.inFlight >= this.#rules.maxInFlight) throw this.#createTooManyError(load.inFlight)
    const rule = this.#rules.rate?.(provider, tool)
    if (rule !== undefined) this.#takeToken(rule, caller, tool)
    load.inFlight++
    return this.#running.tryEnter(caller) ? undefined : this.#waitForTurn(caller, load, signal)
  }

  leave(caller: string): void {
    const load = this.#loadOf(caller)
    if (load.inFlight > 0) load.inFlight--
    if (load.running === 0) return
    load.running--
    this.#running.exit(caller)
  }

  inFlight(caller: string): number {
    return this.#loads.get(caller)?.inFlight ?? 0
  }

  #waitForTurn(caller: string, load: Load, signal: AbortSignal | undefined): Promise<void> {
    return this.#running.wait(caller, {
      signal,
      createAbortError: (reason) => {
        load.inFlight--
        return reason instanceof SwitchboardError ? reason : new SwitchboardError('cancelled', 'The call was cancelled')
      },
    })
  }

  #loadOf(caller: string): Load {
    const known = this.#loads.get(caller)
    if (known !== undefined) return known
    const load = { inFlight: 0, running: 0 }
    this.#loads.set(caller, load)
    return load
  }

  #createTooManyError(inFlight: number): SwitchboardError {
    const { maxInFlight } = this.#rules
    const message = `This caller has ${inFlight} calls in flight, which is the most it may have`
    return new SwitchboardError('rate_limited', message, {
      retryAfterMs: 100,
      details: { inFlight, limit: maxInFlight },
    })
  }

  #takeToken(rule: BucketRule, caller: string, tool: string): void {
    const now = this.#now()
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

  /** A full bucket and a caller with nothing under way remember nothing worth keeping. */
  #sweep(): void {
    const now = this.#now()
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key)
    for (const [caller, { inFlight }] of this.#loads) if (inFlight === 0) this.#loads.delete(caller)
  }
}
