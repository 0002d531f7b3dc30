import type { Era, ProviderStatus } from '@switchboard/protocol'
import type { Implementation } from '@switchboard/protocol/mcp'
import { installOf, type ServerConfig } from '../config/server-config.ts'
import type { ConnectionCounters } from '../connection/connection.ts'
import type { UpstreamLogin } from '../oauth/upstream-login.ts'
import type { SupervisorState } from '../supervision/supervision.ts'
import type { TransportKind } from '../transport/transport.ts'
import type { CatalogKeeper } from './catalog-keeper.ts'
import type { Latency } from './latency.ts'
import type { Lifecycle } from './lifecycle.ts'

export type ServerState = SupervisorState['kind'] | 'not_installed' | 'auth_required' | 'disabled' | 'misconfigured'

export interface ServerStatus extends ProviderStatus {
  readonly state: ServerState
  /** Absent where its entry does not tell. */
  readonly transport?: TransportKind
  readonly shared: boolean
  /** Of a private server: whose it is. */
  readonly owner?: string
  readonly pid?: number
  readonly era?: Era
  /** Where it speaks both, and each caller is spoken to in its own. */
  readonly eras?: readonly Era[]
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
  /** What is wrong with its entry as it is written now, while it runs as the entry was before. */
  readonly entryProblem?: string
  /** How a missing program is installed. */
  readonly install?: string
  /** Where it asks for one: whether there is one. */
  readonly login?: 'kept' | 'wanted'
  readonly inFlight: number
  readonly queued: number
  readonly calls: number
  readonly failures: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly tools: number
  readonly resources: number
  readonly prompts: number
  /** What it offers and is not taken in: a list beyond its bound. As sentences. */
  readonly missing?: readonly string[]
  /** What a person should look at in what it offers, as a sentence; told by whoever judges its catalog. */
  readonly trust?: string
  /** Different agents call it one after the other, whatever they call: it is configured as one that asks back. */
  readonly serialised: boolean
  /** Tools, or methods, that were seen asking back: different agents call them one after the other. */
  readonly asks?: readonly string[]
  readonly lastStderr: readonly string[]
  readonly counters?: Readonly<ConnectionCounters>
}

/** What a server's parts say of it now. */
export interface StatusParts extends Pick<ServerStatus, 'inFlight' | 'queued' | 'calls' | 'failures' | 'lastStderr'> {
  readonly config: ServerConfig
  readonly transport: TransportKind
  readonly owner: string | undefined
  readonly lifecycle: Lifecycle
  readonly login: Pick<UpstreamLogin, 'state' | 'lost'> | undefined
  readonly catalog: CatalogKeeper
  readonly latency: Latency
  readonly asks: readonly string[]
  readonly now: number
}

export function createServerStatus(parts: StatusParts): ServerStatus {
  const { config, owner, transport, lifecycle, login, catalog, latency, asks, now, lastStderr } = parts
  const { state, handshake, connection, pid, opens, renewals } = lifecycle
  const life = describeLogin(describeLife(state, now), login)
  const p50 = latency.percentile(0.5)
  const p95 = latency.percentile(0.95)
  const { tools, resources, prompts } = catalog.catalog
  const install = installOf(config)
  return {
    name: config.name,
    ...life,
    stale: catalog.stale,
    transport,
    shared: config.shared,
    ...(owner === undefined ? {} : { owner }),
    ...(pid === undefined || state.kind === 'backoff' ? {} : { pid }),
    ...(handshake === undefined ? {} : { era: handshake.era, protocolVersion: handshake.version }),
    ...(handshake?.serverInfo === undefined ? {} : { serverInfo: handshake.serverInfo }),
    restarts: Math.max(0, opens - renewals - 1),
    ...(life.state === 'not_installed' && install !== undefined ? { install } : {}),
    ...(login === undefined || login.state === 'none' ? {} : { login: login.state }),
    inFlight: parts.inFlight,
    queued: parts.queued,
    calls: parts.calls,
    failures: parts.failures,
    ...(p50 === undefined ? {} : { p50Ms: p50 }),
    ...(p95 === undefined ? {} : { p95Ms: p95 }),
    tools: tools.length,
    resources: resources.length,
    prompts: prompts.length,
    ...(catalog.missing.length === 0 ? {} : { missing: catalog.missing }),
    serialised: config.interactive === true && owner === undefined,
    ...(asks.length === 0 ? {} : { asks }),
    lastStderr,
    ...(connection === undefined ? {} : { counters: { ...connection.counters } }),
  }
}

/** A state as it is told: what keeps a server down is part of it. */
export function describeState(state: SupervisorState): ServerState {
  const failure = state.kind === 'backoff' || state.kind === 'failed' ? state.failure : undefined
  if (failure?.reason === 'not-installed') return 'not_installed'
  if (failure?.reason === 'auth-required') return 'auth_required'
  return state.kind
}

type Life = Pick<ServerStatus, 'state' | 'uptimeMs' | 'attempt' | 'nextAttemptInMs' | 'reason'>

/** It may be up, and refuse everything since its login ended. */
function describeLogin(life: Life, login: StatusParts['login']): Life {
  if (login?.lost === undefined || life.state !== 'ready') return life
  return { ...life, state: 'auth_required', reason: login.lost }
}

/** What the supervisor's state says to somebody who looks at it now. */
function describeLife(state: SupervisorState, now: number): Life {
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
