import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugStepIntoData, DebugStepIntoParams } from '../generated/types.ts'
import { step } from '../tool-steps/resume.ts'

export function run(params: DebugStepIntoParams, context: DebugContext): Promise<ToolOutcome<DebugStepIntoData>> {
  return step(context, params, 'into')
}
