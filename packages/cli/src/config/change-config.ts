/** The configuration file as the `server` commands change it: whole or not at all, the text before kept beside it. */
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, ForeignFileError, readForeignBytes, writeFileAtomically } from '@switchboard/base'
import { type EditOptions, SCHEMA_FILE_NAME, switchboardFile } from '@switchboard/daemon/configuration'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandContext } from '../context/command-context.ts'

/** Far more than anybody writes. */
export const MAX_CONFIG_BYTES = 16 * 1024 * 1024

/** Undefined: there is none yet. */
export async function readConfigFile({ home }: CommandContext): Promise<string | undefined> {
  try {
    return (await readForeignBytes(home.configFile, { maxBytes: MAX_CONFIG_BYTES })).toString('utf8')
  } catch (error) {
    if (error instanceof ForeignFileError && error.problem === 'missing') return undefined
    throw createFileError(home.configFile, 'cannot be read', error)
  }
}

export function editOptions({ home }: CommandContext): EditOptions {
  return { file: home.configFile, baseDirectory: dirname(home.configFile) }
}

/** Returns whether anything changed. The text was checked by whoever made it. */
export async function changeConfig(
  context: CommandContext,
  change: (text: string | undefined) => string,
): Promise<{ isChanged: boolean }> {
  const file = context.home.configFile
  const before = await readConfigFile(context)
  const after = change(before)
  if (after === before) return { isChanged: false }
  try {
    // Keys and tokens may stand in it: nobody else reads it, unless its owner decided otherwise.
    const mode = before === undefined ? 0o600 : (await stat(file)).mode & 0o777
    if (before !== undefined) await writeFileAtomically(`${file}.bak`, before, { mode })
    await writeFileAtomically(file, after, { mode, createFolder: true })
  } catch (error) {
    throw createFileError(file, 'cannot be written', error)
  }
  if (after.includes(SCHEMA_FILE_NAME)) await placeSchema(dirname(file), context)
  context.log.info('cli.config', `changed ${file}`)
  return { isChanged: true }
}

/** The file names its schema, so that editors complete and check it: it has to be there. A convenience, so never an error. */
async function placeSchema(directory: string, { log }: CommandContext): Promise<void> {
  try {
    await writeFileAtomically(
      join(directory, SCHEMA_FILE_NAME),
      `${JSON.stringify(switchboardFile.createSchema(), null, 2)}\n`,
      { mode: 0o644 },
    )
  } catch (error) {
    log.warn('cli.config', `could not write ${SCHEMA_FILE_NAME}: ${readCode(error)}`)
  }
}

function createFileError(file: string, problem: string, error: unknown): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `${file} ${problem}: ${readCode(error)}.`, {
    hint: 'Check who owns the file and its folder, or name another one with --config.',
    cause: error,
  })
}

function readCode(error: unknown): string {
  return error instanceof ForeignFileError ? `it ${error.reason}` : (errorCode(error) ?? String(error))
}
