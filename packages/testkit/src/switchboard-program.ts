/**
 * The `switchboard` command as people start it, bin/switchboard.mjs on the bundle, in a process of its own. The bundle is
 * never yesterday's: it is brought up to date before the first process test of a run (scripts/run/current-bundle.mjs).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Program, watchProgram } from './program.ts'

export const PROGRAM = fileURLToPath(new URL('../../cli/bin/switchboard.mjs', import.meta.url))

/**
 * Compiling the bundle is a quarter of the time of a short command; Node keeps the outcome here. Not below node_modules: a
 * program that ends while `npm ci` clears that folder would write into it again.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../../../.toolchain/cache/program', import.meta.url))

/** What every program of a test has in its environment. */
export const PROGRAM_ENV = { NO_COLOR: '1', NODE_COMPILE_CACHE: COMPILE_CACHE } as const

/** Sources of ours are run as they are. */
const SOURCE_OPTIONS = ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning'] as const

export type PipedProgram = Program<ChildProcessWithoutNullStreams>

export interface ProgramOptions {
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
}

/** How to start it, for those who start it themselves (the SDKs' stdio clients). */
export function programCommand(
  argv: readonly string[],
  { home, env = {} }: ProgramOptions,
): { command: string; args: string[]; env: Record<string, string> } {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    command: process.execPath,
    args: [PROGRAM, ...argv],
    env: { ...Object.fromEntries(inherited), ...env, ...PROGRAM_ENV, SWITCHBOARD_HOME: home },
  }
}

export interface StartOptions extends ProgramOptions {
  /** Default: open until somebody ends it. */
  readonly stdin?: 'open' | 'ended'
  /** Default: its home. */
  readonly cwd?: string
}

export function startProgram(argv: readonly string[], { stdin = 'open', cwd, ...options }: StartOptions): PipedProgram {
  const { command, args, env } = programCommand(argv, options)
  const child = spawn(command, args, { cwd: cwd ?? options.home, env })
  if (stdin === 'ended') child.stdin.end()
  return watchProgram(child)
}

/** A program that belongs to a test, with our packages resolved to their sources. */
export function startScript(url: URL, argv: readonly string[]): PipedProgram {
  return watchProgram(spawn(process.execPath, [...SOURCE_OPTIONS, fileURLToPath(url), ...argv]))
}
