import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { BreakpointClearFileData, BreakpointClearFileParams } from '../generated/types.ts'
import { showBreakpoints } from '../window/show-breakpoints.ts'

export async function run(
  { path }: BreakpointClearFileParams,
  context: DebugContext,
): Promise<ToolOutcome<BreakpointClearFileData>> {
  const desk = deskOf(context)
  const paths = pathsOf(context)
  const file = paths.resolveReal(path)
  const cleared = desk.breakpoints.clearFile(file)
  if (cleared > 0) await desk.syncBreakpoints(file)
  if (cleared > 0) await showBreakpoints(context, file)
  const shown = paths.show(file)
  return { data: { path: shown, cleared }, text: `removed ${cleared} of ${shown}` }
}
