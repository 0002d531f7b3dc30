/**
 * Runs the tasks of a configuration before the program and after it. A task is given the time of the call; what is left
 * of it then, or when the call is cancelled or the pack closed, is ended as a tree. Its output is kept for the message
 * when it fails, and nowhere else.
 */
import { within } from '@switchboard/base'
import { type OrphanGuard, type PipedChild, spawnChild, TreeStop } from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'
import type { Masking } from '../snapshot/masking.ts'
import type { TaskCommand } from './task-file.ts'

export interface RunTaskOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** In place of ours. */
  readonly environment?: Environment
}

type Environment = Readonly<Record<string, string | undefined>>

export interface TaskRunnerOptions {
  readonly guard: OrphanGuard
  readonly masking: Masking
}

const KEPT_CHARACTERS = 2_000
/** After the exit its last words may still be in the pipes, or something it left behind may hold them open. */
const LAST_WORDS_MS = 300
const GRACES = { input: 0, terminate: 1_000 }

export class TaskRunner {
  readonly #options: TaskRunnerOptions
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  constructor(options: TaskRunnerOptions) {
    this.#options = options
  }

  /** One after the other. Throws E_PRELAUNCH_TASK with what the first that failed has printed. */
  async run(commands: readonly TaskCommand[], { signal, timeoutMs, environment }: RunTaskOptions): Promise<void> {
    const begun = performance.now()
    for (const command of commands) {
      const left = Math.max(1, timeoutMs - (performance.now() - begun))
      const running = this.#runOne(command, AbortSignal.any([signal, this.#closing.signal]), {
        left,
        timeoutMs,
        environment,
      })
      this.#running.add(running)
      try {
        await running
      } finally {
        this.#running.delete(running)
      }
    }
  }

  /** After a session: nobody waits for it. */
  runLater(
    commands: readonly TaskCommand[],
    options: Omit<RunTaskOptions, 'signal'>,
    onFailure: (error: unknown) => void,
  ): void {
    if (this.#closing.signal.aborted) return
    this.run(commands, { ...options, signal: this.#closing.signal }).catch(onFailure)
  }

  /** Resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closing.abort(new ToolError('E_CANCELLED', 'The debugger is closed'))
    await Promise.allSettled(this.#running)
  }

  async #runOne(
    task: TaskCommand,
    signal: AbortSignal,
    { left, timeoutMs, environment }: { left: number; timeoutMs: number; environment: Environment | undefined },
  ): Promise<void> {
    signal.throwIfAborted()
    const { label, command, args, cwd, env, shown } = task
    const { guard, masking } = this.#options
    const outcome = spawnChild({ command, args, cwd, env, inheritEnv: true, base: environment })
    if (!outcome.spawned) throw failed(task, `could not be started: ${outcome.problem.message}`, '')
    const { child, family } = outcome
    const output = collectOutput(child)
    child.stdin.end()
    const exited = new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`))
      child.once('exit', (code, killed) => {
        resolve(code === 0 ? undefined : `failed ${killed === null ? `with exit code ${code}` : `by ${killed}`}`)
      })
    })
    const { pid } = child
    if (pid === undefined) throw failed(task, (await exited) ?? 'could not be started', '')
    guard.addFamily(family)
    const ended = await waitFor(exited, signal, left)
    if (ended.kind === 'exited') await output.lastWords()
    // Also what a task leaves behind in the background.
    const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
    await new TreeStop({ pid, exited, hasExited, endInput: () => {} }, GRACES, family).done
    guard.removeFamily(family)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
    if (ended.kind === 'cancelled') throw signal.reason
    const said = masking.text(output.text())
    if (ended.kind === 'late') {
      const how = `was still running after ${timeoutMs} ms and was ended; give it more time with timeoutMs`
      throw failed({ label, shown }, how, said)
    }
    if (ended.problem !== undefined) throw failed(task, ended.problem, said)
  }
}

function collectOutput(child: PipedChild): { text(): string; lastWords(): Promise<void> } {
  let kept = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_CHARACTERS)
    })
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    text: () => kept,
    async lastWords() {
      await within(closed, LAST_WORDS_MS)
    },
  }
}

type Ended = { kind: 'exited'; problem: string | undefined } | { kind: 'late' } | { kind: 'cancelled' }

async function waitFor(exited: Promise<string | undefined>, signal: AbortSignal, ms: number): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const timer = setTimeout(() => resolve({ kind: 'late' }), ms)
  const onAbort = (): void => resolve({ kind: 'cancelled' })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, exited.then((problem): Ended => ({ kind: 'exited', problem }))])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function failed({ label, shown }: Pick<TaskCommand, 'label' | 'shown'>, how: string, output: string): ToolError {
  return new ToolError('E_PRELAUNCH_TASK', `The task "${label}" ${how}: ${shown}${tail(output)}`, {
    details: { task: label, command: shown },
  })
}

function tail(output: string): string {
  const text = output.trim()
  return text === '' ? '' : `\n${text}`
}
