/** What a person asks of a pack, or of the store itself, at a terminal: no agent and no HTTP client comes here. */
import { nearestName } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type PersonCall, type PersonCommand, ToolError } from '@switchboard/toolkit'

export type PersonCommands = Readonly<Record<string, PersonCommand>>

export interface AskedCommand {
  /** Of a pack, or `store`. */
  readonly of: string
  readonly command: string
  readonly params: JsonObject
}

/** `commands`: of whoever is asked; undefined: it is not there, or switched off. */
export async function runPersonCommand(
  commands: PersonCommands | undefined,
  { of, command, params }: AskedCommand,
  call: PersonCall,
): Promise<JsonObject> {
  if (commands === undefined) {
    throw new SwitchboardError('pack_failed', `The pack ${of} is switched off, or could not be started`, {
      hint: `Set packs.${of}.enabled to true in the configuration; switchboard doctor says more.`,
    })
  }
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (run === undefined) {
    const nearest = nearestName(command, Object.keys(commands))
    const did = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    throw new SwitchboardError('unknown_method', `${of} has no command "${command.slice(0, 100)}".${did}`)
  }
  try {
    return await run(params, call)
  } catch (thrown) {
    throw thrown instanceof ToolError ? toSwitchboardError(thrown) : thrown
  }
}

/** Whatever a pack says of what it was given is a mistake of whoever gave it. */
function toSwitchboardError(error: ToolError): SwitchboardError {
  const { message, hint, details, code } = error
  return new SwitchboardError('invalid_arguments', message, {
    hint: hint ?? '',
    details: { ...details, reason: code },
    cause: error,
  })
}
