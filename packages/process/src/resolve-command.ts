/**
 * Finds a program the way the system would, before it is spawned. Node reports a missing working directory and a
 * missing program with the same ENOENT, and on Windows cannot start `npx` (a .cmd file) without help.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path'
import { errorCode } from '@switchboard/base'

export type ResolvedCommand =
  /** `isBatch`: a batch file of Windows, which cannot be started as it is. */
  | { readonly found: true; readonly path: string; readonly isBatch: boolean }
  | {
      readonly found: false
      readonly reason: 'no_command' | 'no_directory' | 'not_executable' | 'bad_argument' | 'no_room'
      readonly message: string
    }

export interface ResolveOptions {
  readonly cwd: string | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly platform?: NodeJS.Platform
}

export function resolveCommand(command: string, options: ResolveOptions): ResolvedCommand {
  const { cwd, environment, platform = process.platform } = options
  if (cwd !== undefined && !isDirectory(cwd)) {
    return { found: false, reason: 'no_directory', message: `the working directory ${cwd} does not exist` }
  }
  const windows = platform === 'win32'
  const hasFolder = command.includes('/') || (windows && command.includes('\\'))
  const folders = hasFolder ? [''] : searchPath(environment)
  let notExecutable: string | undefined
  for (const folder of folders) {
    const base = hasFolder ? resolve(cwd ?? '.', command) : join(folder, command)
    for (const candidate of windows ? withExtensions(base, environment) : [base]) {
      const verdict = examine(candidate, windows)
      if (verdict === 'ok') return { found: true, path: candidate, isBatch: windows && isBatchFile(candidate) }
      if (verdict === 'not_executable') notExecutable ??= candidate
    }
  }
  if (notExecutable !== undefined) {
    return { found: false, reason: 'not_executable', message: `${notExecutable} is not executable` }
  }
  const where = hasFolder ? (isAbsolute(command) ? '' : ` (looked from ${cwd ?? process.cwd()})`) : ' on the PATH'
  return { found: false, reason: 'no_command', message: `the command "${command}" was not found${where}` }
}

function searchPath(environment: Readonly<Record<string, string>>): string[] {
  return (readVariable(environment, 'PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** Windows knows no upper and lower case in their names. */
function readVariable(environment: Readonly<Record<string, string>>, wanted: string): string | undefined {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === wanted)
  return name === undefined ? undefined : environment[name]
}

function withExtensions(base: string, environment: Readonly<Record<string, string>>): string[] {
  const listed = readVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD'
  const extensions = listed.split(';').filter((text) => text !== '')
  const own = extname(base).toUpperCase()
  return own !== '' && extensions.some((extension) => extension.toUpperCase() === own)
    ? [base]
    : extensions.map((extension) => base + extension.toLowerCase())
}

function isBatchFile(path: string): boolean {
  return ['.CMD', '.BAT'].includes(extname(path).toUpperCase())
}

/** What the list of extensions may name besides (`.JS`, `.VBS`) is opened by some other program, whatever that is. */
function isProgram(path: string): boolean {
  return isBatchFile(path) || ['.EXE', '.COM'].includes(extname(path).toUpperCase())
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function examine(path: string, windows: boolean): 'ok' | 'missing' | 'not_executable' {
  try {
    if (!statSync(path).isFile()) return 'missing'
    if (windows) return isProgram(path) ? 'ok' : 'not_executable'
    accessSync(path, constants.X_OK)
    return 'ok'
  } catch (error) {
    return errorCode(error) === 'EACCES' ? 'not_executable' : 'missing'
  }
}
