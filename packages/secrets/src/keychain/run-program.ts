/** A program of the system, asked once: what it needs to know goes in by its stdin, which nobody else can see. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { spawnChild } from '@switchboard/process'

export interface ProgramOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string
  readonly signal: AbortSignal | undefined
  /** Milliseconds; then it is ended, and counts as failed. */
  readonly limit: number
}

export async function runProgram(
  command: string,
  args: readonly string[],
  { env, input = '', signal, limit }: ProgramOptions,
): Promise<ProgramOutcome> {
  const started = spawnChild({ command, args, cwd: undefined, env: {}, inheritEnv: true, base: env })
  if (!started.spawned) throw new Error(`${command}: ${started.problem.message}`)
  const { child } = started
  const isOver = AbortSignal.any([AbortSignal.timeout(limit), ...(signal === undefined ? [] : [signal])])
  const kill = (): void => void child.kill('SIGKILL')
  isOver.addEventListener('abort', kill)
  try {
    // One that ends without reading is told by its exit.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const closed = once(child, 'close')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed])
    signal?.throwIfAborted()
    if (isOver.aborted) throw new Error(`${command} did not answer within ${limit / 1000} s`)
    return { code: child.exitCode, stdout, stderr }
  } finally {
    isOver.removeEventListener('abort', kill)
  }
}

/** What a program said when it failed, in one line. */
export function describeFailure(command: string, { code, stderr }: ProgramOutcome): string {
  const said = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  return said === '' ? `${command} ended with ${code}` : said
}
