import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { createOwnerMark, OWNER_VARIABLE } from './owned-processes.ts'
import { type ResolvedCommand, resolveCommand } from './resolve-command.ts'
import { createChildEnvironment } from './safe-environment.ts'

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

export type SpawnOutcome =
  | { readonly spawned: true; readonly child: PipedChild }
  | { readonly spawned: false; readonly problem: Exclude<ResolvedCommand, { found: true }> }

export interface ChildCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** The whole of our environment, not only what a program needs to find its way. */
  readonly inheritEnv: boolean
}

/** Its own process group, so that the whole tree can be signalled and a Ctrl-C in our terminal does not reach it. */
export function spawnChild(wanted: ChildCommand): SpawnOutcome {
  const { command, args, cwd, env, inheritEnv } = wanted
  const environment = { ...createChildEnvironment(env, inheritEnv), [OWNER_VARIABLE]: createOwnerMark() }
  const resolved = resolveCommand(command, { cwd, environment })
  if (!resolved.found) return { spawned: false, problem: resolved }
  const child = spawn(
    resolved.needsShell ? quoteForCmd(resolved.path) : resolved.path,
    resolved.needsShell ? args.map(quoteForCmd) : args,
    {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: resolved.needsShell,
    },
  )
  return { spawned: true, child }
}

/** cmd.exe reads a batch file's arguments twice; quotes keep spaces, carets keep its own characters from acting. */
function quoteForCmd(text: string): string {
  const quoted = `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
  return quoted.replace(/[()%!^"<>&|]/g, '^$&')
}
