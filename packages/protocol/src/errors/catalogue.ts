/**
 * The one table of everything that can go wrong. `docs/errors.md` is generated from it, and a test proves that
 * the table, the document and the codes raised in the sources agree.
 *
 * `family` says whose it is: the caller's mistake, an upstream's failure, or our own bug (the only one logged
 * with a stack). `executed` says whether the tool may have run.
 */

export type ErrorCategory =
  | 'validation'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition'
  | 'rate_limited'
  | 'cancelled'
  | 'internal'
  | 'unavailable'
  | 'timeout'

export const HTTP_STATUS: Readonly<Record<ErrorCategory, number>> = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  rate_limited: 429,
  cancelled: 499,
  internal: 500,
  unavailable: 503,
  timeout: 504,
}

export type ErrorFamily = 'caller' | 'upstream' | 'ours'

/** Whether the tool ran. `unknown`: it was sent, and nobody can say how far it came. */
export type Executed = boolean | 'unknown'

export interface ErrorEntry {
  readonly category: ErrorCategory
  readonly family: ErrorFamily
  /** The JSON-RPC code when it travels as a protocol error. */
  readonly rpcCode: number
  readonly executed: Executed
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  /** When it happens, for the documentation. */
  readonly when: string
  /** The next step for whoever reads the error. */
  readonly hint: string
}

const caller = { family: 'caller', executed: false, retryable: false } as const
const upstream = { family: 'upstream', executed: false, retryable: true } as const

