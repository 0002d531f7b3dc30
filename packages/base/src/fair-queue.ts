/**
 * At most `limit` inside at once; the others wait. Callers take turns, and what one caller brings keeps its order, so that
 * one agent's flood does not starve another. A place that is freed goes straight to the next in line. Whoever need not wait
 * asks `tryEnter` and is through: no promise, nothing made.
 */
import { type Clock, systemClock, type Timer } from './clock.ts'

/** Who may have how many of the places. Without it: whoever comes first. */
export interface Shares {
  /** Whether this caller may have a place that is free. Whoever may not is passed over, and asked again. */
  mayEnter?(caller: string): boolean
  /** Whether it is owed one though none is free, and though it is another's turn. */
  isOwed?(caller: string): boolean
  onEntered?(caller: string): void
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. Default: for as long as it takes. */
  readonly timeout?: number
  /** What waiting rejects with. */
  createAbortError(reason: unknown): Error
  createTimeoutError?(): Error
}

export interface PlaceInLine {
  /** Gives up waiting. Without effect once admitted. */
  leave(): void
}

interface Waiter {
  readonly since: number
  admit(): void
}

export class FairQueue {
  /** By caller; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Set<Waiter>>()
  readonly #shares: Shares
  readonly #clock: Clock
  #limit: number
  #active = 0
  #waiting = 0

  constructor(limit: number, shares: Shares = {}, clock: Clock = systemClock) {
    this.#limit = limit
    this.#shares = shares
    this.#clock = clock
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waiting
  }

  isWaiting(caller: string): boolean {
    return this.#lines.has(caller)
  }

  hasOthersWaiting(exceptFor: string): boolean {
    return this.#lines.size > (this.#lines.has(exceptFor) ? 1 : 0)
  }

  /** How long a caller other than this one has been waiting; 0: none does. */
  waitedMs(exceptFor: string): number {
    let since = Number.POSITIVE_INFINITY
    for (const [caller, line] of this.#lines) {
      const [first] = line
      if (caller !== exceptFor && first !== undefined) since = Math.min(since, first.since)
    }
    return since === Number.POSITIVE_INFINITY ? 0 : this.#clock.now() - since
  }

  /** Fewer places apply as others leave; more apply at once. */
  setLimit(limit: number): void {
    this.#limit = limit
    this.#admitNext()
  }

  /** True: the place is taken, without waiting. */
  tryEnter(caller = ''): boolean {
    const shares = this.#shares
    // Asked in any case: that somebody comes may matter to what others may have.
    const mayEnter = shares.mayEnter?.(caller) ?? true
    if (!(mayEnter && this.#active < this.#limit) && shares.isOwed?.(caller) !== true) return false
    this.#active++
    shares.onEntered?.(caller)
    return true
  }

  /** For whoever was not let in at once: resolves when the place is taken, rejects when it was given up. */
  wait(caller: string, options: WaitOptions): Promise<void> {
    const { signal, timeout, createAbortError, createTimeoutError } = options
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined
      const stopWaiting = (): void => {
        timer?.cancel()
        signal?.removeEventListener('abort', onAbort)
      }
      const giveUp = (error: Error | undefined): void => {
        place.leave()
        stopWaiting()
        reject(error)
      }
      const onAbort = (): void => giveUp(createAbortError(signal?.reason))
      const place = this.lineUp(caller, () => {
        stopWaiting()
        resolve()
      })
      if (timeout !== undefined) timer = this.#clock.setTimer(timeout, () => giveUp(createTimeoutError?.()))
      signal?.addEventListener('abort', onAbort)
      // An abort that came before we listened is not announced again.
      if (signal?.aborted) onAbort()
    })
  }

  /** `admitted` is called when the place is taken. */
  lineUp(caller: string, admitted: () => void): PlaceInLine {
    const waiter: Waiter = { since: this.#clock.now(), admit: admitted }
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, new Set([waiter]))
    else line.add(waiter)
    this.#waiting++
    return { leave: () => void this.#remove(caller, waiter) }
  }

  exit(caller = ''): void {
    this.#active--
    if (this.#waiting === 0) return
    this.#admitNext()
    if (this.#shares.isOwed?.(caller) === true) this.#admitFirstOf(caller)
  }

  /** Lets in whoever may enter now: for shares that have changed. */
  reconsider(): void {
    this.#admitNext()
  }

  #admitNext(): void {
    while (this.#active < this.#limit) {
      const turn = this.#findTurn()
      if (turn === undefined) return
      const [caller, line] = turn
      // To the back, if it has more.
      this.#lines.delete(caller)
      this.#lines.set(caller, line)
      this.#admitFirstOf(caller)
    }
  }

  #findTurn(): [string, Set<Waiter>] | undefined {
    for (const line of this.#lines) if (this.#shares.mayEnter?.(line[0]) ?? true) return line
    return undefined
  }

  #admitFirstOf(caller: string): void {
    const [next] = this.#lines.get(caller) ?? []
    if (next === undefined || !this.#remove(caller, next)) return
    this.#active++
    this.#shares.onEntered?.(caller)
    next.admit()
  }

  #remove(caller: string, waiter: Waiter): boolean {
    const line = this.#lines.get(caller)
    if (!line?.delete(waiter)) return false
    this.#waiting--
    if (line.size === 0) this.#lines.delete(caller)
    return true
  }
}
