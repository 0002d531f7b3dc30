/**
 * The places of one server, or of a named queue that several share: fair between callers, who take turns and hold no more
 * than their share, and no longer waited for than a call's budget allows.
 */
import { FairQueue, SwitchboardError } from '@switchboard/protocol'
import type { Clock, Timer } from '../clock.ts'
import { createAbortError, NEVER_ABORTED } from '../connection/pending-requests.ts'
import { CallerShares } from './caller-shares.ts'

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that may be spent waiting. */
  readonly timeout: number
  /** Whose call it is. */
  readonly caller?: string
}

const RECONSIDER_MS = 2_000

export class CallQueue {
  readonly name: string
  readonly #clock: Clock
  readonly #queue: FairQueue
  readonly #shares = new CallerShares()
  /** Whoever waits, the longest first. */
  readonly #waiters = new Set<{ readonly caller: string; readonly since: number }>()
  #limit: number
  #reconsidering: Timer | undefined

  constructor(name: string, limit: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#queue = new FairQueue(limit, (caller) => this.#mayEnter(caller))
    this.#clock = clock
  }

  get active(): number {
    return this.#queue.active
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  setLimit(limit: number): void {
    this.#limit = limit
    this.#queue.setLimit(limit)
  }

  /** True: the place is taken, without waiting. */
  tryAcquire(caller = ''): boolean {
    // Shares grow with time: whoever waits comes before whoever comes now.
    if (this.#queue.waiting > 0) this.#queue.reconsider()
    if (!this.#mayEnter(caller) || !this.#queue.tryEnter()) return false
    this.#shares.take(caller, this.#clock.now())
    return true
  }

  acquire({ signal: given, timeout, caller = '' }: AcquireOptions): Promise<void> {
    if (this.tryAcquire(caller)) return Promise.resolve()
    const signal = given === NEVER_ABORTED ? undefined : given
    return new Promise((resolve, reject) => {
      const waiter = { caller, since: this.#clock.now() }
      this.#waiters.add(waiter)
      const stopWaiting = (): void => {
        this.#waiters.delete(waiter)
        place.leave()
        timer.cancel()
        signal?.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => {
        stopWaiting()
        const error = createAbortError(signal?.reason)
        reject(new SwitchboardError(error.code, error.message, { executed: false, cause: error }))
      }
      const place = this.#queue.lineUp(caller, () => {
        this.#shares.take(caller, this.#clock.now())
        stopWaiting()
        resolve()
      })
      this.#reconsiderLater()
      const timer = this.#clock.setTimer(timeout, () => {
        stopWaiting()
        reject(this.#createTimeoutError(timeout))
      })
      signal?.addEventListener('abort', onAbort)
      // An abort that came before we listened is not announced again.
      if (signal?.aborted) onAbort()
    })
  }

  /** How long a caller other than this one has been waiting; 0: none does. */
  waitedMs(exceptFor: string): number {
    for (const { caller, since } of this.#waiters) if (caller !== exceptFor) return this.#clock.now() - since
    return 0
  }

  /** By the caller that took it, `heldMs` ago. */
  release(caller = '', heldMs = Number.POSITIVE_INFINITY): void {
    const rest = this.#shares.giveBack(caller, this.#clock.now(), heldMs, this.#queue.isWaiting(caller))
    if (rest > 0) this.#clock.setTimer(rest, () => this.#endRest(caller))
    this.#queue.exit()
    this.#reconsiderLater()
  }

  #endRest(caller: string): void {
    this.#shares.endRest(caller)
    this.#queue.reconsider()
  }

  #mayEnter(caller: string): boolean {
    return this.#shares.mayTake(caller, this.#limit, this.#clock.now())
  }

  /** Places may be free for those who wait once another caller is forgotten, though nobody leaves. */
  #reconsiderLater(): void {
    if (this.#queue.waiting === 0) {
      this.#reconsidering?.cancel()
      this.#reconsidering = undefined
    } else if (this.#queue.active < this.#limit) {
      this.#reconsidering ??= this.#clock.setTimer(RECONSIDER_MS, () => {
        this.#reconsidering = undefined
        this.#queue.reconsider()
        this.#reconsiderLater()
      })
    }
  }

  #createTimeoutError(timeout: number): SwitchboardError {
    const message = `Waited ${Math.round(timeout)} ms for a place in the queue "${this.name}"`
    const { waiting, active } = this
    return new SwitchboardError('queue_timeout', message, { details: { queue: this.name, waiting, active } })
  }
}
