import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { countFreeHandles, errorMessage, readFileLimit } from '@switchboard/base'
import { quoteForBatch, readNodeShim } from './batch-command.ts'
import { createOwnerMark } from './owned-processes.ts'
import { ProcessFamily } from './process-family.ts'
import { OWNER_VARIABLE } from './process-marks.ts'
import { type ResolvedCommand, resolveCommand } from './resolve-command.ts'
import { createChildEnvironment } from './safe-environment.ts'

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** `no_room`: the system, or this process, has no handles, memory or processes left for it. It may work later. */
export type SpawnOutcome =
  | { readonly spawned: true; readonly child: PipedChild; readonly family: ProcessFamily }
  | { readonly spawned: false; readonly problem: Exclude<ResolvedCommand, { found: true }> }

/** Three pipes have two ends while a child is started, and whoever asks what is wrong needs some as well. */
const HANDLES_TO_SPAWN = 6
const HANDLES_LEFT_OVER = 6

const BAD_ARGUMENT =
  'a batch file (.cmd, .bat) cannot be given an argument with a line break in it; name the program that it starts instead'

export interface ChildCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** The whole of our environment, not only what a program needs to find its way. */
  readonly inheritEnv: boolean
  /** In place of our environment. */
  readonly base?: Readonly<Record<string, string | undefined>> | undefined
}

/** Never throws. Its own process group and session, and a family: all that it starts can be found. A Ctrl-C does not reach it. */
export function spawnChild(wanted: ChildCommand): SpawnOutcome {
  const { command, args, cwd, env, inheritEnv, base } = wanted
  const family = new ProcessFamily()
  const marks = { ...family.environment, [OWNER_VARIABLE]: createOwnerMark() }
  const environment = { ...createChildEnvironment(env, inheritEnv, base), ...marks }
  const resolved = resolveCommand(command, { cwd, environment })
  if (!resolved.found) return { spawned: false, problem: resolved }
  const free = countFreeHandles()
  if (free !== undefined && free < HANDLES_TO_SPAWN + HANDLES_LEFT_OVER) return noRoom(describeShortage(free))
  const invocation = resolved.isBatch
    ? createBatchInvocation(resolved.path, args, environment)
    : { file: resolved.path, args, isVerbatim: false }
  if (invocation === undefined)
    return { spawned: false, problem: { found: false, reason: 'bad_argument', message: BAD_ARGUMENT } }
  try {
    const child: ChildProcess = spawn(invocation.file, invocation.args, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: invocation.isVerbatim,
    })
    if (isPiped(child)) {
      if (child.pid !== undefined) family.begin(child.pid)
      child.once('exit', () => family.end())
      return { spawned: true, child, family }
    }
    // Without handles for its pipes Node gives back a child that has none, and an error afterwards.
    child.on('error', () => {})
    return noRoom(describeShortage(0))
  } catch (error) {
    return noRoom(errorMessage(error))
  }
}

function isPiped(child: ChildProcess): child is PipedChild {
  // Node's types know nothing of a child without streams.
  const { stdin, stdout, stderr } = child as Partial<ChildProcess>
  return Boolean(stdin && stdout && stderr)
}

function noRoom(message: string): SpawnOutcome {
  return { spawned: false, problem: { found: false, reason: 'no_room', message } }
}

function describeShortage(free: number): string {
  const limit = readFileLimit()
  const most = limit === undefined ? '' : `, of ${limit}`
  return `too many files are open (EMFILE): ${free} more can be opened${most}; raise the limit (ulimit -n), or run fewer servers`
}

/** Undefined: no batch file can be given these arguments. */
function createBatchInvocation(
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): { file: string; args: readonly string[]; isVerbatim: boolean } | undefined {
  const shim = readNodeShim(path)
  const node = shim === undefined ? undefined : (shim.program ?? findNode(environment))
  if (shim !== undefined && node !== undefined) return { file: node, args: [shim.script, ...args], isVerbatim: false }
  const quoted = quoteForBatch(path, args)
  return quoted && { file: process.env.ComSpec ?? 'cmd.exe', args: quoted, isVerbatim: true }
}

function findNode(environment: Readonly<Record<string, string>>): string | undefined {
  const node = resolveCommand('node', { cwd: undefined, environment })
  return node.found && !node.isBatch ? node.path : undefined
}
