import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugContinueParams } from '../generated/types.ts'
import { runOn } from '../running/resume.ts'
import type { Snapshot } from '../snapshot/take-snapshot.ts'

export function run(params: DebugContinueParams, context: DebugContext): Promise<ToolOutcome<Snapshot>> {
  return runOn(context, params)
}
