/**
 * Ties `main` to this process. The first Ctrl-C (or SIGTERM, SIGHUP) asks the command to end, the second tells it not
 * to wait, the third ends the process on the spot; servers that are left then are ended by the pool's guard.
 */
import type { Interruption, InterruptSignal, Io } from './io.ts'
import { StrayErrors } from './stray-errors.ts'
import { watchParent } from './watch-parent.ts'

const SIGNALS: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How long the orderly end of a run that crashed may take. */
const CRASH_GRACE_MS = 8_000

export async function runOnProcess(main: (argv: readonly string[], io: Io) => Promise<number>): Promise<never> {
  const ending = new AbortController()
  const forcing = new AbortController()
  const interrupt = (interruption: Interruption): void => {
    if (!ending.signal.aborted) ending.abort(interruption)
    else if (interruption.kind === 'signal' && !forcing.signal.aborted) forcing.abort(interruption)
    else if (interruption.kind === 'signal') process.exit(130)
  }
  for (const signal of SIGNALS) process.on(signal, () => interrupt({ kind: 'signal', signal }))
  watchLauncher(() => interrupt({ kind: 'signal', signal: 'SIGTERM' }))
  // Any failure to write means that nobody reads: EPIPE, or a terminal that was closed (EIO).
  process.stdout.on('error', () => interrupt({ kind: 'broken_pipe' }))
  // What is said there, logs that have nowhere else to go among it, is not what anybody runs this for.
  process.stderr.on('error', () => undefined)
  const strays = new StrayErrors()
  const onCrash = (error: unknown): void => {
    if (strays.take(error)) return
    process.stderr.write(`error: a bug in Switchboard: ${error instanceof Error ? error.stack : String(error)}\n`)
    interrupt({ kind: 'crash', error })
    setTimeout(() => process.exit(1), CRASH_GRACE_MS).unref()
  }
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)
  const { stdin, stdout, stderr, env } = process
  const code = await main(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    signal: ending.signal,
    force: forcing.signal,
    interrupt,
    surviveStrays: (report) => strays.survive(report),
  })
  await Promise.all([drain(stdout), drain(stderr)])
  process.exit(code)
}

/**
 * Who chose a Node for us and waits for our end stands for us: one that was killed passes no signal on, and we would keep our
 * port. `SWITCHBOARD_LAUNCHER` is its pid; what we start has no business with it.
 */
function watchLauncher(onGone: () => void): void {
  const launcher = Number(process.env.SWITCHBOARD_LAUNCHER)
  delete process.env.SWITCHBOARD_LAUNCHER
  if (Number.isInteger(launcher) && launcher > 0) watchParent(onGone, launcher)
}

/** Resolves when all was handed to the system, or nobody takes it. */
function drain(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve()
    else {
      stream.once('error', () => resolve())
      stream.write('', () => resolve())
    }
  })
}
