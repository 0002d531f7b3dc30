/**
 * At most `limit` at once; the others wait. Callers take turns, and the calls of one caller keep their order, so that
 * one agent's flood does not starve another. Waiting can be given up (abort, budget), and a place that is freed goes
 * straight to the next in line.
 */
import { SwitchboardError } from '@switchboard/protocol'
import type { Clock } from '../clock.ts'
import { createAbortError } from '../connection/pending-requests.ts'

interface Waiting {
  admit(): void
}

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
  /** By caller; the one whose turn is next stands first. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #waitingCount = 0
  #limit: number
  #active = 0

  constructor(name: string, limit: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#clock = clock
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** Fewer places apply as calls end; more apply at once. */
  setLimit(limit: number): void {
    this.#limit = limit
    this.#admitNext()
  }

  /** True: the place is taken, without waiting. */
  tryAcquire(): boolean {
    if (this.#active >= this.#limit) return false
    this.#active++
    return true
  }

  acquire({ signal, timeout, caller = '' }: AcquireOptions): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(caller, entry)
        timer.cancel()
        signal?.removeEventListener('abort', onAbort)
      }
      const entry: Waiting = {
        admit: () => {
          leave()
          this.#active++
          resolve()
        },
      }
      const onAbort = (): void => {
        leave()
        const error = createAbortError(signal?.reason)
        reject(new SwitchboardError(error.code, error.message, { executed: false, cause: error }))
      }
      const timer = this.#clock.setTimer(timeout, () => {
        leave()
        reject(
          new SwitchboardError(
            'queue_timeout',
            `Waited ${Math.round(timeout)} ms for a place in the queue "${this.name}"`,
            {
              details: { queue: this.name, waiting: this.#waitingCount, active: this.#active },
            },
          ),
        )
      })
      signal?.addEventListener('abort', onAbort)
      this.#add(caller, entry)
      // An abort that came before we listened is not announced again.
      if (signal?.aborted) onAbort()
    })
  }

  release(): void {
    this.#active--
    this.#admitNext()
  }

  #admitNext(): void {
    while (this.#active < this.#limit) {
      const [turn] = this.#waiting
      if (turn === undefined) return
      const [caller, waiting] = turn
      const [next] = waiting
      // To the back of the line, if it has more.
      this.#waiting.delete(caller)
      this.#waiting.set(caller, waiting)
      next?.admit()
    }
  }

  #add(caller: string, entry: Waiting): void {
    const waiting = this.#waiting.get(caller)
    if (waiting === undefined) this.#waiting.set(caller, new Set([entry]))
    else waiting.add(entry)
    this.#waitingCount++
  }

  #remove(caller: string, entry: Waiting): void {
    const waiting = this.#waiting.get(caller)
    if (!waiting?.delete(entry)) return
    this.#waitingCount--
    if (waiting.size === 0) this.#waiting.delete(caller)
  }
}
