/** The tool debug_trace_function: to the wanted call, along it, and back to how things were. */
import { readFileSync } from 'node:fs'
import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { DebugTraceFunctionData, DebugTraceFunctionParams } from '../generated/types.ts'
import { checkLine } from '../running/check-line.ts'
import { throwOnConditionFailure } from '../session/condition-failure.ts'
import { DebugError } from '../session/debug-error.ts'
import type { BreakpointRequest, BreakpointState } from '../session/debug-session.ts'
import { toRequest } from '../sessions/breakpoint-store.ts'
import type { StartRequest } from '../sessions/start-request.ts'
import { showText } from '../snapshot/show-value.ts'
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
      showSecrets: context.host.showSecrets,
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
  if (name === undefined) throw new DebugError('E_INVALID_PARAMS', 'debug_trace_function needs function or line')
  const text = readFileSync(path, 'utf8')
  const found = findFunction(path, text, name)
  if (found !== undefined) return found.body
  const known = listFunctions(path, text).slice(0, 20)
  const others = known.length === 0 ? '' : `; it has ${known.join(', ')}`
  throw new DebugError('E_FUNCTION_NOT_FOUND', `${paths.show(path)} has no function "${name}"${others}`)
}

function traceInRun(context: DebugContext, aim: Aim, request: StartRequest): Promise<Outcome> {
  const { how } = request
  // Python shows what a call returned only when it is told to.
  const showing = { ...request, how: { ...how, options: { showReturnValue: true, ...how.options } } }
  return withPrivateSession(context, { request: showing, paths: aim.paths }, async (session) => {
    const watch = new SessionWatch(session)
    try {
      const states = await session.setBreakpoints(aim.path, [aim.breakpoint])
      const mode = session.capabilities.exceptions.includes('uncaught') ? 'uncaught' : undefined
      if (mode !== undefined) await session.setExceptionMode(mode)
      await session.run({ signal: context.signal })
      const stop = await waitForCall(watch, aim, states)
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
  const watch = new SessionWatch(session)
  try {
    const states = await session.setBreakpoints(aim.path, [...own.map(toRequest), aim.breakpoint])
    const standing = managed.currentStop
    if (standing !== undefined) {
      await desk.resume(managed, standing, () => session.continue(standing.threadId))
    }
    const stop = await waitForCall(watch, aim, states)
    await desk.syncBreakpoints(aim.path)
    return toOutcome(await traceFunction(watch, stop, aim.budget), aim, watch.tail)
  } finally {
    watch.dispose()
    if (!session.isEnded) await desk.syncBreakpoints(aim.path)
    // The stops on the way are told here; the next wait is for what comes after.
    if (managed.unreported !== undefined) managed.report(managed.unreported)
  }
}

async function waitForCall(watch: SessionWatch, aim: Aim, states: readonly BreakpointState[]): Promise<WatchedStop> {
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
    throw await notCalled(next, aim, states, watch.tail)
  }
}

async function notCalled(
  next: Exclude<Awaited<ReturnType<SessionWatch['next']>>, undefined>,
  aim: Aim,
  states: readonly BreakpointState[],
  output: string,
): Promise<DebugError> {
  const { paths, path, breakpoint } = aim
  const place = `${paths.show(path)}:${breakpoint.line}`
  const printed = showOutput(output, aim)
  const said = printed === '' ? '' : ` It printed: ${printed}`
  if (next.kind === 'timeout')
    return new DebugError('E_TIMEOUT', `The time was over before ${place} was reached.${said}`)
  if (next.kind === 'stopped') {
    const info = await next.session.exceptionInfo(next.threadId).catch(() => undefined)
    const what = info === undefined ? next.text : `${info.type}: ${info.message}`
    return new DebugError('E_NOT_CALLED', `The program threw ${what} before ${place} was reached.${said}`)
  }
  const unbound = states.find(({ verified, message }) => !verified && message !== undefined)?.message
  const why = unbound === undefined ? '' : ` (${unbound})`
  const code = next.exitCode === undefined || next.exitCode === null ? '' : ` with exit code ${next.exitCode}`
  return new DebugError('E_NOT_CALLED', `The program ended${code} and never reached ${place}${why}.${said}`)
}

function showOutput(output: string, { paths, budget: { showSecrets } }: Aim): string {
  return showText(output, { paths, showSecrets }).trim().slice(-MAX_OUTPUT)
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
