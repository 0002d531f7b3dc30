/** A tool's own failure: the code is one of those that its `*.meta.yaml` declares, and arrives at the agent unchanged. */
export class ToolError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    options: { hint?: string; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'ToolError'
    this.code = code
    this.hint = options.hint
    this.details = options.details ?? {}
  }
}
