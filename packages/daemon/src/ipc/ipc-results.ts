/** What the methods of the daemon's socket answer, as it is written on the wire. */
import type { AccessPolicy } from '@switchboard/gateway'
import type { ModeSummary } from '@switchboard/pack-switchboard'
import type { ServerState, ServerStatus } from '@switchboard/pool'
import type { ProviderStatus } from '@switchboard/protocol'
import type { ErrorEnvelope, ErrorReport } from '@switchboard/protocol/errors'
import type { QueueCounts, RecentActivity } from '@switchboard/toolkit'
import type { ConfigurationChange } from '../configuration/configuration-change.ts'
import type { ConnectionsStatus } from '../http/connection-caps.ts'
import type { InstanceStatus } from '../instances/instance-registry.ts'
import type { ProfileCost } from '../profiles/profile-costs.ts'
import type { ProjectReport } from '../projects/project-report.ts'
import type { StoreReport } from '../store/home-store.ts'

export type DaemonState = 'starting' | 'running' | 'stopping'

export interface DaemonHealth {
  readonly ok: boolean
  readonly pid: number
  readonly version: string
  readonly protocol: number
  readonly epoch: number
  readonly state: DaemonState
  readonly uptime_ms: number
  readonly queue: QueueCounts
  readonly recent_activity: RecentActivity
}

/** A door that could not be opened: the daemon runs without it. */
export interface ClosedDoor {
  readonly error: string
  readonly hint: string
}

/** What is told of a Switchboard wherever it runs. */
export interface SwitchboardStatus {
  /** refused: the file is wrong, and the configuration before it goes on. `doubts`: what in it names nobody, as sentences. */
  readonly configuration:
    | { readonly state: 'ok'; readonly doubts?: readonly string[] }
    | { readonly state: 'refused'; readonly error: ErrorReport }
  readonly servers: readonly ServerStatus[]
  /** Of the projects that windows are in, those that name servers. */
  readonly projects?: readonly ProjectReport[]
  readonly instances: readonly InstanceStatus[]
  readonly profiles: readonly ProfileCost[]
  /** As it is asked for on the socket. */
  readonly packs?: readonly ProviderStatus[]
  readonly store?: StoreReport
  /** Empty: none are configured, and nothing is asked of anybody. */
  readonly modes: readonly ModeSummary[]
}

/** What became of the file as it was saved when this was asked. */
export interface ConfigurationVerdict {
  readonly configuration: SwitchboardStatus['configuration']
  /** Some of it holds only from the next start on. */
  readonly needs_restart: boolean
}

export interface DaemonStatus extends SwitchboardStatus {
  readonly daemon: {
    readonly pid: number
    readonly version: string
    readonly epoch: number
    readonly started_at: string
    readonly state: DaemonState
    readonly home: string
    readonly config_file: string
    readonly endpoint: string
    /** Null: not opened yet, or closed again. */
    readonly http: { readonly url: string; readonly auth: AccessPolicy } | ClosedDoor | null
    /** Null: not asked for. */
    readonly tcp: { readonly port: number } | ClosedDoor | null
    readonly connections: ConnectionsStatus
    /** Errors of our own that nobody caught, since the start; `daemon.log` has their stacks. */
    readonly bugs: number
  }
  readonly queue: QueueCounts
  readonly recent_activity: RecentActivity
}

/** `params` of the notification `event`, which a subscriber gets. */
export type DaemonEvent =
  | {
      readonly type: 'state_changed'
      readonly server: string
      readonly state: ServerState
      readonly previous: ServerState
    }
  | { readonly type: 'catalog_changed'; readonly server: string }
  | { readonly type: 'configuration_applied'; readonly change: ConfigurationChange; readonly needs_restart: boolean }
  | { readonly type: 'configuration_unchanged' }
  | { readonly type: 'configuration_refused'; readonly error: ErrorEnvelope }
  | { readonly type: 'instance_attached'; readonly instance: InstanceStatus }
  | { readonly type: 'instance_detached'; readonly instance: string }
  /** Null: it has none any more. */
  | { readonly type: 'mode_changed'; readonly instance: string; readonly mode: string | null }
  | { readonly type: 'stopping'; readonly reason: string }
