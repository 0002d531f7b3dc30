/** The places of one server, or of a named queue that several share: fair between callers, and no longer waited for than a call's budget allows. */
import { FairQueue, SwitchboardError } from '@switchboard/protocol'
import type { Clock } from '../clock.ts'
import { createAbortError, NEVER_ABORTED } from '../connection/pending-requests.ts'

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that may be spent waiting. */
  readonly timeout: number
  /** Whose call it is. */
  readonly caller?: string
}

export class CallQueue {
  readonly name: string
  readonly #clock: Clock
  readonly #queue: FairQueue

  constructor(name: string, limit: number, clock: Clock) {
    this.name = name
    this.#queue = new FairQueue(limit)
    this.#clock = clock
  }

  get active(): number {
    return this.#queue.active
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  setLimit(limit: number): void {
    this.#queue.setLimit(limit)
  }

  /** True: the place is taken, without waiting. */
  tryAcquire(): boolean {
    return this.#queue.tryEnter()
  }

  acquire({ signal: given, timeout, caller = '' }: AcquireOptions): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve()
    const signal = given === NEVER_ABORTED ? undefined : given
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
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
        stopWaiting()
        resolve()
      })
      const timer = this.#clock.setTimer(timeout, () => {
        stopWaiting()
        reject(this.#createTimeoutError(timeout))
      })
      signal?.addEventListener('abort', onAbort)
      // An abort that came before we listened is not announced again.
      if (signal?.aborted) onAbort()
    })
  }

  release(): void {
    this.#queue.exit()
  }

  #createTimeoutError(timeout: number): SwitchboardError {
    const message = `Waited ${Math.round(timeout)} ms for a place in the queue "${this.name}"`
    const { waiting, active } = this
    return new SwitchboardError('queue_timeout', message, { details: { queue: this.name, waiting, active } })
  }
}
