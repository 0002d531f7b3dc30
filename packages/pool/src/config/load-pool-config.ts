import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SwitchboardError } from '@switchboard/protocol'
import { checkPoolConfig, readPoolConfig } from './pool-config.ts'
import type { SwitchboardConfig } from './server-config.ts'
import type { Environment } from './variables.ts'

export interface LoadPoolConfigOptions {
  readonly file: string
  /** Default: the environment of this process. */
  readonly env?: Environment
  /** true: a file that does not exist is an empty configuration. Default: it is an error. */
  readonly optional?: boolean
}

export async function loadPoolConfig(options: LoadPoolConfigOptions): Promise<SwitchboardConfig> {
  const { env = process.env, optional = false } = options
  const file = resolve(options.file)
  const baseDirectory = dirname(file)
  const bytes = await readBytes(file, optional)
  if (bytes === undefined) return checkPoolConfig({}, { env, source: file, baseDirectory })
  return readPoolConfig({ text: decode(bytes, file), file, env, baseDirectory })
}

async function readBytes(file: string, optional: boolean): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENOENT' && optional) return undefined
    const problem = FILE_PROBLEMS[code] ?? `cannot be read (${code})`
    throw createFileError(file, problem, 'a configuration file that this user can read', error)
  }
}

const FILE_PROBLEMS: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a directory',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    // The mark is kept: an offset in the text must be an offset in the file's text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw createFileError(file, 'is not UTF-8 text', 'a file saved as UTF-8', error)
  }
}

function createFileError(file: string, problem: string, expected: string, cause: unknown): SwitchboardError {
  const problems = [{ file, key: '', problem, expected }]
  return new SwitchboardError('invalid_configuration', `${file}: ${problem}. Expected ${expected}.`, {
    details: { problems },
    cause,
  })
}
