import type { Era, Implementation, ProviderStatus } from '@switchboard/protocol'
import type { ConnectionCounters } from '../connection/connection.ts'
import type { SupervisorState } from '../supervision/supervision.ts'
import type { TransportKind } from '../transport/transport.ts'

export type ServerState = SupervisorState['kind'] | 'not_installed' | 'auth_required' | 'disabled'

export interface ServerStatus extends ProviderStatus {
  readonly state: ServerState
  readonly transport: TransportKind
  readonly shared: boolean
  /** Of a private server: whose it is. */
  readonly owner?: string
  readonly pid?: number
  readonly era?: Era
  readonly protocolVersion?: string
  readonly serverInfo?: Implementation
  /** Since it became ready. */
  readonly uptimeMs?: number
  /** Starts after the first. */
  readonly restarts: number
  /** The attempt that is under way or due next; 0 when it is up. */
  readonly attempt: number
  readonly nextAttemptInMs?: number
  /** Why it is not up, in a sentence. */
  readonly reason?: string
  /** How a missing program is installed. */
  readonly install?: string
  readonly inFlight: number
  readonly queued: number
  readonly calls: number
  readonly failures: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly tools: number
  readonly resources: number
  readonly prompts: number
  /** Calls are made one by one, because it asks back. */
  readonly serialised: boolean
  readonly lastStderr: readonly string[]
  readonly counters?: Readonly<ConnectionCounters>
}

/** A state as it is told: what keeps a server down is part of it. */
export function describeState(state: SupervisorState): ServerState {
  const failure = state.kind === 'backoff' || state.kind === 'failed' ? state.failure : undefined
  if (failure?.reason === 'not-installed') return 'not_installed'
  if (failure?.reason === 'auth-required') return 'auth_required'
  return state.kind
}

type Life = Pick<ServerStatus, 'state' | 'uptimeMs' | 'attempt' | 'nextAttemptInMs' | 'reason'>

/** What the supervisor's state says to somebody who looks at it now. */
export function describeLife(state: SupervisorState, now: number): Life {
  const told = describeState(state)
  switch (state.kind) {
    case 'ready':
    case 'probing':
      return { state: told, attempt: 0, uptimeMs: Math.round(now - state.since) }
    case 'starting': {
      const reason = state.lastFailure?.message
      const attempt = Math.max(state.restart, state.firstTry)
      return { state: told, attempt, ...(reason === undefined ? {} : { reason }) }
    }
    case 'backoff': {
      const nextAttemptInMs = Math.max(0, Math.round(state.dueAt - now))
      return { state: told, attempt: state.restart, nextAttemptInMs, reason: state.failure.message }
    }
    case 'failed':
      return { state: told, attempt: 0, reason: state.failure.message }
    default:
      return { state: told, attempt: 0 }
  }
}
