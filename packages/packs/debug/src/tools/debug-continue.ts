import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugContinueData, DebugContinueParams } from '../generated/types.ts'
import { runOn } from '../tool-steps/resume.ts'

export function run(params: DebugContinueParams, context: DebugContext): Promise<ToolOutcome<DebugContinueData>> {
  return runOn(context, params)
}
