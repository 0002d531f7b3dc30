/**
 * Engines stop where a condition cannot be evaluated at all: it names what is not there, or is no expression. That is told,
 * for otherwise a person takes the stop for one where the condition held.
 */
import { ToolError } from '@switchboard/toolkit'
import type { DebugSession, EngineRequestOptions } from './debug-session.ts'

const LIMIT_MS = 1_000

/** Why the condition of a breakpoint that stopped in this frame fails; undefined when it does not. */
export async function findConditionFailure(
  session: DebugSession,
  frameId: number,
  condition: string,
  { signal, timeout = LIMIT_MS }: EngineRequestOptions,
): Promise<string | undefined> {
  try {
    await session.evaluate(condition, { frameId, context: 'watch' }, { ...(signal && { signal }), timeout })
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof ToolError && error.code === 'E_EVALUATE_FAILED' ? describeFailure(error) : undefined
  }
}

/** For a run that only makes sense where the condition holds. Throws E_BREAKPOINT_INVALID. */
export async function throwOnConditionFailure(
  session: DebugSession,
  frameId: number | undefined,
  { path, line, condition }: { readonly path: string; readonly line: number; readonly condition?: string },
  options: EngineRequestOptions,
): Promise<void> {
  if (frameId === undefined || condition === undefined) return
  const why = await findConditionFailure(session, frameId, condition, options)
  if (why === undefined) return
  throw new ToolError('E_BREAKPOINT_INVALID', `The condition "${condition}" fails at ${path}:${line}: ${why}`)
}

/** Without the expression, which whoever asked knows. */
export function describeFailure({ message }: Error): string {
  return message.replace(/^".*" does not evaluate: /s, '').trim()
}
