import { open } from 'node:fs/promises'
import type { ModeConfig } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol'

const MAX_BYTES = 256 * 1024

/** Read anew each time, so that what a person changes in the file holds at once. */
export async function readInstructions(name: string, { instructions, instructionsFile }: ModeConfig): Promise<string> {
  if (instructionsFile === undefined) return instructions
  try {
    return await readWhole(instructionsFile)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
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

async function readWhole(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('it is no file')
    if (stats.size > MAX_BYTES) throw new Error(`it has ${stats.size} bytes, and at most ${MAX_BYTES} are read`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
