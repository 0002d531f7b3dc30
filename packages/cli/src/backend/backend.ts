/**
 * What the commands need of whoever runs the servers. Today that is this process (`in-process-backend.ts`); a daemon
 * behind a socket is the same interface, which is why everything that looks at a server is a promise.
 */
import type { ConfigurationChange, ProfileCost } from '@switchboard/daemon'
import type { ExposedTool, ServerState, ServerStatus } from '@switchboard/pool'
import type {
  AskRequests,
  AskResponses,
  CallToolResult,
  Disposable,
  JsonObject,
  LogEntry,
  Progress,
  SwitchboardError,
} from '@switchboard/protocol'

export type BackendTool = ExposedTool
export type BackendServer = ServerStatus

export type BackendEvent =
  | {
      readonly type: 'state_changed'
      readonly server: string
      readonly state: ServerState
      readonly previous: ServerState
    }
  | { readonly type: 'catalog_changed'; readonly server: string }
  | { readonly type: 'configuration_applied'; readonly change: ConfigurationChange }
  /** The file was written and is right, and no server is concerned: an earlier refusal is over. */
  | { readonly type: 'configuration_unchanged' }
  /** The old configuration goes on running. */
  | { readonly type: 'configuration_refused'; readonly error: SwitchboardError }

export interface BackendCallOptions {
  readonly signal: AbortSignal
  /** Milliseconds. Default: the tool's own budget. */
  readonly timeout?: number
  readonly onProgress: (progress: Progress) => void
  /** Left out: the server's log messages are not wanted. */
  readonly onLog?: (entry: LogEntry) => void
  readonly ask: (requests: AskRequests) => Promise<AskResponses>
}

export interface Backend {
  /** Returns at once; servers come up in the background. `lazy`: also those that wait for their first use. */
  start(options?: { lazy?: boolean }): void
  tools(): Promise<readonly BackendTool[]>
  /** Starts the servers that may have it, if need be. Rejects with `unknown_tool`, or as a call to it would. */
  findTool(name: string, signal: AbortSignal): Promise<BackendTool>
  call(tool: string, args: JsonObject, options: BackendCallOptions): Promise<CallToolResult>
  status(): Promise<readonly BackendServer[]>
  /** Of the configured profiles. */
  profiles(): Promise<readonly ProfileCost[]>
  restart(server: string): Promise<void>
  onDidChange(listener: (event: BackendEvent) => void): Disposable
  /** Nothing that this backend started for us is alive afterwards. */
  close(options?: { force?: boolean }): Promise<void>
}
