import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { BreakpointClearProjectData, BreakpointClearProjectParams } from '../generated/types.ts'
import { showBreakpoints } from '../window/show-breakpoints.ts'

export async function run(
  _params: BreakpointClearProjectParams,
  context: DebugContext,
): Promise<ToolOutcome<BreakpointClearProjectData>> {
  const desk = deskOf(context)
  const files = desk.breakpoints.files()
  const cleared = files.reduce((sum, file) => sum + desk.breakpoints.clearFile(file), 0)
  await Promise.all(files.map((file) => desk.syncBreakpoints(file)))
  for (const file of files) await showBreakpoints(context, file)
  return { data: { cleared }, text: `removed ${cleared}` }
}
