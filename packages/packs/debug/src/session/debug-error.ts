/** What goes wrong in an engine, with the code that the agent sees. The tools declare the codes and their hints. */
export class DebugError extends Error {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    { details = {}, cause }: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DebugError'
    this.code = code
    this.details = details
  }
}
