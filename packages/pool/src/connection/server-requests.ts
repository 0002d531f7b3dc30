/** The requests that a server has not answered yet, and how one that is given up is told to its caller. */
import { type Clock, type PendingRequest, PendingRequests, type RequestLimits } from '@switchboard/base'
import type { Call, Caller, JsonObject, Progress } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import type { CallSpan } from '@switchboard/protocol/tracing'

/** `timeout`: Infinity for a listen stream, which lives as long as the connection. */
export interface RequestOptions extends RequestLimits {
  readonly progress?: ((progress: Progress) => void) | undefined
  /** On whose behalf; absent for the pool's own requests, which no server question can belong to. */
  readonly call?: Call | undefined
  /** Of this request alone. */
  readonly span?: CallSpan | undefined
  /** As the server lists it: modern HTTP repeats some arguments as headers. */
  readonly tool?: Tool | undefined
}

export type ServerRequest = PendingRequest<JsonObject, RequestOptions>
export type ServerRequests = PendingRequests<JsonObject, RequestOptions>

interface ServerRequestEvents {
  onAbandoned(request: ServerRequest, error: Error): void
  /** However it ended. */
  onReleased(request: ServerRequest): void
}

export function createServerRequests(clock: Clock, { onAbandoned, onReleased }: ServerRequestEvents): ServerRequests {
  return new PendingRequests({
    clock,
    keepsTimer: true,
    onAbandoned,
    onReleased,
    createTimeoutError: ({ method, options: { timeout } }) =>
      new SwitchboardError('timeout', `No answer to ${method} within ${timeout} ms`, {
        details: { timeoutMs: timeout },
      }),
    createAbortError: (_request, reason) => createAbortError(reason),
  })
}

/**
 * Those made for a caller: the ones a server's question or log message can belong to. Setting the level is not one: it
 * is made for all, and often right before the call whose messages are wanted.
 */
export function listCallerRequests(requests: ServerRequests): ServerRequest[] {
  return requests.all().filter(({ options, method }) => options.call !== undefined && method !== 'logging/setLevel')
}

/**
 * Who is asked when the server asks because of this request. Windows and sessions are known; whoever has neither cannot be told
 * from others, not even by a token, which several may share: then every call is of an agent of its own.
 */
export function agentOf({ id, options: { call } }: ServerRequest): string {
  return agentOfCaller(call?.caller) ?? `request ${String(id)}`
}

/** Undefined: nobody can tell. */
export function agentOfCaller(caller: Caller | undefined): string | undefined {
  return caller?.instance ?? caller?.session
}

/** An aborter may give its own reason (`shutting_down`); a plain abort is a caller's cancel. */
export function createAbortError(reason: unknown): SwitchboardError {
  if (reason instanceof SwitchboardError) return reason
  const why = reason instanceof Error && reason.name !== 'AbortError' ? `: ${reason.message}` : ''
  return new SwitchboardError('cancelled', `The call was cancelled by its caller${why}`)
}
