import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugEvaluateData, DebugEvaluateParams } from '../generated/types.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'
import { formatVariable, showVariable } from '../variables/show-variable.ts'

export async function run(params: DebugEvaluateParams, context: DebugContext): Promise<ToolOutcome<DebugEvaluateData>> {
  const { session, stop } = findStopped(context, params)
  const frameId = await findFrame(context, session, stop, params.frameId, { timeout: params.timeoutMs })
  const found = await session.session.evaluate(
    params.expression,
    { context: params.context, ...(frameId === undefined ? {} : { frameId }) },
    { signal: context.signal, timeout: params.timeoutMs },
  )
  const shown = showVariable(context, { ...found, name: params.expression })
  return { data: { ...shown, result: shown.value }, text: formatVariable({ ...shown, name: '' }) }
}
