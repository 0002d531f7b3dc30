import type { JsonObject } from '@switchboard/protocol'
import { type ErrorCode, SwitchboardError, type SwitchboardErrorOptions } from '@switchboard/protocol/errors'

const SAY_ALL: ReadonlySet<ErrorCode> = new Set(['invalid_arguments', 'definition_held'])

export interface UnansweredRequest {
  readonly server: string
  readonly method: string
  readonly params: JsonObject
  /** The server's last words, where they explain it. */
  lastOutput(): string[]
}

/** The same error, with where it happened: which server and tool, and what the server said last if it is gone. */
export function explainFailure(
  error: SwitchboardError,
  { server, method, params, lastOutput }: UnansweredRequest,
  options: SwitchboardErrorOptions = {},
): SwitchboardError {
  const what = typeof params.name === 'string' ? params.name : method
  const details: Record<string, unknown> = {
    server,
    ...(method === 'tools/call' ? { tool: what } : {}),
    ...error.details,
  }
  if (error.code === 'server_exited') details.stderr ??= lastOutput()
  // Wrong arguments were sent nowhere, and read the same whoever offers the tool; what is held back is named whole.
  const isNamed = SAY_ALL.has(error.code) || error.message.startsWith(`The server ${server} `)
  const { hint, executed, retryable, retryAfterMs } = error
  return new SwitchboardError(error.code, isNamed ? error.message : `${server} (${what}): ${error.message}`, {
    hint,
    executed,
    retryable,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    details,
    cause: error,
    ...options,
  })
}
