import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugStepOutData, DebugStepOutParams } from '../generated/types.ts'
import { step } from '../tool-steps/resume.ts'

export function run(params: DebugStepOutParams, context: DebugContext): Promise<ToolOutcome<DebugStepOutData>> {
  return step(context, params, 'out')
}
