import { SwitchboardError } from '@switchboard/protocol/errors'

/** A command line that cannot be run. */
export class UsageError extends SwitchboardError {
  /** The command whose usage line is shown; none: the program's. */
  readonly command: string | undefined

  constructor(message: string, options: { hint?: string; command?: string } = {}) {
    const { hint = '', command } = options
    super('invalid_arguments', message, { hint })
    this.command = command
  }
}
