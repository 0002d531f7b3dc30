import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { BreakpointRemoveData, BreakpointRemoveParams } from '../generated/types.ts'
import { showBreakpoints } from '../window/show-breakpoints.ts'

export async function run(
  { path, line }: BreakpointRemoveParams,
  context: DebugContext,
): Promise<ToolOutcome<BreakpointRemoveData>> {
  const desk = deskOf(context)
  const paths = pathsOf(context)
  const file = paths.resolveReal(path)
  const shown = paths.show(file)
  if (!desk.breakpoints.remove(file, line)) {
    const lines = desk.breakpoints.of(file).map((breakpoint) => breakpoint.line)
    const where = lines.length === 0 ? 'the file has none' : `there is one on line ${lines.join(', ')}`
    throw new ToolError('E_NOT_FOUND', `There is no breakpoint on ${shown}:${line}; ${where}`, { details: { lines } })
  }
  await desk.syncBreakpoints(file)
  await showBreakpoints(context, file)
  return { data: { path: shown, line, removed: true }, text: `removed ${shown}:${line}` }
}
