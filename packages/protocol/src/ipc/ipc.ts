/**
 * What is said on the daemon's own socket: JSON-RPC 2.0, one message a line. A frame may carry `trace_id` and `inst`
 * beside the members of JSON-RPC. `attach` is the last of these messages on its connection: after its answer every line
 * is MCP, as it would be on stdio.
 */

export const IPC_VERSION = 1

/** How our own command names itself to the Switchboard that it calls. */
export const COMMAND_CLIENT = 'switchboard-cli'

/** The same for the page that the daemon serves. */
export const DASHBOARD_CLIENT = 'switchboard-dashboard'

export const IPC_METHODS = [
  'health',
  'status',
  'tools',
  'find_tool',
  'restart_server',
  'login',
  'logout',
  'apply_configuration',
  'run_command',
  'dashboard_link',
  'enqueue_files',
  'enqueue_scan',
  'notify_file_changed',
  'await_idle',
  'subscribe',
  'attach',
  'shutdown',
] as const

/** A notification to whoever waits for the answer to a request: its `id`, and how far it is. */
export const PROGRESS_METHOD = 'progress'

/**
 * A notification on attached connections, before anything of an orderly stop is done: who hears it knows that the daemon
 * did not crash, and starts no other by itself. It is for the front and goes no further.
 */
export const STOPPING_METHOD = 'notifications/switchboard/stopping'

/** The last words to a connection whose instance has attached by another one: it must not come back by itself, or the two
 * would take each other's place for ever. */
export const REPLACED_METHOD = 'notifications/switchboard/replaced'

/**
 * From a front to the daemon, that wants to know it for the spans of calls: how long it had which requests, as
 * `{times: [[id, begun, ended], …]}` in milliseconds of the clock that all processes of the machine share.
 */
export const FRONT_TIMES_METHOD = 'notifications/switchboard/front_times'

/** To a front: from now on its times are wanted. */
export const TIMES_WANTED_METHOD = 'notifications/switchboard/times_wanted'

export type IpcMethod = (typeof IPC_METHODS)[number]

/** In `home.info` while a daemon runs. */
export interface DaemonInfo {
  readonly pid: number
  readonly epoch: number
  readonly version: string
  readonly endpoint: string
  /** ISO 8601. */
  readonly started_at: string
}

/** front: an agent's window. command: a person at a terminal, whom no mode binds. */
export type AttachRole = 'front' | 'command'

export interface AttachParams {
  readonly protocol: number
  readonly role: AttachRole
  /** Malformed or missing: refused, never replaced. */
  readonly instance: string
  /** Absent, of a command only: everything there is, whatever the profiles say. */
  readonly profile?: string
  /** Absolute path of the folder that the window is about. */
  readonly workspace?: string
  /** False: what that folder configures is not for this window. Default: true. */
  readonly project?: boolean
  /** Of the front or command: what programs are started with that its agent debugs. It is kept in memory only. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds. Of a front: for calls to servers that set no budget of their own. Of a command: for every call. */
  readonly timeout?: number
  /** It can tell how long it had each request. */
  readonly tells_times?: boolean
  readonly pid: number
  readonly version: string
}

export interface AttachResult {
  readonly protocol: number
  /** It shall tell how long it had each request. */
  readonly wants_times?: boolean
  /** Tools that read what outlives a daemon, and change nothing: a call that it took with it may be sent to the next. */
  readonly repeatable?: readonly string[]
  readonly pid: number
  readonly epoch: number
  readonly version: string
}
