/** What a tool's `run` gets and gives. */
import type { Call, LogEntry, Progress } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { Guide } from '../manifest/tool-declaration.ts'

/** Why a tool cannot run now: the code arrives at the agent as it is. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** Default: what the tool declares for the code, else the requirement's own. */
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type RequirementCheck = (
  call: Call,
  params: Readonly<Record<string, unknown>>,
) => Refusal | undefined | Promise<Refusal | undefined>

/** What the pack gets from whoever runs it. A pack extends this with its own services. */
export interface PackHost {
  /** One for every name that a tool of the pack has in `requires`; `workspace` is known by itself. */
  readonly requirements?: Readonly<Record<string, RequirementCheck>>
  /** The folder that a caller works in, absolute; undefined when it has none. Default: what the caller itself carries. */
  workspace?(call: Call): string | undefined
}

export interface ToolContext<Host extends PackHost = PackHost> {
  readonly call: Call
  /** Aborted when the call is cancelled or its time is over; the reason is a ToolError to be thrown as it is. */
  readonly signal: AbortSignal
  /** Milliseconds that the whole run may take. */
  readonly budgetMs: number
  readonly workspace: string | undefined
  readonly host: Host
  readonly guides: readonly Guide[]
  /** Goes to the agent, where it asked for progress. */
  progress(progress: Progress): void
  /** Goes to the agent, where it asked for log messages. */
  tell(level: LogEntry['level'], data: unknown): void
  /** Goes to our own log, with the trace id of the call. */
  readonly log: Logger
}

export interface ToolOutcome<Data = unknown> {
  readonly data: Data
  /** What the model reads. Default: `data` as compact JSON. */
  readonly text?: string
}

export type ToolFunction<Params = never, Data = unknown, Host extends PackHost = never> = (
  params: Params,
  context: ToolContext<Host>,
) => ToolOutcome<Data> | Promise<ToolOutcome<Data>>

/** By alias. Parameters were checked against the schema before, so that what a function takes is its own business. */
export type ToolFunctions<Host extends PackHost = never> = Readonly<Record<string, ToolFunction<never, unknown, Host>>>
