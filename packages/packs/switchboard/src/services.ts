/** What these tools are told by whoever runs the pack: it knows servers, windows, logs and modes; the pack knows none of them. */
import type { Disposable } from '@switchboard/base'
import type { Caller } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { PackHost, ToolContext } from '@switchboard/toolkit'
import type { ShownDaemon, ShownServer, ShownStore } from './generated/types.ts'

export type DaemonSummary = ShownDaemon

export type StoreSummary = ShownStore

export type ServerSummary = ShownServer & {
  /** Of a private server: whose it is. */
  readonly owner?: string
  /** `wanted`: a person has to log in. */
  readonly login?: 'kept' | 'wanted'
}

/** As a provider tells of itself. */
export interface PackSummary {
  readonly name: string
  readonly state: string
  readonly tools: number
  readonly reason?: string | undefined
}

export interface ModeSummary {
  readonly name: string
  readonly description: string
  readonly approval: 'none' | 'person'
}

export interface ModeRules extends ModeSummary {
  readonly instructions: string
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] }
  /** Absent: the mode does not look at paths. */
  readonly writable?: readonly string[]
}

/** What an instance has declared; `mode` null: nothing. */
export interface DeclaredMode {
  readonly mode: string | null
  /** ISO 8601. */
  readonly at: string
  readonly setBy: string
}

export interface ModesService {
  /** Empty: none are configured. */
  list(): readonly ModeSummary[]
  /** The mode of callers without an instance. */
  forHttp(): string | undefined
  /** For a caller of that workspace. Rejects with `unknown_mode`, or `invalid_configuration` where they cannot be read. */
  rules(name: string, workspace: string | undefined): Promise<ModeRules>
  read(instance: string): DeclaredMode | undefined
  set(instance: string, name: string, by: 'agent' | 'person'): Promise<DeclaredMode>
  /** Others are configured now. */
  onDidReconfigure(listener: () => void): Disposable
}

/** Whether a caller's profile shows that server or pack. */
export type ProviderScope = (provider: string) => boolean

export interface SwitchboardServices {
  readonly version: string
  /** Undefined: it sees all there is. */
  scopeOf(caller: Caller): ProviderScope | undefined
  /** What a caller is told of the project that it is in, a line each. */
  remarksFor(caller: Caller): readonly string[]
  /** Whether a server is that of a project in which the caller is not. */
  isElsewhere(caller: Caller, server: string): boolean
  servers(): readonly ServerSummary[]
  packs(): readonly PackSummary[]
  /** Where packs keep what lasts. Opens nothing. Absent: nowhere. */
  readonly store?: () => Promise<StoreSummary>
  /** Undefined: this runs without a daemon. */
  daemon(): DaemonSummary | undefined
  /** Windows that are connected besides that one. */
  countOtherWindows(instance: string | undefined): number
  /** The folder of the logs, and what this process writes there. Absent: there are none to read. */
  readonly logs?: { readonly directory: string; readonly own: Logger }
  /** Absent: there is nowhere to keep them. */
  readonly modes?: ModesService
}

export interface SwitchboardHost extends PackHost {
  readonly services: SwitchboardServices
}

export type SwitchboardContext = ToolContext<SwitchboardHost>
