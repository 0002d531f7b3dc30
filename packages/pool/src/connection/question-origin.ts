/**
 * Which call a server's question (sampling, elicitation, roots) belongs to. On legacy stdio, SSE and WebSocket a
 * question names no call, so it is attributed only when there is exactly one it can belong to; the wrong agent is
 * never asked.
 *
 * A call that was cancelled or timed out may still be running over there, and its question would look like
 * the next call's. Such ghosts count as in flight until the server answers them or their time is over.
 */
import type { RequestId } from '@switchboard/protocol'
import type { Clock } from '../clock.ts'
import type { PendingRequest, PendingRequests } from './pending-requests.ts'

export const GHOST_MS = 30_000

export type QuestionOrigin =
  | { readonly known: true; readonly request: PendingRequest }
  | { readonly known: false; readonly why: string }

export class QuestionAttribution {
  readonly #clock: Clock
  readonly #pending: PendingRequests
  readonly #ghosts = new Map<RequestId, number>()

  constructor(clock: Clock, pending: PendingRequests) {
    this.#clock = clock
    this.#pending = pending
  }

  addGhost(id: RequestId): void {
    this.#forgetOldGhosts()
    this.#ghosts.set(id, this.#clock.now() + GHOST_MS)
  }

  /** True when the id was one: a late answer that somebody once waited for. */
  removeGhost(id: RequestId): boolean {
    return this.#ghosts.delete(id)
  }

  attribute(origin: RequestId | undefined): QuestionOrigin {
    if (origin !== undefined) {
      const request = this.#pending.get(origin)
      if (request?.call !== undefined) return { known: true, request }
      return { known: false, why: 'the call it came with is over' }
    }
    this.#forgetOldGhosts()
    const candidates = this.#pending.ofCallers()
    const only = candidates[0]
    if (only === undefined) return { known: false, why: 'no call is in flight' }
    if (candidates.length > 1) return { known: false, why: `${candidates.length} calls are in flight` }
    if (this.#ghosts.size > 0) return { known: false, why: 'a cancelled call may still be running on the server' }
    return { known: true, request: only }
  }

  #forgetOldGhosts(): void {
    const now = this.#clock.now()
    for (const [id, until] of this.#ghosts) {
      // The oldest stand first.
      if (until > now) return
      this.#ghosts.delete(id)
    }
  }
}
