/** The file that a configuration's `program` means: Node also runs `src/app` and a folder with a package.json. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ToolError } from '@switchboard/toolkit'
import type { Attach, Launch } from '../engine/debug-session.ts'
import { readManifest } from '../workspace/source-text.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { ReadConfiguration } from './read-configuration.ts'

const SCRIPT_ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

/** Throws E_FILE_NOT_FOUND. */
export function findLaunchProgram({ type, how }: ReadConfiguration, paths: WorkspacePaths): Launch | Attach {
  if (how.kind === 'attach' || how.program === '') return how
  const program = /node/.test(type) ? findScript(how.program) : onWindows(how.program)
  if (!existsSync(program)) {
    throw new ToolError('E_FILE_NOT_FOUND', `The program ${paths.show(how.program)} is not there`)
  }
  return { ...how, program }
}

/** The program itself when nothing is found. */
export function findScript(program: string): string {
  const stats = statSync(program, { throwIfNoEntry: false })
  if (stats?.isFile() === true) return program
  const candidates = stats?.isDirectory() === true ? [...mainOf(program), join(program, 'index')] : [program]
  const found = candidates
    .flatMap((path) => [path, ...SCRIPT_ENDINGS.map((ending) => path + ending)])
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  return found ?? program
}

function mainOf(folder: string): string[] {
  const { main } = readManifest(folder)
  return typeof main === 'string' ? [resolve(folder, main)] : []
}

/** Configurations are shared between systems: `build/app` is `build/app.exe` there. */
function onWindows(program: string): string {
  const executable = `${program}.exe`
  return process.platform === 'win32' && !existsSync(program) && existsSync(executable) ? executable : program
}
