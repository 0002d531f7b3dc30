/** Runs one test under the debugger until it stops where it matters, or has come to its end. */
import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { WaitOutcome } from '../desk/debug-desk.ts'
import type { Snapshot } from '../generated/types.ts'
import { answer, waitForStop } from '../tool-steps/answer.ts'
import { startSessions } from '../tool-steps/start-sessions.ts'
import { isFailureStop } from './failure-stop.ts'
import { judgeRun, type TestVerdict } from './judge-run.ts'
import type { ResolvedTest } from './resolve-test.ts'

export interface TestRun {
  readonly outcome: 'stopped' | 'running' | TestVerdict | 'ended'
  readonly snapshot: Snapshot
  readonly text: string
}

const FRAMES = 40

export async function debugTest(
  context: DebugContext,
  { framework, request }: ResolvedTest,
  { timeoutMs, stopOnFailure }: { timeoutMs: number; stopOnFailure: boolean },
): Promise<TestRun> {
  const desk = deskOf(context)
  const begun = performance.now()
  const left = (): number => Math.max(100, timeoutMs - (performance.now() - begun))
  const wish = stopOnFailure ? request : { ...request, exceptions: 'none' as const }
  const { data } = await startSessions(context, [wish], { paths: pathsOf(context), wait: false, timeoutMs })
  const started = desk.sessions.find(({ id }) => id === data.sessionId)
  let outcome = await waitForStop(context, started, left())
  while (outcome.kind === 'stopped' && !(await isWorthStopping(context, outcome))) {
    const { session, stop } = outcome
    await desk.resume(session, stop, () => session.session.continue(stop.threadId))
    outcome = await waitForStop(context, started, left())
  }
  return toRun(framework, outcome, await answer(context, outcome, { hints: true }))
}

function toRun(
  framework: ResolvedTest['framework'],
  { kind }: WaitOutcome,
  { data, text = '' }: ToolOutcome<Snapshot>,
): TestRun {
  if (kind !== 'ended' || data.event !== 'terminated') {
    return { outcome: kind === 'stopped' ? 'stopped' : 'running', snapshot: data, text }
  }
  // An extension knows how its test went, and tells nobody but the person.
  if (framework === 'vscode') return { outcome: 'ended', snapshot: data, text }
  return { outcome: judgeRun(framework, data.exitCode, data.output ?? ''), snapshot: data, text }
}

/** Exceptions that the code under test handles by itself are passed over. */
async function isWorthStopping(
  { signal }: DebugContext,
  { session: { session }, stop }: WaitOutcome & { kind: 'stopped' },
): Promise<boolean> {
  if (!stop.reason.includes('exception')) return true
  const [info, { frames }] = await Promise.all([
    session.exceptionInfo(stop.threadId).catch(() => undefined),
    session.stack(stop.threadId, { start: 0, count: FRAMES }, { signal }),
  ])
  return isFailureStop(info, frames)
}
