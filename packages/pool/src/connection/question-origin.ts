/**
 * Which call a server's question (sampling, elicitation, roots) belongs to. On legacy stdio, SSE and WebSocket a
 * question names no call, so it is attributed only when there is exactly one agent it can belong to; the wrong agent is
 * never asked. Which of that agent's calls it belongs to need not be known: on a direct connection nobody could tell either.
 *
 * 1. It belongs to a call that was in flight when it came. While those are of several agents, it waits until all but one
 *    agent's have ended: a call whose own question is open does not end.
 * 2. When every call in flight may have an open question, and no agent is being asked, there is nothing to wait for, and it
 *    is declined.
 * 3. A call that was cancelled or timed out may still be running over there, and its question would look like the next
 *    call's. Such ghosts count as in flight for all but their own agent, until the server answers them or their time is over.
 */
import type { Clock } from '@switchboard/base'
import type { RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { agentOf, listCallerRequests, type ServerRequest, type ServerRequests } from './server-requests.ts'

export const GHOST_MS = 30_000
/** How long a question waits for the calls of other agents to end: longer than one that nobody comes back to keeps its place. */
export const QUESTION_WAIT_MS = 40_000

export type QuestionOrigin =
  /** Of one agent, in the order in which they were made. */
  | { readonly known: true; readonly requests: readonly ServerRequest[] }
  /** `requests`: those it may belong to. */
  | { readonly known: false; readonly why: string; readonly requests: readonly ServerRequest[] }

/** A question of a server, as far as it is known whose it is. */
export interface AskedQuestion {
  /** At this moment. */
  look(): QuestionOrigin
  /** As soon as it can be told. To be called in the turn in which the question came. */
  settle(signal: AbortSignal): Promise<QuestionOrigin>
  /** Aborted when this request is over. */
  watch(request: ServerRequest): AbortSignal
}

interface Ghost {
  readonly until: number
  readonly agent: string
}

export class QuestionAttribution {
  readonly #clock: Clock
  readonly #pending: ServerRequests
  readonly #ghosts = new Map<RequestId, Ghost>()
  /** Questions that wait; each is looked at again when a call ends. */
  readonly #waiting = new Set<(isOver: boolean) => void>()
  readonly #watched = new Map<RequestId, AbortController>()

  constructor(clock: Clock, pending: ServerRequests) {
    this.#clock = clock
    this.#pending = pending
  }

  addGhost(request: ServerRequest): void {
    this.#forgetOldGhosts()
    this.#ghosts.set(request.id, { until: this.#clock.now() + GHOST_MS, agent: agentOf(request) })
  }

  /** True when the id was one: a late answer that somebody once waited for. */
  removeGhost(id: RequestId): boolean {
    return this.#ghosts.delete(id)
  }

  /** A request is over, however it ended. */
  onReleased(id: RequestId): void {
    if (this.#watched.size > 0) this.#endWatch(id)
    // Not now: one that was given up becomes a ghost in this turn, and is none yet.
    if (this.#waiting.size > 0) queueMicrotask(() => this.#reconsider())
  }

  open(origin: RequestId | undefined): AskedQuestion {
    return {
      look: () => this.attribute(origin),
      settle: (signal) => this.#settle(origin, signal),
      watch: (request) => this.#watch(request),
    }
  }

  attribute(origin: RequestId | undefined): QuestionOrigin {
    if (origin === undefined) return this.#judge(listCallerRequests(this.#pending))
    const request = this.#pending.get(origin)
    if (request?.options.call !== undefined) return { known: true, requests: [request] }
    return { known: false, why: 'the call it came with is over', requests: [] }
  }

  #settle(origin: RequestId | undefined, signal: AbortSignal): Promise<QuestionOrigin> {
    const first = this.attribute(origin)
    if (first.known || !isOfSeveral(first)) return Promise.resolve(first)
    return new Promise((resolve) => {
      const look = (isOver: boolean): void => {
        const left = first.requests.filter(({ id }) => this.#pending.get(id) !== undefined)
        const verdict = this.#judge(left)
        if (!verdict.known && isOfSeveral(verdict) && !isOver) return
        this.#waiting.delete(look)
        timer.cancel()
        signal.removeEventListener('abort', giveUp)
        resolve(verdict)
      }
      const giveUp = (): void => look(true)
      const timer = this.#clock.setBackgroundTimer(QUESTION_WAIT_MS, giveUp)
      signal.addEventListener('abort', giveUp)
      this.#waiting.add(look)
      // One whose agent is being asked ends when that agent answers, or stays away.
      const isAsked = first.requests.some(({ id }) => this.#watched.has(id))
      if (!isAsked && this.#waiting.size >= first.requests.length) this.#reconsider(true)
    })
  }

  #judge(requests: readonly ServerRequest[]): QuestionOrigin {
    this.#forgetOldGhosts()
    const [first] = requests
    if (first === undefined) return { known: false, why: 'no call is in flight', requests }
    const agent = agentOf(first)
    if (requests.some((request) => agentOf(request) !== agent))
      return { known: false, why: `${requests.length} calls of several agents are in flight`, requests }
    for (const ghost of this.#ghosts.values()) {
      if (ghost.agent !== agent)
        return { known: false, why: 'a cancelled call of another agent may still be running on the server', requests }
    }
    return { known: true, requests }
  }

  #reconsider(isOver = false): void {
    for (const look of [...this.#waiting]) look(isOver)
  }

  #watch({ id }: ServerRequest): AbortSignal {
    const known = this.#watched.get(id)
    if (known !== undefined) return known.signal
    const controller = new AbortController()
    if (this.#pending.get(id) === undefined) controller.abort(createOverError())
    else this.#watched.set(id, controller)
    return controller.signal
  }

  #endWatch(id: RequestId): void {
    this.#watched.get(id)?.abort(createOverError())
    this.#watched.delete(id)
  }

  #forgetOldGhosts(): void {
    const now = this.#clock.now()
    for (const [id, { until }] of this.#ghosts) {
      // The oldest stand first.
      if (until > now) return
      this.#ghosts.delete(id)
    }
  }
}

/** Which may change when some of them end. */
function isOfSeveral({ requests }: QuestionOrigin): boolean {
  const [first] = requests
  return first !== undefined && requests.some((request) => agentOf(request) !== agentOf(first))
}

function createOverError(): SwitchboardError {
  return new SwitchboardError('cancelled', 'The call that asked is over')
}
