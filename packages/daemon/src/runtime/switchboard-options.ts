/** What a Switchboard is given, and what it answers to a change. */
import type { Environment } from '@switchboard/config'
import type { CallReport, Identity } from '@switchboard/gateway'
import type { DaemonSummary } from '@switchboard/pack-switchboard'
import type { Caller } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Implementation } from '@switchboard/protocol/mcp'
import type { AuditTrail, Logger } from '@switchboard/telemetry'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import type { PageRoutes } from '../http/http-entrance.ts'

export interface SwitchboardOptions {
  readonly config: SwitchboardConfig
  readonly serverInfo: Implementation
  readonly log: Logger
  readonly openServerLog: (server: string) => Logger
  readonly cacheDirectory: string
  /** Where packs keep what lasts. */
  readonly storeFile: string
  /** A folder for each server that has no `cwd`. */
  readonly serversDirectory: string
  /** Of bearer tokens; need not exist. */
  readonly tokensFile: string
  /** What is kept secret for the person: a file each. */
  readonly secretsDirectory: string
  /** Folders of the home. Absent: no tool reads logs, no modes can be configured, and no definition is pinned. */
  readonly home?: { readonly directory: string; readonly logs: string; readonly modes: string; readonly trust: string }
  /** What `${NAME}` stands for in the configuration of a project. Default: `env`. */
  readonly variables?: () => Promise<Environment>
  /** What agents are told of the daemon that this runs in. Absent: there is none. */
  readonly describeDaemon?: () => DaemonSummary
  /** Where the calls of a caller are noted. Absent: nowhere. */
  readonly trailOf?: (caller: Caller) => AuditTrail
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onCalled?: (report: CallReport) => void
  /** Spans are made from now on, and fronts have a part in them. */
  readonly onTraced?: () => void
  /** What is served over HTTP besides the gateway. */
  readonly pages?: PageRoutes | undefined
}

export interface ReconfigureOutcome {
  /** Everything else holds already. */
  readonly needsRestart: boolean
  /** What does not hold yet, and why. */
  readonly reason?: SwitchboardError
}

/** `transport`: `stdio` unless it is said otherwise; `command` is a person, whom no mode binds. */
export type StdioIdentity = Pick<Identity, 'profile' | 'workspace' | 'timeout'> & {
  instance: string
  transport?: string
}
