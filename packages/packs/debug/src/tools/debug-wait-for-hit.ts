import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugWaitForHitData, DebugWaitForHitParams } from '../generated/types.ts'
import { answer, waitForStop } from '../tool-steps/answer.ts'

export async function run(
  params: DebugWaitForHitParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugWaitForHitData>> {
  const { sessionId, timeoutMs } = params
  const desk = deskOf(context)
  const session = sessionId === undefined ? undefined : desk.find(sessionId)
  const candidates = session === undefined ? desk.live : desk.treeOf(session)
  const current = session ?? desk.find(undefined)
  const isWaiting = candidates.some((one) => one.state === 'running' || one.unreported !== undefined)
  const stop = current.currentStop
  if (!isWaiting && stop !== undefined) return answer(context, { kind: 'stopped', session: current, stop })
  const outcome = await waitForStop(context, session, timeoutMs)
  if (outcome.kind !== 'running') return answer(context, outcome)
  throw new ToolError('E_TIMEOUT', `No breakpoint was hit in ${outcome.waitedMs} ms; the program is still running`, {
    details: {
      waitedMs: outcome.waitedMs,
      ...(outcome.session === undefined ? {} : { sessionId: outcome.session.id }),
    },
  })
}
