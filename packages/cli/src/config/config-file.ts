/** The configuration file as the `server` commands change it: whole or not at all, the text before kept beside it. */
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createJsonSchema, type EditOptions, SCHEMA_FILE_NAME } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol'
import type { CommandContext } from '../context/command-context.ts'

/** Undefined: there is none yet. */
export async function readConfigText({ home }: CommandContext): Promise<string | undefined> {
  try {
    return await readFile(home.configFile, 'utf8')
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined
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
  const before = await readConfigText(context)
  const after = change(before)
  if (after === before) return { isChanged: false }
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // Keys and tokens may stand in it: nobody else reads it, unless its owner decided otherwise.
    const mode = before === undefined ? 0o600 : (await stat(file)).mode & 0o777
    if (before !== undefined) await copyFile(file, `${file}.bak`)
    await writeFile(temporary, after, { mode })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw createFileError(file, 'cannot be written', error)
  }
  if (after.includes(SCHEMA_FILE_NAME)) await placeSchema(dirname(file), context)
  context.log.info('cli.config', `changed ${file}`)
  return { isChanged: true }
}

/** The file names its schema, so that editors complete and check it: it has to be there. A convenience, so never an error. */
async function placeSchema(directory: string, { log }: CommandContext): Promise<void> {
  try {
    await writeFile(join(directory, SCHEMA_FILE_NAME), `${JSON.stringify(createJsonSchema(), null, 2)}\n`)
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
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
