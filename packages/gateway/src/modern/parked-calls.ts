/**
 * Calls of modern clients that a legacy server interrupted with a question. The modern era has no way to ask in the
 * middle: the response is `input_required`, the call goes on waiting here, and the client's retry brings the answers.
 *
 * Invariants
 * 1. A call waits for at most one exchange at a time; what it says goes to the one that is attached.
 * 2. A token is good for one retry, by the same caller, of the same request.
 * 3. A call that nobody comes back for is cancelled upstream when its time is over.
 * 4. It keeps nobody else waiting for long: once another caller has waited `grace` for its place, and it has been parked
 *    as long, its questions are declined, so that the server ends it; one that does not is cancelled.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock, type Timer } from '@switchboard/base'
import {
  type AskOptions,
  type AskRequest,
  type AskRequests,
  type AskResponses,
  isJsonObject,
  type JsonObject,
  type ProgressToken,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { LoggingLevel } from '@switchboard/protocol/mcp'
import { createStoppingError } from '../answer-with-error.ts'
import type { ModernExchange } from './exchange.ts'
import { QuestionKeys } from './question-keys.ts'

const STATE_PREFIX = 'sb1.'
/** Questions that a server asks together arrive one after the other; whoever answers wants them together. */
const GATHER_MS = 20
/** What a server gets to end a call whose questions were declined. Cancelled, it might still be at it, unseen. */
const END_MS = 5_000

export interface ParkedCallOptions {
  /** Whose it is: a retry by anybody else is refused. */
  readonly owner: string
  /** Which request: method and name. */
  readonly subject: string
  /** Of the request that brings it: attached from the start, so that nothing said at once is lost. */
  readonly outlet: Outlet
  /** Of the span that it goes on under. */
  readonly traceparent?: string | undefined
}

/** Where the words of a call go, and which of them are wanted: a retry has an exchange and wishes of its own. */
export interface Outlet {
  readonly exchange: ModernExchange
  readonly progressToken?: ProgressToken
  readonly logLevel?: LoggingLevel
}

interface ParkedQuestion {
  readonly requests: AskRequests
  /** By the key under which each is asked, and asked again. */
  readonly keys: ReadonlyMap<string, string>
  readonly options: AskOptions
  resolve(answers: AskResponses): void
  reject(error: SwitchboardError): void
}

type Outcome =
  | { readonly type: 'result'; readonly result: JsonObject }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'question' }

/** One call, over all its rounds. */
export class ParkedCall {
  readonly owner: string
  readonly subject: string
  readonly traceparent: string | undefined
  readonly #controller = new AbortController()
  readonly #questions: ParkedQuestion[] = []
  readonly #keys = new QuestionKeys()
  #outlet: Outlet | undefined
  #wake: (() => void) | undefined
  #outcome: Outcome | undefined
  #declined: SwitchboardError | undefined

  constructor({ owner, subject, outlet, traceparent }: ParkedCallOptions) {
    this.owner = owner
    this.traceparent = traceparent
    this.subject = subject
    this.#outlet = outlet
  }

