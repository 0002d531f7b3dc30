import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugStepOverData, DebugStepOverParams } from '../generated/types.ts'
import { step } from '../tool-steps/resume.ts'

export function run(params: DebugStepOverParams, context: DebugContext): Promise<ToolOutcome<DebugStepOverData>> {
  return step(context, params, 'over')
}
