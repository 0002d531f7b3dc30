import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugPauseData, DebugPauseParams } from '../generated/types.ts'
import { answer, waitAndAnswer } from '../tool-steps/answer.ts'
import { inTime } from '../tool-steps/in-time.ts'

export async function run(params: DebugPauseParams, context: DebugContext): Promise<ToolOutcome<DebugPauseData>> {
  const session = deskOf(context).find(params.sessionId)
  const stop = session.stopOf(params.threadId)
  if (stop !== undefined) {
    session.report(stop)
    return answer(context, { kind: 'stopped', session, stop })
  }
  await inTime(context, params.timeoutMs, 'the pause', session.session.pause(params.threadId))
  return waitAndAnswer(context, session, params)
}