export const ERROR_CATALOGUE = {
  unknown_tool: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No server has a tool of that name.',
    hint: 'List the tools and use one of the exact names.',
  },
  unknown_server: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No server of that name is configured.',
    hint: 'Run `switchboard status` to see the configured servers.',
  },
  unknown_resource: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No server lists that resource or told the caller of it, and it fits no template.',
    hint: 'List the resources and templates and use one of the exact URIs.',
  },
  unknown_prompt: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No server has a prompt of that name.',
    hint: 'List the prompts and use one of the exact names.',
  },
  unknown_task: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No task of that id was made by this caller, or it was long ago.',
    hint: 'Use the id that the call which made the task returned.',
  },
  unknown_method: {
    ...caller,
    category: 'not_found',
    rpcCode: -32601,
    when: 'The method is not one that this server offers.',
    hint: 'Check the capabilities the server declares.',
  },
  invalid_request: {
    ...caller,
    category: 'validation',
    rpcCode: -32600,
    when: 'A message is not a valid request: not JSON-RPC, not allowed in this state, too deep, of too many parts, or its metadata is missing.',
    hint: 'Correct the message; `details` says what is wrong.',
  },
  request_too_large: {
    ...caller,
    category: 'validation',
    rpcCode: -32600,
    when: 'The body of a request is larger than the gateway accepts (4 MiB unless configured).',
    hint: 'Send less at once, or raise `gateway.maxBodyBytes`.',
  },
  unauthorized: {
    ...caller,
    category: 'unauthorized',
    rpcCode: -32000,
    when: 'The gateway asks for a credential, and none or a wrong one was shown.',
    hint: 'Create a token with `switchboard token create` and send it as `Authorization: Bearer …`.',
  },
  forbidden: {
    ...caller,
    category: 'forbidden',
    rpcCode: -32000,
    when: 'The Host or Origin of a request is not one that the gateway serves, or the credential may not do this.',
    hint: 'Use the address that `switchboard status` shows; a web page of another origin is never served.',
  },
  profile_denied: {
    ...caller,
    category: 'forbidden',
    rpcCode: -32000,
    when: 'The tool exists, but the profile of this connection does not list it.',
    hint: 'Use a tool of the list, or change the profile in the configuration.',
  },
  unknown_profile: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No profile of that name is configured.',
    hint: 'Check the path of the URL or the flag `--profile`.',
  },
  unknown_session: {
    ...caller,
    category: 'not_found',
    rpcCode: -32001,
    when: 'The session was ended, expired, or never existed.',
    hint: 'Send `initialize` again without a session id.',
  },
  rate_limited: {
    ...caller,
    retryable: true,
    category: 'rate_limited',
    rpcCode: 429,
    when: 'This caller has used up its share: of calls a second for the tool, or of calls in flight.',
    hint: 'Wait for `retryAfterMs`, and call less at once.',
  },
  input_expired: {
    ...caller,
    executed: 'unknown',
    category: 'not_found',
    rpcCode: -32602,
    when: 'Answers came for a call that no longer waits for them: it took too long, another caller needed its place, or it was answered already.',
    hint: 'Make the call again from the start.',
  },
  invalid_arguments: {
    ...caller,
    category: 'validation',
    rpcCode: -32602,
    when: "The arguments do not match the tool's input schema. Nothing was sent to the server.",
    hint: 'Correct the named parameters and call again.',
  },
  caller_unknown: {
    ...caller,
    category: 'precondition',
    rpcCode: -32000,
    when: 'What was asked for belongs to one agent (a debug session, a private server), and nothing tells this caller from others: it came over HTTP without a session and without a token.',
    hint: 'Send a token of your own (`switchboard token create`), begin with `initialize`, which makes a session, or connect through `switchboard mcp`.',
  },
  check_timeout: {
    ...upstream,
    retryable: false,
    category: 'timeout',
    rpcCode: -32001,
    when: "Checking the arguments took too long: the tool's own input schema is costly for such values. Nothing was sent to the server.",
    hint: 'Make the values shorter or fewer. If the server checks them by itself, `validate: false` in its configuration leaves it to it.',
  },
  invalid_configuration: {
    ...caller,
    category: 'validation',
    rpcCode: -32602,
    when: 'A configuration file is malformed, has an unknown key, a wrong value or an unresolved variable.',
    hint: 'Correct the place that the message names; nothing was started.',
  },
  server_misconfigured: {
    ...caller,
    category: 'precondition',
    rpcCode: -32000,
    when: 'The entry of the server in the configuration is wrong, or a variable in it is not set. The other servers run.',
    hint: 'Correct the place that the message names: the server is started as soon as the file is saved. A variable has to be set where the daemon is started: set it, then `switchboard restart`.',
  },
  server_disabled: {
    ...caller,
    category: 'precondition',
    rpcCode: -32000,
    when: 'The server is configured with `enabled: false`.',
    hint: 'Enable it with `switchboard server enable <name>`.',
  },
  cancelled: {
    ...caller,
    executed: 'unknown',
    category: 'cancelled',
    rpcCode: -32000,
    when: 'The caller cancelled the call, or went away. The server was told.',
    hint: 'Nothing to do; call again if it was not meant.',
  },
  timeout: {
    ...upstream,
    executed: 'unknown',
    category: 'timeout',
    rpcCode: -32001,
    when: 'The call did not finish within its budget. It was cancelled on the server, which may or may not heed that.',
    hint: 'The work may still be running. Raise `timeout` or `toolTimeouts` if the tool is just slow.',
  },
  queue_timeout: {
    ...upstream,
    category: 'timeout',
    rpcCode: -32001,
    when: 'The budget ran out while the call was still waiting for its turn. Nothing was sent to the server.',
    hint: 'Raise `concurrency`, or the size of the queue, or call less at once.',
  },
  server_exited: {
    ...upstream,
    executed: 'unknown',
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The server ended, or its connection closed, while the call was in flight. It is being restarted.',
    hint: 'Check whether the work was done before you repeat it; `switchboard server logs <name>` shows why it ended.',
  },
  restart_in_progress: {
    ...upstream,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The server is being restarted and the next attempt is not due within the time this call may wait.',
    hint: 'Try again after `retryAfterMs`.',
  },
  restart_failed: {
    ...upstream,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The last attempt to start the server failed. The next one is scheduled (a private server: is not).',
    hint: 'Read the reason and the last stderr lines in `details`; `switchboard server logs <name>` has all of them.',
  },
  pack_failed: {
    family: 'ours',
    executed: false,
    retryable: false,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'A pack of built-in tools could not be started, so none of its tools runs.',
    hint: 'The log of the daemon has the cause. `switchboard restart` tries it again.',
  },
  not_installed: {
    ...upstream,
    retryable: false,
    category: 'unavailable',
    rpcCode: -32000,
    when: "The server's command does not exist on this machine.",
    hint: 'Install the program, or correct `command` in the configuration.',
  },
  server_stopped: {
    ...upstream,
    retryable: false,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The server was stopped by hand.',
    hint: 'Start it again before you call it.',
  },
  shutting_down: {
    ...upstream,
    executed: 'unknown',
    category: 'unavailable',
    rpcCode: -32000,
    when: 'Switchboard is stopping, or this server is: it was stopped, removed or its configuration changed.',
    hint: 'Repeat the call once it is up again; check first whether the work was done.',
  },
  message_too_large: {
    ...upstream,
    executed: true,
    retryable: false,
    category: 'validation',
    rpcCode: -32000,
    when: 'One message was larger than the limit (64 MiB unless configured), or held more than 250,000 objects, lists and members.',
    hint: 'Ask the tool for less at once.',
  },
  message_too_deep: {
    ...upstream,
    executed: true,
    retryable: false,
    category: 'validation',
    rpcCode: -32000,
    when: 'One message was nested deeper than the limit (512 levels of a server, 128 of a client).',
    hint: 'Ask the tool for less structure, or for text; the fault is in the server.',
  },
  bad_response: {
    ...upstream,
    executed: 'unknown',
    retryable: false,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The server answered with something that is not the protocol.',
    hint: "Read the server's log with `switchboard server logs <name>`; the fault is in the server.",
  },
  upstream_error: {
    ...upstream,
    executed: 'unknown',
    retryable: false,
    category: 'internal',
    rpcCode: -32000,
    when: 'The server answered with a protocol error; its code, message and data are passed on unchanged.',
    hint: "The message is the server's own.",
  },
  auth_required: {
    ...upstream,
    retryable: false,
    category: 'unauthorized',
    rpcCode: -32000,
    when: 'A remote server answered 401 or 403.',
    hint: 'Add a valid `Authorization` header to `headers` in its configuration.',
  },
  ask_unattributable: {
    ...upstream,
    retryable: false,
    category: 'conflict',
    rpcCode: -32000,
    when: 'A server asked back (sampling, elicitation, roots) and it cannot be known for which call. It was declined.',
    hint: 'Set `interactive: true` (calls one by one) or `interactive: "private"` (a process per instance) for it.',
  },
  ask_unsupported: {
    ...caller,
    executed: 'unknown',
    category: 'precondition',
    rpcCode: -32601,
    when: 'A server asked back for something that this caller cannot answer.',
    hint: 'Use a client that supports it, or another tool.',
  },
  ask_rounds_exceeded: {
    ...upstream,
    executed: 'unknown',
    retryable: false,
    category: 'conflict',
    rpcCode: -32000,
    when: 'A modern server kept answering `input_required` for more rounds than are allowed.',
    hint: 'The fault is in the server; report it there.',
  },
  mode_required: {
    ...caller,
    category: 'precondition',
    rpcCode: -32000,
    when: 'Modes are configured, and this instance has declared none yet.',
    hint: 'Call `mode_get_instructions` with the mode that fits your task, then repeat the call.',
  },
  mode_denied: {
    ...caller,
    category: 'forbidden',
    rpcCode: -32000,
    when: 'The mode of this instance does not allow the tool, or not the path that it would write.',
    hint: 'Use a tool that the mode allows, or ask the person at the keyboard to choose a mode that fits.',
  },
  unknown_mode: {
    ...caller,
    category: 'not_found',
    rpcCode: -32602,
    when: 'No mode of that name is configured.',
    hint: 'Call `mode_status` to see the names of the modes.',
  },
  approval_denied: {
    ...caller,
    category: 'forbidden',
    rpcCode: -32000,
    when: 'A person has to approve the change of mode, and did not, or could not be asked.',
    hint: 'Ask the person to choose the mode: `switchboard mode set <instance> <mode>`, or the button in VS Code.',
  },
  daemon_restarted: {
    family: 'ours',
    executed: 'unknown',
    retryable: true,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'The daemon ended while the call was under way; a new one has taken over.',
    hint: 'Check whether the work was done, then repeat the call: Switchboard is up again.',
  },
  daemon_unavailable: {
    family: 'ours',
    executed: false,
    retryable: true,
    category: 'unavailable',
    rpcCode: -32000,
    when: 'No daemon runs, and none could be started or reached.',
    hint: 'Run `switchboard doctor`, or `switchboard up --foreground` to see why it does not start.',
  },
  lock_held: {
    ...caller,
    category: 'conflict',
    rpcCode: -32000,
    when: 'Another daemon runs for the same home.',
    hint: 'Use it, or stop it with `switchboard down`.',
  },
  index_unavailable: {
    ...caller,
    category: 'precondition',
    rpcCode: -32000,
    when: 'Files were to be indexed, and no pack of this daemon indexes files.',
    hint: 'Enable a pack that does; `switchboard status` names those that run.',
  },
  store_busy: {
    ...upstream,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'More is to be written to the store than its disk takes in time.',
    hint: 'Nothing was stored. Try again in a while.',
  },
  store_full: {
    ...upstream,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'The disk under the store is full, or refuses to be written to.',
    hint: 'Nothing was stored; what was stored before can be read. Make room on the disk and try again.',
  },
  store_too_large: {
    ...caller,
    category: 'validation',
    rpcCode: -32602,
    when: 'One text is larger than the store takes.',
    hint: 'Store a shorter text.',
  },
  store_damaged: {
    ...upstream,
    retryable: false,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'The file of the store is damaged.',
    hint: 'Stop Switchboard, keep the file, and put a backup in its place.',
  },
  store_newer: {
    ...upstream,
    retryable: false,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'The store was written by a newer Switchboard.',
    hint: 'Use that Switchboard, or another home (`SWITCHBOARD_HOME`).',
  },
  store_unavailable: {
    ...upstream,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'The store cannot be opened or reached, or its thread ended.',
    hint: 'Restart Switchboard; `switchboard logs --level error` says what happened. A PostgreSQL is tried again with the next call.',
  },
  store_uncertain: {
    ...upstream,
    executed: 'unknown',
    retryable: false,
    category: 'unavailable',
    rpcCode: -32603,
    when: 'The connection to the store, or its thread, was lost while a write was committed, and nobody could be asked since.',
    hint: 'Look whether it is there once the store can be reached again, then store it again if it is not.',
  },
  store_no_vectors: {
    ...upstream,
    retryable: false,
    category: 'precondition',
    rpcCode: -32603,
    when: 'Vectors were to be stored in a PostgreSQL that has no pgvector.',
    hint: 'Install pgvector 0.5 or later at the server and run CREATE EXTENSION vector in the database; text is stored and found without it.',
  },
  internal: {
    family: 'ours',
    executed: 'unknown',
    retryable: false,
    category: 'internal',
    rpcCode: -32603,
    when: 'A bug in Switchboard.',
    hint: 'Please report it with the trace id; `switchboard logs --level error` has the stack.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERROR_CATALOGUE
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
