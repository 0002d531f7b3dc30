/** The `switchboard` command in a process of its own, run from source so that no test meets yesterday's bundle. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
/** Stripping the types of the whole program takes longer than most tests; Node keeps the outcome here. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/program', import.meta.url))
const NODE_OPTIONS = ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning']

export interface Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly out: () => string
  readonly err: () => string
  /** Its exit code, or the signal that ended it; once both of its outputs are closed. */
  readonly ended: Promise<number | string>
}

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
    args: [...NODE_OPTIONS, MAIN, ...argv],
    env: {
      ...Object.fromEntries(inherited),
      ...env,
      SWITCHBOARD_HOME: home,
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    },
  }
}

/** Its stdin stays open until somebody ends it. */
export function startProgram(argv: readonly string[], options: ProgramOptions): Program {
  const { command, args, env } = programCommand(argv, options)
  return watch(spawn(command, args, { cwd: options.home, env }))
}

/** A test program of this folder, with our packages resolved to their sources. */
export function startScript(file: string, argv: readonly string[]): Program {
  const path = fileURLToPath(new URL(`../programs/${file}`, import.meta.url))
  return watch(spawn(process.execPath, [...NODE_OPTIONS, path, ...argv]))
}

function watch(child: ChildProcessWithoutNullStreams): Program {
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  // A program that is gone does not read what a test still writes to it.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { child, pid: child.pid ?? 0, out: () => out, err: () => err, ended }
}
