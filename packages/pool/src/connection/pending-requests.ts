/**
 * The requests that wait for an answer on one connection, each with its budget, its abort signal and its way to settle.
 * A request settles once: by its answer, by its budget, by its caller or by the end of the connection, whichever is first.
 */
import { type Call, type JsonObject, type Progress, type RequestId, SwitchboardError } from '@switchboard/protocol'
import type { Clock, Timer } from '../clock.ts'
import { RequestTable } from './request-table.ts'

/** Of a call that nobody can cancel. It is known by identity: to listen to a signal costs several microseconds. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal

export interface RequestOptions {
  /** Milliseconds; Infinity: none (a listen stream lives as long as the connection). */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((progress: Progress) => void) | undefined
  /** On whose behalf; absent for the pool's own requests, which no server question can belong to. */
  readonly call?: Call | undefined
}

export interface PendingRequest extends RequestOptions {
  readonly id: RequestId
  readonly method: string
  resolve(result: JsonObject): void
  reject(error: SwitchboardError): void
}

interface Entry extends PendingRequest {
  /** Monotonic; Infinity without a budget, and while the budget stands still. */
  deadline: number
  /** What was left of the budget when the clock was stopped, while the agent's side is being asked. */
  left: number | undefined
  /** How many questions are being asked on its behalf. */
  pauses: number
  onAbort: (() => void) | undefined
}

export class PendingRequests {
  readonly #clock: Clock
  readonly #entries = new RequestTable<Entry>()
  readonly #onAbandoned: (request: PendingRequest, error: SwitchboardError) => void
  /**
   * One for all, set to the earliest deadline, and left alone when that request is answered: it then fires once for
   * nothing. To set and cancel one for every request costs each several microseconds.
   */
  #timer: Timer | undefined
  #timerDue = Number.POSITIVE_INFINITY

  /** `onAbandoned`: nobody waits any more, but the server may still be at it. */
  constructor(clock: Clock, onAbandoned: (request: PendingRequest, error: SwitchboardError) => void) {
    this.#clock = clock
    this.#onAbandoned = onAbandoned
  }

  get size(): number {
    return this.#entries.size
  }

  /** It can be answered from now on. Its budget and its signal count from `watch`, which is to follow at once. */
  add(id: RequestId, method: string, options: RequestOptions): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const { timeout, signal, progress, call } = options
      const entry: Entry = {
        id,
        method,
        timeout,
        signal,
        progress,
        call,
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

  /** Apart from `add`, so that a request is written first and the server is at work meanwhile. */
  watch(id: RequestId): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const { timeout, signal } = entry
    if (timeout !== Number.POSITIVE_INFINITY) this.#startClock(entry, timeout)
    if (signal !== undefined && signal !== NEVER_ABORTED) {
      // Not written as `entry.onAbort = () => …`: V8 puts a function that is assigned to a member where only full
      // collections look, and it would keep all that belongs to its call until then.
      const onAbort = (): void => this.#abandon(entry, createAbortError(signal.reason))
      entry.onAbort = onAbort
      signal.addEventListener('abort', onAbort)
    }
  }

  get(id: RequestId): PendingRequest | undefined {
    return this.#entries.get(id)
  }

  /** Takes it out; the caller settles it. */
  take(id: RequestId): PendingRequest | undefined {
    const entry = this.#entries.get(id)
    if (entry !== undefined) this.#release(entry)
    return entry
  }

  /**
   * Those made for a caller: the ones a server's question or log message can belong to. Setting the level is not one: it
   * is made for all, and often right before the call whose messages are wanted.
   */
  ofCallers(): PendingRequest[] {
    return this.#entries.all().filter(({ call, method }) => call !== undefined && method !== 'logging/setLevel')
  }

  failAll(createError: (request: PendingRequest) => SwitchboardError): void {
    for (const entry of this.#entries.all()) {
      this.#release(entry)
      entry.reject(createError(entry))
    }
    this.#disarm()
  }

  /** A person who is asked something is not the server being slow: the budget stands still meanwhile. */
  pauseBudget(id: RequestId): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.pauses++ > 0 || entry.deadline === Number.POSITIVE_INFINITY) return
    entry.left = Math.max(0, entry.deadline - this.#clock.now())
    entry.deadline = Number.POSITIVE_INFINITY
    this.#setTimer()
  }

  /** It runs on when the last of its questions is answered. */
  resumeBudget(id: RequestId): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || --entry.pauses > 0 || entry.left === undefined) return
    const { left } = entry
    entry.left = undefined
    this.#startClock(entry, left)
  }

  #startClock(entry: Entry, ms: number): void {
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
      if (entry.deadline <= now) this.#abandon(entry, createTimeoutError(entry))
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

  #abandon(entry: Entry, error: SwitchboardError): void {
    if (this.#entries.get(entry.id) !== entry) return
    this.#release(entry)
    this.#onAbandoned(entry, error)
    entry.reject(error)
  }

  #release(entry: Entry): void {
    this.#entries.remove(entry)
    if (entry.onAbort !== undefined) entry.signal?.removeEventListener('abort', entry.onAbort)
  }
}

function createTimeoutError(request: PendingRequest): SwitchboardError {
  return new SwitchboardError('timeout', `No answer to ${request.method} within ${request.timeout} ms`, {
    details: { timeoutMs: request.timeout },
  })
}

/** An aborter may give its own reason (`shutting_down`); a plain abort is a caller's cancel. */
export function createAbortError(reason: unknown): SwitchboardError {
  if (reason instanceof SwitchboardError) return reason
  const why = reason instanceof Error && reason.name !== 'AbortError' ? `: ${reason.message}` : ''
  return new SwitchboardError('cancelled', `The call was cancelled by its caller${why}`)
}
