/** What the daemon and its page say to each other: `POST /dashboard/api/<method>`, JSON both ways. Every text in it is shown as it is. */
import type { ServerStatus } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import type { AuditLine, LogLevel, LogLine, TraceLine } from '@switchboard/telemetry'
import type { InstanceStatus } from '../instances/instance-registry.ts'
import type { DaemonStatus } from '../ipc/ipc-results.ts'

/** One of the list; the whole of it is asked for by name, and by owner where each window has its own. */
export type ServerRow = Pick<
  ServerStatus,
  | 'name'
  | 'owner'
  | 'state'
  | 'transport'
  | 'era'
  | 'uptimeMs'
  | 'restarts'
  | 'reason'
  | 'inFlight'
  | 'queued'
  | 'calls'
  | 'failures'
  | 'p50Ms'
  | 'p95Ms'
  | 'tools'
  | 'trust'
  | 'install'
  | 'login'
> & {
  /** No other row has it. */
  readonly key: string
}

export type DashboardOverview = Pick<
  DaemonStatus,
  'daemon' | 'configuration' | 'profiles' | 'modes' | 'packs' | 'store'
> & {
  readonly servers: readonly ServerRow[]
  readonly instances: readonly InstanceStatus[]
}

export type CallRow = Pick<
  AuditLine,
  'ts' | 'inst' | 'trace_id' | 'caller' | 'tool' | 'provider' | 'outcome' | 'code' | 'duration_ms'
>

export interface DashboardTrace {
  readonly trace_id: string
  readonly calls: readonly AuditLine[]
  readonly steps: readonly TraceLine[]
  /** Of the first call that failed with a code of ours: when it happens, and what to do. */
  readonly explanation?: { readonly code: string; readonly when: string; readonly hint: string }
}

export interface ToolRow {
  readonly name: string
  readonly server: string
  readonly title?: string
  readonly description: string
  /** What listing it costs a model, roughly. */
  readonly tokens: number
  /** Seen before, and its server is not up. */
  readonly stale: boolean
}

/** A tool that nobody gets until a person has accepted it. */
export interface HeldToolRow {
  readonly name: string
  readonly server: string
  readonly reason: string
}

export interface DashboardTool extends ToolRow {
  /** JSON, exactly as the server has it; absent: too large to be sent. */
  readonly schema?: string
  readonly schemaBytes: number
}

export interface DashboardCallAnswer {
  readonly durationMs: number
  /** JSON of the result, indented; cut where it is long. */
  readonly result?: string
  /** The texts of the result. */
  readonly texts?: readonly string[]
  /** Its pictures, of the kinds that every browser shows. */
  readonly pictures?: readonly { readonly dataUrl: string }[]
  readonly isError?: boolean
  readonly error?: DashboardFailure
}

export interface DashboardFailure {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface LogAsked {
  readonly level?: LogLevel
  readonly source?: string
  readonly cat?: string
  readonly inst?: string
  readonly text?: string
}

/** How long calls took within one stretch of time: milliseconds. */
export interface LatencyPoint {
  /** Seconds since 1970, when it ended. */
  readonly t: number
  readonly calls: number
  readonly p50: number | null
  readonly p95: number | null
}

/** What a view wants to be told of. */
export interface FeedTopics {
  readonly servers?: boolean
  readonly instances?: boolean
  readonly calls?: boolean
  /** That lists of tools have changed. */
  readonly tools?: boolean
  /** What the lens is doing. */
  readonly lens?: boolean
  /** All of one server, when it changes. */
  readonly server?: string
  /** Of which window, where each has its own. */
  readonly owner?: string
  /** Of a server; empty: of all. */
  readonly latency?: string
  readonly logs?: LogAsked
}

/** A line of the stream: what has changed since the last one. */
export interface FeedMessage {
  /** Only those that changed. */
  readonly servers?: readonly ServerRow[]
  /** The keys of all, in their order, when it changed. */
  readonly keys?: readonly string[]
  readonly server?: ServerStatus
  readonly instances?: readonly InstanceStatus[]
  readonly calls?: readonly CallRow[]
  /** So many more calls ended than are told. */
  readonly skippedCalls?: number
  readonly latency?: LatencyPoint
  readonly logs?: readonly LogLine[]
  readonly skippedLogs?: number
  /** Some server lists other tools than before. */
  readonly toolsChanged?: boolean
  /** As it says of itself; null: nothing of it runs. */
  readonly lens?: JsonObject | null
  readonly stopping?: boolean
}
