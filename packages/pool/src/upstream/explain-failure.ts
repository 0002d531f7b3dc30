import { type JsonObject, SwitchboardError, type SwitchboardErrorOptions } from '@switchboard/protocol'

export interface FailedRequest {
  readonly server: string
  readonly method: string
  readonly params: JsonObject
  /** The server's last words, where they explain it. */
  lastOutput(): string[]
}

/** The same error, with where it happened: which server and tool, and what the server said last if it is gone. */
export function explainFailure(
  error: SwitchboardError,
  { server, method, params, lastOutput }: FailedRequest,
  options: SwitchboardErrorOptions = {},
): SwitchboardError {
  const what = typeof params.name === 'string' ? params.name : method
  const details: Record<string, unknown> = {
    server,
    ...(method === 'tools/call' ? { tool: what } : {}),
    ...error.details,
  }
  if (error.code === 'server_exited') details.stderr ??= lastOutput()
  const isNamed = error.message.startsWith(`The server ${server} `)
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
