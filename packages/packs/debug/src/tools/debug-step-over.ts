import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugStepOverParams } from '../generated/types.ts'
import { step } from '../running/resume.ts'
import type { Snapshot } from '../snapshot/take-snapshot.ts'

export function run(params: DebugStepOverParams, context: DebugContext): Promise<ToolOutcome<Snapshot>> {
  return step(context, params, 'over')
}
