/**
 * One run under its time budget and the caller's signal.
 *
 * 1. When the time is over or the call is cancelled, the run's signal is aborted with a ToolError, and the run has a grace
 *    to end by itself: what it then returns or throws is the outcome, since it knows more than we do.
 * 2. A run that goes on after that is answered for, and the answer says that it may still be running. Nothing can stop it.
 * 3. A late failure of such a run is handed to `onLate`; it never becomes an unhandled rejection.
 */
import type { Clock } from '@switchboard/base'
import { ToolError } from '../tool-error.ts'

export interface RunBudget {
  readonly tool: string
  readonly budgetMs: number
  readonly graceMs: number
  /** The caller's. */
  readonly signal: AbortSignal
  readonly clock: Clock
  onLate(outcome: { readonly error?: unknown }): void
}

export async function runWithBudget<T>(run: (signal: AbortSignal) => T | Promise<T>, budget: RunBudget): Promise<T> {
  const { tool, budgetMs, graceMs, signal, clock } = budget
  if (signal.aborted) throw createCancellation(tool, signal.reason)
  const controller = new AbortController()
  const stopped = Promise.withResolvers<ToolError>()
  const stop = (reason: ToolError): void => {
    if (controller.signal.aborted) return
    controller.abort(reason)
    stopped.resolve(reason)
  }
  const onAbort = (): void => stop(createCancellation(tool, signal.reason))
  const timer = clock.setBackgroundTimer(budgetMs, () =>
    stop(new ToolError('E_TIMEOUT', `${tool} took longer than its ${formatMs(budgetMs)}`, { details: { budgetMs } })),
  )
  signal.addEventListener('abort', onAbort, { once: true })
  const running = startRun(run, controller.signal)
  try {
    const first = await Promise.race([running.then(() => undefined), stopped.promise])
    return first === undefined
      ? await running
      : await afterStop(running, first, { graceMs, clock, onLate: budget.onLate })
  } finally {
    timer.cancel()
    signal.removeEventListener('abort', onAbort)
  }
}

/** A function that throws at once has failed like one that rejects. */
async function startRun<T>(run: (signal: AbortSignal) => T | Promise<T>, signal: AbortSignal): Promise<T> {
  return run(signal)
}

async function afterStop<T>(
  running: Promise<T>,
  reason: ToolError,
  { graceMs, clock, onLate }: Pick<RunBudget, 'graceMs' | 'clock' | 'onLate'>,
): Promise<T> {
  const grace = Promise.withResolvers<'over'>()
  const timer = clock.setBackgroundTimer(graceMs, () => grace.resolve('over'))
  try {
    const first = await Promise.race([running.then(() => 'ended' as const), grace.promise])
    if (first === 'ended') return await running
  } catch (error) {
    throw isAbort(error) ? reason : error
  } finally {
    timer.cancel()
  }
  running.then(
    () => onLate({}),
    (error: unknown) => onLate({ error }),
  )
  throw new ToolError(reason.code, `${reason.message}; it did not stop when it was told to and may still be running`, {
    details: { ...reason.details, stillRunning: true },
  })
}

/** What Node's own functions throw when their signal is aborted without a reason of ours. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function createCancellation(tool: string, reason: unknown): ToolError {
  const why = reason instanceof Error && reason.message !== '' ? `: ${reason.message}` : ''
  return new ToolError('E_CANCELLED', `${tool} was cancelled${why}`, { cause: reason })
}

function formatMs(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