  /** Its work, which was begun with its signal and its way to ask. */
  follow(work: Promise<JsonObject>): void {
    work.then(
      (result) => this.#settle({ type: 'result', result }),
      (error: unknown) => this.#settle({ type: 'error', error }),
    )
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Undefined: nobody is there to hear it. */
  get outlet(): Outlet | undefined {
    return this.#outlet
  }

  get settled(): boolean {
    return this.#outcome !== undefined
  }

  /** How long another caller has been waiting for its place. */
  get waitedMs(): number {
    return Math.max(0, ...this.#questions.map(({ options }) => options.waitedMs?.() ?? 0))
  }

  readonly ask = (requests: AskRequests, options: AskOptions = {}): Promise<AskResponses> =>
    new Promise((resolve, reject) => {
      if (this.#declined !== undefined) {
        reject(this.#declined)
        return
      }
      const keys = new Map(Object.entries(requests).map(([own, request]) => [this.#keys.create(request), own]))
      const question: ParkedQuestion = { requests, keys, options, resolve, reject }
      this.#questions.push(question)
      options.signal?.addEventListener('abort', () => this.#takeBack(question), { once: true })
      this.#wake?.()
    })

  /** Resolves with the next thing this call has to say: its result, its failure, or questions. */
  async attach(outlet: Outlet): Promise<Outcome> {
    const { exchange } = outlet
    this.#outlet = outlet
    // Whoever ended the exchange says why: the client is gone, it cancelled, or Switchboard is stopping.
    const onAbort = (): void => {
      const { reason } = exchange.signal
      this.abandon(
        reason instanceof SwitchboardError ? reason : createCancelled('The client closed the stream of the call'),
      )
    }
    if (exchange.signal.aborted) onAbort()
    exchange.signal.addEventListener('abort', onAbort)
    try {
      while (this.#outcome === undefined) {
        if (this.#questions.length > 0) {
          await delay(GATHER_MS, undefined, { ref: false })
          if (this.#questions.length > 0) break
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
      return this.#outcome ?? { type: 'question' }
    } finally {
      this.#wake = undefined
      this.#outlet = undefined
      exchange.signal.removeEventListener('abort', onAbort)
    }
  }

  /** All open questions under keys of their own; asked again until they are answered. */
  inputRequests(): AskRequests {
    const all: Record<string, AskRequest> = {}
    for (const { requests, keys } of this.#questions) {
      for (const [key, own] of keys) {
        const request = requests[own]
        if (request !== undefined) all[key] = request
      }
    }
    return all
  }

  answer(responses: JsonObject): void {
    for (const question of [...this.#questions]) {
      const answers: Record<string, JsonObject> = {}
      for (const [key, own] of question.keys) {
        const response = responses[key]
        if (isJsonObject(response)) answers[own] = response
      }
      if (Object.keys(answers).length < question.keys.size) continue
      this.#questions.splice(this.#questions.indexOf(question), 1)
      question.resolve(answers)
    }
  }

  /** Whatever it asked, and asks from now on, stays unanswered; it may still end by itself. */
  decline(error: SwitchboardError): void {
    this.#declined = error
    for (const question of this.#questions.splice(0)) question.reject(error)
  }

  abandon(error: SwitchboardError): void {
    this.#controller.abort(error)
    for (const question of this.#questions.splice(0)) question.reject(error)
    // Nobody waits for work that does not heed the signal.
    this.#settle({ type: 'error', error })
  }

  /** By the server that asked. A retry that brings the answer finds the call gone on without it. */
  #takeBack(question: ParkedQuestion): void {
    const index = this.#questions.indexOf(question)
    if (index < 0) return
    this.#questions.splice(index, 1)
    question.reject(createCancelled('The server took its question back'))
  }

  #settle(outcome: Outcome): void {
    this.#outcome ??= outcome
    this.#wake?.()
  }
}

export interface ParkedCallsOptions {
  /** Milliseconds that a call waits for its answers. */
  readonly ttl: number
  /** Milliseconds that another caller waits for its place. Default: 30 s. */
  readonly grace?: number
  readonly clock?: Clock
}

export class ParkedCalls {
  /** For calls that are parked from now on. */
  ttl: number
  readonly #grace: number
  readonly #clock: Clock
  readonly #parked = new Map<string, { readonly call: ParkedCall; timer: Timer }>()
  readonly #declined = new Map<ParkedCall, Timer>()

  constructor({ ttl, grace = 30_000, clock = systemClock }: ParkedCallsOptions) {
    this.ttl = ttl
    this.#grace = grace
    this.#clock = clock
  }

  get size(): number {
    return this.#parked.size
  }

  static isToken(state: unknown): state is string {
    return typeof state === 'string' && state.startsWith(STATE_PREFIX)
  }

  /** Returns the state that the retry has to bring. */
  park(call: ParkedCall): string {
    const token = STATE_PREFIX + randomBytes(18).toString('base64url')
    const { ttl } = this
    const parkedAt = this.#clock.now()
    const look = (): void => {
      const parkedMs = this.#clock.now() - parkedAt
      const untilOver = Math.ceil(ttl - parkedMs)
      // Whoever comes to wait after this look has not waited for `grace` by the next one.
      const untilYield = Math.ceil(this.#grace - Math.min(parkedMs, call.waitedMs))
      if (untilOver <= 0) {
        this.#parked.delete(token)
        call.abandon(createCancelled(`Nobody answered its questions within ${toSeconds(ttl)} s`))
      } else if (untilYield <= 0) {
        this.#parked.delete(token)
        this.#yield(call)
      } else
        this.#parked.set(token, { call, timer: this.#clock.setBackgroundTimer(Math.min(untilOver, untilYield), look) })
    }
    look()
    return token
  }

  /** Throws `input_expired` for a token that is not, or no longer, good. */
  take(token: string, owner: string, subject: string): ParkedCall {
    const entry = this.#parked.get(token)
    if (entry === undefined || entry.call.owner !== owner || entry.call.subject !== subject) {
      throw new SwitchboardError('input_expired', 'No call waits for these answers')
    }
    this.#parked.delete(token)
    entry.timer.cancel()
    return entry.call
  }

  close(): void {
    const stopping = createStoppingError()
    for (const { call, timer } of this.#parked.values()) {
      timer.cancel()
      call.abandon(stopping)
    }
    this.#parked.clear()
    for (const [call, timer] of this.#declined) {
      timer.cancel()
      call.abandon(stopping)
    }
    this.#declined.clear()
  }

  #yield(call: ParkedCall): void {
    const message = `Nobody answered its questions, and another caller has waited ${toSeconds(this.#grace)} s for its place`
    const error = new SwitchboardError('input_expired', message)
    const timer = this.#clock.setBackgroundTimer(END_MS, () => {
      this.#declined.delete(call)
      if (!call.settled) call.abandon(error)
    })
    this.#declined.set(call, timer)
    call.decline(error)
  }
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000)
}

function createCancelled(why: string): SwitchboardError {
  return new SwitchboardError('cancelled', why)
}
