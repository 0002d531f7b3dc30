/** The tool debug_trace_function: to the wanted call, along it, and back to how things were. */
import { ToolError, type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import { toRequest } from '../desk/breakpoint-store.ts'
import type { StartRequest } from '../desk/start-request.ts'
import { throwOnConditionFailure } from '../engine/condition-failure.ts'
import type { BreakpointRequest, BreakpointState, DebugSession } from '../engine/debug-session.ts'
import type { DebugTraceFunctionData, DebugTraceFunctionParams } from '../generated/types.ts'
import { showText } from '../snapshot/show-value.ts'
import { checkLine } from '../tool-steps/check-line.ts'
import { readSourceTextOf } from '../workspace/source-text.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { findFunction, listFunctions } from './find-function.ts'
import { withPrivateSession } from './private-session.ts'
import { resolveTarget } from './resolve-target.ts'
import { SessionWatch, type WatchedStop } from './session-watch.ts'
import { describeTrace, type FunctionTrace, type TraceBudget, traceFunction } from './trace-function.ts'

type Outcome = ToolOutcome<DebugTraceFunctionData>

interface Aim {
  readonly paths: WorkspacePaths
  readonly path: string
  readonly breakpoint: BreakpointRequest
  readonly budget: TraceBudget
}

const BREAKPOINT_ID = 'trace'
/** Kept of a call's time for what comes after the wait. */
const RESERVE_MS = 1_500
const MAX_OUTPUT = 300

export async function runTrace(params: DebugTraceFunctionParams, context: DebugContext): Promise<Outcome> {
  const paths = pathsOf(context)
  const path = paths.resolveFile(params.path)
  const timeoutMs = Math.min(params.timeoutMs, context.budgetMs - RESERVE_MS)
  const aim: Aim = {
    paths,
    path,
    breakpoint: {
      id: BREAKPOINT_ID,
      line: findLine(params, path, paths),
      ...(params.condition === undefined ? {} : { condition: params.condition }),
      ...(params.call === 1 ? {} : { hitCondition: `== ${params.call}` }),
    },
    budget: {
      signal: context.signal,
      deadline: performance.now() + timeoutMs,
      maxSteps: params.maxSteps,
      maxBytes: params.maxBytes,
      masking: context.host.masking,
    },
  }
  const target = await resolveTarget(context, params)
  return target === undefined ? traceInSession(params, context, aim) : traceInRun(context, aim, target)
}

function findLine({ function: name, line }: DebugTraceFunctionParams, path: string, paths: WorkspacePaths): number {
  if (line !== undefined) {
    checkLine(path, line, paths)
    return line
  }
  if (name === undefined) throw new WrongArguments([{ field: '', problem: 'need function or line' }])
  const text = readSourceTextOf(path, paths)
  const found = findFunction(path, text, name)
  if (found !== undefined) return found.body
  const known = listFunctions(path, text).slice(0, 20)
  const others = known.length === 0 ? '' : `; it has ${known.join(', ')}`
  throw new ToolError('E_FUNCTION_NOT_FOUND', `${paths.show(path)} has no function "${name}"${others}`)
}

function traceInRun(context: DebugContext, aim: Aim, request: StartRequest): Promise<Outcome> {
  const { how } = request
  // Python shows what a call returned only when it is told to.
  const showing = { ...request, how: { ...how, options: { showReturnValue: true, ...how.options } } }
  return withPrivateSession(context, { request: showing, paths: aim.paths }, async (session) => {
    const failures: string[] = []
    const watch = watchFailures(session, failures)
    try {
      const states = await session.setBreakpoints(aim.path, [aim.breakpoint])
      const mode = session.capabilities.exceptions.includes('uncaught') ? 'uncaught' : undefined
      if (mode !== undefined) await session.setExceptionMode(mode)
      await session.run({ signal: context.signal })
      const stop = await waitForCall(watch, aim, { states, failures })
      await stop.session.setBreakpoints(aim.path, [])
      return toOutcome(await traceFunction(watch, stop, aim.budget), aim, watch.tail)
    } finally {
      watch.dispose()
    }
  })
}

/** The session goes on until the call; it is left standing where the trace ended, with its own breakpoints. */
async function traceInSession(
  { sessionId }: DebugTraceFunctionParams,
  context: DebugContext,
  aim: Aim,
): Promise<Outcome> {
  const desk = deskOf(context)
  const managed = desk.find(sessionId)
  const { session } = managed
  const own = desk.breakpoints.of(aim.path).filter(({ line }) => line !== aim.breakpoint.line)
  const failures: string[] = []
  const watch = watchFailures(session, failures)
  try {
    const states = await session.setBreakpoints(aim.path, [...own.map(toRequest), aim.breakpoint])
    const standing = managed.currentStop
    if (standing !== undefined) {
      await desk.resume(managed, standing, () => session.continue(standing.threadId))
    }
    const stop = await waitForCall(watch, aim, { states, failures })
    await desk.syncBreakpoints(aim.path)
    return toOutcome(await traceFunction(watch, stop, aim.budget), aim, watch.tail)
  } finally {
    watch.dispose()
    if (!session.isEnded) await desk.syncBreakpoints(aim.path)
    // The stops on the way are told here; the next wait is for what comes after.
    if (managed.unreported !== undefined) managed.report(managed.unreported)
  }
}

interface Known {
  readonly states: readonly BreakpointState[]
  /** Of the condition; filled while it is waited. */
  readonly failures: readonly string[]
}

function watchFailures(session: DebugSession, failures: string[]): SessionWatch {
  return new SessionWatch(session, (event) => {
    if (event.type === 'conditionFailed' && event.breakpointId === BREAKPOINT_ID) failures.push(event.why)
  })
}

async function waitForCall(watch: SessionWatch, aim: Aim, known: Known): Promise<WatchedStop> {
  const { signal, deadline } = aim.budget
  while (true) {
    const next = await watch.next(signal, deadline - performance.now())
    if (next.kind === 'stopped' && next.breakpointIds.includes(BREAKPOINT_ID)) {
      const { frames } = await next.session.stack(next.threadId, { start: 0, count: 1 }, { signal })
      await throwOnConditionFailure(next.session, frames[0]?.id, { ...aim.breakpoint, path: aim.path }, { signal })
      return next
    }
    if (next.kind === 'stopped' && next.reason !== 'exception') {
      await next.session.continue(next.threadId)
      continue
    }
    throw await notCalled(next, aim, known, watch.tail)
  }
}

async function notCalled(
  next: Exclude<Awaited<ReturnType<SessionWatch['next']>>, undefined>,
  aim: Aim,
  { states, failures: [failure] }: Known,
  output: string,
): Promise<ToolError> {
  const { paths, path, breakpoint } = aim
  const place = `${paths.show(path)}:${breakpoint.line}`
  const printed = showOutput(output, aim)
  const said = printed === '' ? '' : ` It printed: ${printed}`
  if (next.kind === 'timeout')
    return new ToolError('E_TIMEOUT', `The time was over before ${place} was reached.${said}`)
  if (next.kind === 'stopped') {
    const info = await next.session.exceptionInfo(next.threadId).catch(() => undefined)
    const what = info === undefined ? next.text : `${info.type}: ${info.message}`
    return new ToolError('E_NOT_CALLED', `The program threw ${what} before ${place} was reached.${said}`)
  }
  if (failure !== undefined) {
    const why = showOutput(failure, aim)
    return new ToolError('E_NOT_CALLED', `${place} was reached, and its condition failed: ${why}.${said}`)
  }
  const unbound = states.find(({ verified, message }) => !verified && message !== undefined)?.message
  const why = unbound === undefined ? '' : ` (${unbound})`
  const code = next.exitCode === undefined || next.exitCode === null ? '' : ` with exit code ${next.exitCode}`
  return new ToolError('E_NOT_CALLED', `The program ended${code} and never reached ${place}${why}.${said}`)
}

function showOutput(output: string, { paths, budget: { masking } }: Aim): string {
  return showText(output, { paths, masking }).trim().slice(-MAX_OUTPUT)
}

function toOutcome(trace: FunctionTrace, aim: Aim, output: string): Outcome {
  const { paths, path } = aim
  const { name, arguments: args, steps, outcome, returned } = trace
  const text = trace.text === undefined ? undefined : showOutput(trace.text, aim)
  const printed = showOutput(output, aim)
  return {
    data: {
      function: name,
      path: paths.show(path),
      arguments: args,
      steps: steps.map(({ line, changed }) => ({ line, changed })),
      outcome,
      ...(returned === undefined ? {} : { returned }),
      ...(text === undefined ? {} : { exception: text }),
      ...(printed === '' ? {} : { output: printed }),
    },
    text: `${paths.show(path)} ${describeTrace({ ...trace, ...(text === undefined ? {} : { text }) })}`,
  }
}
