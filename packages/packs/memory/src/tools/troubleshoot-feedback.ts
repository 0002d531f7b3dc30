import { ToolError, type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import type { TroubleshootFeedbackData, TroubleshootFeedbackParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { describeSuccess } from '../remediations/remediation.ts'

export async function run(
  { sessionId, patternId, worked }: TroubleshootFeedbackParams,
  { host }: Context,
): Promise<ToolOutcome<TroubleshootFeedbackData>> {
  if ((sessionId === undefined) === (patternId === undefined)) {
    throw new WrongArguments([{ field: 'sessionId', problem: 'or patternId must be given, and not both' }])
  }
  const pattern = patternId ?? (await host.patternCounts.end(sessionId ?? '', worked))
  const { patterns } = await host.loadMatcher()
  if (!patterns.some(({ id }) => id === pattern)) {
    throw new ToolError('E_PATTERN_NOT_FOUND', `There is no pattern ${pattern}`)
  }
  const count = await host.patternCounts.tell(pattern, worked)
  const data = {
    patternId: pattern,
    worked: count.worked,
    failed: count.failed,
    successRate: count.worked / (count.worked + count.failed),
  }
  const next = worked ? '' : ' When you know what helps, keep it with remediation_save.'
  return { data, text: `Noted: ${pattern} ${describeSuccess(count)}.${next}` }
}
