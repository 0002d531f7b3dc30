/** Letting a thread that stands go on: by a step, to the next stop, or to a line. */
import { ToolError, type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { RunTarget } from '../desk/debug-desk.ts'
import type { ManagedSession, Stop } from '../desk/managed-session.ts'
import type { Snapshot } from '../generated/types.ts'
import { answer, waitAndAnswer, waitForStop } from './answer.ts'
import { checkLine } from './check-line.ts'
import { inTime } from './in-time.ts'

export interface ThreadParams {
  readonly sessionId?: string
  readonly threadId?: number
}

export interface UntilParams {
  readonly path?: string
  readonly line?: number
  readonly condition?: string
}

const MAX_STEPS = 2_000

export async function step(
  context: DebugContext,
  params: ThreadParams & { readonly timeoutMs: number },
  kind: 'over' | 'into' | 'out',
): Promise<ToolOutcome<Snapshot>> {
  const { session, stop } = findStopped(context, params)
  const desk = deskOf(context)
  const stepped = desk.resume(session, stop, () => session.session.step(stop.threadId, kind))
  await inTime(context, params.timeoutMs, 'the step', stepped)
  return waitAndAnswer(context, session, params)
}

export async function runOn(
  context: DebugContext,
  params: ThreadParams & { readonly timeoutMs: number; readonly until?: UntilParams },
): Promise<ToolOutcome<Snapshot>> {
  const { session, stop } = findStopped(context, params)
  const { until } = params
  if (until !== undefined && until.path === undefined && until.line === undefined) {
    if (until.condition === undefined) {
      throw new WrongArguments([{ field: 'until', problem: 'needs a line, a condition, or both' }])
    }
    return stepUntil(context, { session, stop, condition: until.condition, timeoutMs: params.timeoutMs })
  }
  const desk = deskOf(context)
  const { timeoutMs } = params
  if (until !== undefined) {
    const target = await resolveUntil(context, session, stop, until)
    await inTime(context, timeoutMs, 'the line to run to', desk.runTo(session, target))
  }
  const continued = desk.resume(session, stop, () => session.session.continue(stop.threadId))
  await inTime(context, timeoutMs, 'going on', continued)
  return waitAndAnswer(context, session, params)
}

/** Throws what requirements have been checked for already, should the program have gone on meanwhile. */
export function findStopped(context: DebugContext, params: ThreadParams): { session: ManagedSession; stop: Stop } {
  const session = deskOf(context).find(params.sessionId)
  const stop = session.stopOf(params.threadId)
  if (stop === undefined) throw new ToolError('E_NOT_PAUSED', `${session.id} is running, not paused`)
  return { session, stop }
}

/** Where the file is not named, it is the one that the program stands in. */
async function resolveUntil(
  context: DebugContext,
  { session, paths }: ManagedSession,
  stop: Stop,
  { path, line, condition }: UntilParams,
): Promise<RunTarget> {
  if (line === undefined)
    throw new WrongArguments([{ field: 'until.line', problem: 'is required where until.path is given' }])
  const file = path === undefined ? await findFile() : pathsOf(context).resolveFile(path)
  checkLine(file, line, paths)
  return { path: file, line, ...(condition === undefined ? {} : { condition }) }

  async function findFile(): Promise<string> {
    const { frames } = await session.stack(stop.threadId, { start: 0, count: 1 }, { signal: context.signal })
    const found = frames[0]?.place?.path
    if (found === undefined)
      throw new WrongArguments([{ field: 'until.path', problem: 'is required: no file is shown here' }])
    return found
  }
}

/** Step by step, until the condition holds after one. Any other stop (a breakpoint, an exception) ends it as well. */
async function stepUntil(
  context: DebugContext,
  wish: { session: ManagedSession; stop: Stop; condition: string; timeoutMs: number },
): Promise<ToolOutcome<Snapshot>> {
  const desk = deskOf(context)
  const end = performance.now() + wish.timeoutMs
  let { session, stop } = wish
  for (let steps = 1; ; steps++) {
    const stepped = desk.resume(session, stop, () => session.session.step(stop.threadId, 'over'))
    await inTime(context, end - performance.now(), 'the step', stepped)
    const outcome = await waitForStop(context, session, Math.max(1, end - performance.now()))
    if (outcome.kind !== 'stopped' || outcome.stop.reason !== 'step') return answer(context, outcome)
    session = outcome.session
    stop = outcome.stop
    const isOver = steps >= MAX_STEPS || performance.now() >= end
    if (isOver || (await holds(context, session, stop, wish.condition))) return answer(context, outcome)
  }
}

/** A name that is not there yet, or not here, is no reason to stop. */
async function holds(
  { signal }: DebugContext,
  { session }: ManagedSession,
  { threadId }: Stop,
  condition: string,
): Promise<boolean> {
  const { frames } = await session.stack(threadId, { start: 0, count: 1 }, { signal })
  const frameId = frames[0]?.id
  if (frameId === undefined) return true
  try {
    const { value } = await session.evaluate(condition, { frameId, context: 'watch' }, { signal, timeout: 2_000 })
    return !/^(?:false|0|null|undefined|None|nil|''|""|NaN)?$/i.test(value.trim())
  } catch (error) {
    if (error instanceof ToolError && error.code === 'E_EVALUATE_FAILED') return false
    throw error
  }
}
