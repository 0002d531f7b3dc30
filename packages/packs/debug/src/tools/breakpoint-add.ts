import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { BreakpointAddData, BreakpointAddParams } from '../generated/types.ts'
import { formatBreakpoint, showBreakpoint, storeBreakpoint } from '../tool-steps/set-breakpoint.ts'
import { showBreakpoints } from '../window/show-breakpoints.ts'

export async function run(params: BreakpointAddParams, context: DebugContext): Promise<ToolOutcome<BreakpointAddData>> {
  const desk = deskOf(context)
  const paths = pathsOf(context)
  const { backend, ...wish } = params
  const stored = storeBreakpoint(desk, paths, wish)
  try {
    await desk.syncBreakpoints(stored.path)
    await showBreakpoints(context, stored.path, backend)
  } catch (error) {
    // What an engine refuses is not kept either: it would refuse the next session as well.
    desk.breakpoints.remove(stored.path, stored.line)
    throw error
  }
  const breakpoint = showBreakpoint(desk, paths, stored)
  return { data: { breakpoint }, text: formatBreakpoint(breakpoint) }
}
