import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugTraceFunctionData, DebugTraceFunctionParams } from '../generated/types.ts'
import { runTrace } from '../trace/run-trace.ts'

export function run(
  params: DebugTraceFunctionParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugTraceFunctionData>> {
  return runTrace(params, context)
}
