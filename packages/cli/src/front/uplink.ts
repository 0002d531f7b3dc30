/**
 * The way to the daemon, as long as the front lives.
 *
 *   connecting  --attached-->  attached    --it crashed-->  connecting (another is started)
 *   connecting  --given up-->  unavailable --after a while, or a request--> connecting
 *   attached    --it was stopped in order--> resting --a daemon is there again, or a request--> connecting
 *   attached    --another front took our place--> resting --a request--> connecting
 *
 * A daemon that a person stopped stays stopped until somebody needs one: in `resting` none is started, only looked for. And
 * whoever was replaced by another front of the same instance does not even look: the two would replace each other for ever.
 */
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { FrontLink } from './front-link.ts'

export type UplinkState = 'connecting' | 'attached' | 'unavailable' | 'resting' | 'closed'

/** Why a connection ended that did not just break. */
export type Farewell = 'stopping' | 'replaced'

export interface LinkRequest {
  /** false: only if one runs. */
  readonly mayStart: boolean
  /** Milliseconds in which somebody else may start one first. */
  readonly patience: number
  readonly signal: AbortSignal
}

export interface UplinkOptions {
  /** Undefined: none runs, and none was to be started. */
  open(request: LinkRequest): Promise<FrontLink | undefined>
  onAttached(link: FrontLink): void
  onLine(line: Buffer): void
  onDrain(): void
  /** The link is gone. Afterwards the state is `connecting` or `resting`. */
  onGone(reason: string, farewell: Farewell | undefined): void
  onUnavailable(error: SwitchboardError): void
  /** Between 0 and 1. */
  readonly random?: () => number
}

/** Ten fronts lose their daemon at the same moment: the first to wake starts one, the rest find it. */
const PATIENCE_MS = 150
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
/** A request within this time of a failure is answered with it: the next attempt would fail as well. */
const FRESH_FAILURE_MS = 1_000
const LOOK_MS = 1_000

export class Uplink {
  readonly #options: UplinkOptions
  readonly #closing = new AbortController()
  #state: UplinkState = 'connecting'
  #link: FrontLink | undefined
  #farewell: Farewell | undefined
  #failure: SwitchboardError | undefined
  #failedAt = 0
  #retry = FIRST_RETRY_MS
  #timer: NodeJS.Timeout | undefined

  constructor(options: UplinkOptions) {
    this.#options = options
  }

  get state(): UplinkState {
    return this.#state
  }

  /** It said that it is about to go: what is under way may finish, nothing new is sent. */
  get isLeaving(): boolean {
    return this.#farewell !== undefined
  }

  get link(): FrontLink | undefined {
    return this.#link
  }

  start(): void {
    void this.#connect({ mayStart: true, patience: 0 })
  }

  /** Somebody waits for an answer. Returns the failure to answer with; undefined: it may be waited for. */
  want(): SwitchboardError | undefined {
    if (this.#state === 'resting') void this.#connect({ mayStart: true, patience: 0 })
    if (this.#state !== 'unavailable') return undefined
    if (performance.now() - this.#failedAt < FRESH_FAILURE_MS) return this.#failure
    void this.#connect({ mayStart: true, patience: 0 })
    return undefined
  }

  onFarewell(farewell: Farewell): void {
    this.#farewell ??= farewell
  }

  /** The daemon is there but of no use. */
  drop(reason: string): void {
    this.#link?.close()
    if (this.#link !== undefined) this.#onClosed(reason)
  }

  close(): void {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    this.#closing.abort(new SwitchboardError('cancelled', 'The front ends'))
    this.#link?.close()
    this.#link = undefined
  }

  async #connect(request: Omit<LinkRequest, 'signal'>): Promise<void> {
    clearTimeout(this.#timer)
    if (request.mayStart) this.#state = 'connecting'
    let link: FrontLink | undefined
    try {
      link = await this.#options.open({ ...request, signal: this.#closing.signal })
    } catch (error) {
      if (request.mayStart) this.#fail(toSwitchboardError(error))
      else this.#look()
      return
    }
    if (this.#state === 'closed') link?.close()
    // While we looked for one, a request came and began a start of its own: that one counts.
    else if (!request.mayStart && this.#state !== 'resting') link?.close()
    else if (link === undefined) this.#look()
    else this.#attach(link)
  }

  #attach(link: FrontLink): void {
    this.#state = 'attached'
    this.#link = link
    this.#farewell = undefined
    this.#failure = undefined
    this.#retry = FIRST_RETRY_MS
    link.open({
      onLine: (line) => this.#options.onLine(line),
      onDrain: () => this.#options.onDrain(),
      onClosed: (reason) => this.#onClosed(reason),
    })
    this.#options.onAttached(link)
  }

  #onClosed(reason: string): void {
    if (this.#state === 'closed') return
    const farewell = this.#farewell
    this.#link = undefined
    this.#farewell = undefined
    this.#state = farewell === undefined ? 'connecting' : 'resting'
    this.#options.onGone(reason, farewell)
    if (farewell === 'stopping') this.#look()
    else if (farewell === undefined && this.#state === 'connecting') {
      const { random = Math.random } = this.#options
      void this.#connect({ mayStart: true, patience: random() * PATIENCE_MS })
    }
  }

  #fail(error: SwitchboardError): void {
    if (this.#state !== 'connecting') return
    this.#state = 'unavailable'
    this.#failure = error
    this.#failedAt = performance.now()
    this.#options.onUnavailable(error)
    this.#later(this.#retry, () => void this.#connect({ mayStart: true, patience: 0 }))
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY_MS)
  }

  #look(): void {
    if (this.#state !== 'resting') return
    this.#later(LOOK_MS, () => void this.#connect({ mayStart: false, patience: 0 }))
  }

  #later(ms: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, ms)
  }
}
