import { errorMessage, ForeignFileError, readForeignBytes } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ModeConfig } from './mode-fields.ts'

const MAX_BYTES = 256 * 1024

/** Read anew each time, so that what a person changes in the file holds at once. */
export async function readInstructions(name: string, { instructions, instructionsFile }: ModeConfig): Promise<string> {
  if (instructionsFile === undefined) return instructions
  try {
    return (await readForeignBytes(instructionsFile, { maxBytes: MAX_BYTES })).toString('utf8')
  } catch (error) {
    const reason = error instanceof ForeignFileError ? `it ${error.reason}` : errorMessage(error)
    throw new SwitchboardError(
      'invalid_configuration',
      `The instructions of the mode "${name}" cannot be read from ${instructionsFile}: ${reason}`,
      {
        hint: `Correct \`modes.${name}.instructionsFile\` in the configuration, or the file. The mode was not changed.`,
        cause: error,
      },
    )
  }
}
