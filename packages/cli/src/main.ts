/**
 * The program. Agents start it and wait for it, so what can be answered at once is answered before anything heavy is
 * loaded; every command is loaded only when it is run.
 */
import type { Io } from './program/io.ts'
import { answerVersion } from './program/program-version.ts'

/** Runs one command line and resolves with its exit code. Nothing it started is alive afterwards. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const version = answerVersion(argv)
  if (version !== undefined) {
    io.stdout.write(version)
    return 0
  }
  if (argv.includes('mcp')) {
    const { tryFront } = await import('./front/main.ts')
    const code = await tryFront(argv, io)
    if (code !== undefined) return code
  }
  const { runCommandLine } = await import('./command-line/run-command-line.ts')
  return runCommandLine(argv, io)
}

/** `main` on this process: its streams, its signals, its end. @public for bin/switchboard.mjs, which loads the bundle. */
export async function runProgram(): Promise<never> {
  const { runOnProcess } = await import('./program/run-on-process.ts')
  return runOnProcess(main)
}

// Started as a file of its own (`npm start`). When bin/switchboard.mjs imports this file, it calls runProgram itself.
if (await isStartedDirectly()) await runProgram()

async function isStartedDirectly(): Promise<boolean> {
  const started = process.argv[1]
  if (started === undefined || !/\b(?:switchboard\.mjs|main\.[jt]s)$/.test(started)) return false
  const { realpathSync } = await import('node:fs')
  const { pathToFileURL } = await import('node:url')
  try {
    return pathToFileURL(realpathSync(started)).href === import.meta.url
  } catch {
    return false
  }
}
