/**
 * What the commands need of whoever runs the servers: the daemon, behind its socket (`socket-link.ts`), or this
 * process, where none runs (`memory-link.ts`). Everything that looks at a server is a promise.
 */
import type { Disposable } from '@switchboard/base'
import type { ConfigurationChange, ProfileCost } from '@switchboard/daemon'
import type { ConfigurationVerdict, SwitchboardStatus } from '@switchboard/daemon/client'
import type { ExposedTool, LoginOutcome, ServerState, ServerStatus } from '@switchboard/pool'
import type { AskRequests, AskResponses, JsonObject, LogEntry, Progress } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { CallToolResult } from '@switchboard/protocol/mcp'
import type { DaemonReport } from './daemon-report.ts'

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
  /** `needsRestart`: a part of it holds only when the daemon starts anew. */
  | { readonly type: 'configuration_applied'; readonly change: ConfigurationChange; readonly needsRestart?: boolean }
  /** The file was written and is right, and says what it said before: an earlier refusal is over. */
  | { readonly type: 'configuration_unchanged' }
  /** The old configuration goes on running. */
  | { readonly type: 'configuration_refused'; readonly error: SwitchboardError }
  /** A window or a command came to the daemon, or left it. */
  | { readonly type: 'instance_attached'; readonly instance: string; readonly client?: string }
  | { readonly type: 'instance_detached'; readonly instance: string }
  | { readonly type: 'mode_changed'; readonly instance: string; readonly mode?: string }
  /** The daemon takes no new calls, and ends when those under way are done. */
  | { readonly type: 'stopping' }

export interface BackendCallOptions {
  readonly signal: AbortSignal
  /** Milliseconds. Default: the tool's own budget. */
  readonly timeout?: number
  /** Only what this profile lists can be called. Default: everything. */
  readonly profile?: string
  readonly onProgress: (progress: Progress) => void
  /** Left out: the server's log messages are not wanted. */
  readonly onLog?: (entry: LogEntry) => void
  readonly ask: (requests: AskRequests) => Promise<AskResponses>
}

export interface BackendCommandOptions {
  readonly onProgress?: (progress: JsonObject) => void
}

/** Where a person logs in. */
export interface LoginPage {
  readonly url: string
  readonly issuer: string
}

export interface LoginKept {
  readonly issuer: string
  /** Where it is kept, for a person. */
  readonly kept: string
}

export interface Backend {
  /** Returns at once; servers come up in the background. `wake`: one also that waits for its first use, or all of them. */
  start(options?: { wake?: { only?: string | undefined } }): void
  /** Of all servers; Switchboard's own and those of its packs come last. */
  tools(): Promise<readonly BackendTool[]>
  /**
   * Starts the servers that may have it, if need be. Rejects with `unknown_tool`, or as a call to it would. `server`: whose it is;
   * then its own name will do.
   */
  findTool(name: string, options: { readonly signal: AbortSignal; readonly server?: string }): Promise<BackendTool>
  call(tool: string, args: JsonObject, options: BackendCallOptions): Promise<CallToolResult>
  status(): Promise<readonly BackendServer[]>
  /** Undefined: there is none, the servers are this command's own. */
  daemon(): Promise<DaemonReport | undefined>
  /** What packs keep, and how they are. Undefined: a daemon of an earlier version, which does not tell. */
  store(): Promise<Pick<SwitchboardStatus, 'store' | 'packs'>>
  /** Resolves when whoever runs the servers is gone by itself. */
  readonly lost: Promise<SwitchboardError>
  /** Of the configured profiles. */
  profiles(): Promise<readonly ProfileCost[]>
  restart(server: string): Promise<void>
  /** Resolves when the person has logged in; `onPage` is told where. Rejects with `login_failed`. */
  login(server: string, onPage: (page: LoginPage) => void): Promise<LoginKept>
  logOut(server: string): Promise<LoginOutcome>
  /** Resolves when the file as it is saved now is applied or refused. */
  applyConfiguration(): Promise<ConfigurationVerdict>
  /** What a pack, or the store, has for people. Rejects with what it says. */
  runCommand(of: string, command: string, params: JsonObject, options?: BackendCommandOptions): Promise<JsonObject>
  onDidChange(listener: (event: BackendEvent) => void): Disposable
  /** Nothing that was started for this command is alive afterwards; what is the daemon's goes on. */
  close(options?: { force?: boolean }): Promise<void>
}
