/**
 * The places of one server, or of a named queue that several share: fair between callers, who take turns and hold no more
 * than their share, and no longer waited for than a call's budget allows.
 */
import { type Clock, FairQueue, NEVER_ABORTED, type Timer } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createAbortError } from '../connection/server-requests.ts'
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
  #limit: number
  #reconsidering: Timer | undefined

  constructor(name: string, limit: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#clock = clock
    this.#queue = new FairQueue(
      limit,
      {
        mayEnter: (caller) => this.#shares.mayTake(caller, this.#limit, clock.now()),
        onEntered: (caller) => this.#shares.take(caller, clock.now()),
      },
      clock,
    )
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
    return this.#queue.tryEnter(caller)
  }

  acquire({ signal, timeout, caller = '' }: AcquireOptions): Promise<void> {
    if (this.tryAcquire(caller)) return Promise.resolve()
    const waiting = this.#queue.wait(caller, {
      signal: signal === NEVER_ABORTED ? undefined : signal,
      timeout,
      createAbortError: (reason) => {
        const error = createAbortError(reason)
        return new SwitchboardError(error.code, error.message, { executed: false, cause: error })
      },
      createTimeoutError: () => this.#createTimeoutError(timeout),
    })
    this.#reconsiderLater()
    return waiting
  }

  /** How long a caller other than this one has been waiting; 0: none does. */
  waitedMs(exceptFor: string): number {
    return this.#queue.waitedMs(exceptFor)
  }

  /** By the caller that took it, `heldMs` ago. */
  release(caller = '', heldMs = Number.POSITIVE_INFINITY): void {
    const rest = this.#shares.giveBack(caller, this.#clock.now(), heldMs, this.#queue.isWaiting(caller))
    if (rest > 0) this.#clock.setTimer(rest, () => this.#endRest(caller))
    this.#queue.exit(caller)
    this.#reconsiderLater()
  }

  #endRest(caller: string): void {
    this.#shares.endRest(caller)
    this.#queue.reconsider()
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
