/**
 * The requests that wait for an answer on one connection, each with its budget, its abort signal and its way to settle.
 * What is asked and what an error looks like is the owner's.
 *
 * 1. A request settles once: by its answer, by its budget, by its caller or by the end of the connection, whichever is first.
 * 2. One that is given up is told to the owner before its caller hears of it, so that the other side can be told to stop.
 * 3. A settled request leaves neither a listener nor, once all are settled, a timer that keeps the process alive; an owner
 *    that `keepsTimer` lets it run out, or ends it with `failAll`.
 */
import { type Clock, systemClock, type Timer } from './clock.ts'
import { type RequestKey, RequestTable } from './request-table.ts'

/** Of a request that nobody can cancel. It is known by identity: to listen to a signal costs several microseconds. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal

export interface RequestLimits {
  /** Milliseconds; Infinity: none. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** `R`: what it is answered with. `O`: what its owner keeps with it. */
export interface PendingRequest<R, O extends RequestLimits> {
  readonly id: RequestKey
  readonly method: string
  readonly options: O
  resolve(result: R): void
  reject(error: Error): void
}

export interface PendingRequestsOptions<R, O extends RequestLimits> {
  readonly clock?: Clock
  createTimeoutError(request: PendingRequest<R, O>): Error
  createAbortError(request: PendingRequest<R, O>, reason: unknown): Error
  /** Nobody waits for it any more, but the other side may still be at it. */
  onAbandoned?(request: PendingRequest<R, O>, error: Error): void
  /** It is no longer pending, however it ended; before anybody hears of it. */
  onReleased?(request: PendingRequest<R, O>): void
  /**
   * Leaves the timer alone when its request is answered: it then fires once for nothing. For owners with thousands of
   * requests a second that live as long as the process. Default: it ends with the last request.
   */
  readonly keepsTimer?: boolean
}

interface Entry<R, O extends RequestLimits> extends PendingRequest<R, O> {
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** Monotonic; Infinity without a budget, and while the budget stands still. */
  deadline: number
  /** What was left of the budget when the clock was stopped. */
  left: number | undefined
  /** How often it was paused and not resumed yet. */
  pauses: number
  onAbort: (() => void) | undefined
}

export class PendingRequests<R, O extends RequestLimits = RequestLimits> {
  readonly #owner: PendingRequestsOptions<R, O>
  readonly #clock: Clock
  readonly #keepsTimer: boolean
  readonly #entries = new RequestTable<Entry<R, O>>()
  /** One for all, set to the earliest deadline: to set and cancel one for every request costs each several microseconds. */
  #timer: Timer | undefined
  #timerDue = Number.POSITIVE_INFINITY

  constructor(owner: PendingRequestsOptions<R, O>) {
    this.#owner = owner
    this.#clock = owner.clock ?? systemClock
    this.#keepsTimer = owner.keepsTimer ?? false
  }

  get size(): number {
    return this.#entries.size
  }

  /** It can be answered from now on. Its budget and its signal count from `watch`, which is to follow at once. */
  add(id: RequestKey, method: string, options: O): Promise<R> {
    return new Promise((resolve, reject) => {
      const entry: Entry<R, O> = {
        id,
        method,
        options,
        timeout: options.timeout,
        signal: options.signal,
        resolve,
        reject,
        deadline: Number.POSITIVE_INFINITY,
        left: undefined,
        pauses: 0,
        onAbort: undefined,
      }
      this.#entries.add(entry)
    })
  }

  /** Apart from `add`, so that a request is written first and the other side is at work meanwhile. */
  watch(id: RequestKey): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const { timeout, signal } = entry
    if (timeout !== Number.POSITIVE_INFINITY) this.#startClock(entry, timeout)
    if (signal !== undefined && signal !== NEVER_ABORTED) {
      // Not written as `entry.onAbort = () => …`: V8 puts a function that is assigned to a member where only full
      // collections look, and it would keep all that belongs to its request until then.
      const onAbort = (): void => this.#abandon(entry, this.#owner.createAbortError(entry, signal.reason))
      entry.onAbort = onAbort
      signal.addEventListener('abort', onAbort)
      // It may have come while the request was written.
      if (signal.aborted) onAbort()
    }
  }

  get(id: RequestKey): PendingRequest<R, O> | undefined {
    return this.#entries.get(id)
  }

  /** In the order in which they were added. */
  all(): PendingRequest<R, O>[] {
    return this.#entries.all()
  }

  /** Takes it out; the caller settles it. */
  take(id: RequestKey): PendingRequest<R, O> | undefined {
    const entry = this.#entries.get(id)
    if (entry !== undefined) this.#release(entry)
    return entry
  }

  failAll(createError: (request: PendingRequest<R, O>) => Error): void {
    for (const entry of this.#entries.all()) {
      this.#release(entry)
      entry.reject(createError(entry))
    }
    this.#disarm()
  }

  /** A person who is asked something is not the other side being slow: the budget stands still meanwhile. */
  pauseBudget(id: RequestKey): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.pauses++ > 0 || entry.deadline === Number.POSITIVE_INFINITY) return
    entry.left = Math.max(0, entry.deadline - this.#clock.now())
    entry.deadline = Number.POSITIVE_INFINITY
    this.#setTimer()
  }

  /** It runs on when it is resumed as often as it was paused. */
  resumeBudget(id: RequestKey): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || --entry.pauses > 0 || entry.left === undefined) return
    const { left } = entry
    entry.left = undefined
    this.#startClock(entry, left)
  }

  #startClock(entry: Entry<R, O>, ms: number): void {
    entry.deadline = this.#clock.now() + ms
    if (entry.deadline < this.#timerDue) this.#arm(entry.deadline, ms)
  }

  #arm(due: number, ms: number): void {
    this.#timer?.cancel()
    this.#timerDue = due
    this.#timer = this.#clock.setTimer(ms, () => this.#expire())
  }

  #disarm(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#timerDue = Number.POSITIVE_INFINITY
  }

  #expire(): void {
    this.#timer = undefined
    this.#timerDue = Number.POSITIVE_INFINITY
    const now = this.#clock.now()
    for (const entry of this.#entries.all()) {
      if (entry.deadline <= now) this.#abandon(entry, this.#owner.createTimeoutError(entry))
    }
    this.#setTimer()
  }

  /** To the earliest deadline there is now. */
  #setTimer(): void {
    let due = Number.POSITIVE_INFINITY
    for (const { deadline } of this.#entries.all()) due = Math.min(due, deadline)
    if (due === this.#timerDue) return
    if (due === Number.POSITIVE_INFINITY) this.#disarm()
    else this.#arm(due, Math.max(0, due - this.#clock.now()))
  }

  #abandon(entry: Entry<R, O>, error: Error): void {
    if (this.#entries.get(entry.id) !== entry) return
    this.#release(entry)
    this.#owner.onAbandoned?.(entry, error)
    entry.reject(error)
  }

  #release(entry: Entry<R, O>): void {
    this.#entries.remove(entry)
    if (entry.onAbort !== undefined) entry.signal?.removeEventListener('abort', entry.onAbort)
    if (!this.#keepsTimer && this.#entries.size === 0) this.#disarm()
    this.#owner.onReleased?.(entry)
  }
}
