import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { BreakpointListData, BreakpointListParams } from '../generated/types.ts'
import { formatBreakpoint, showBreakpoint } from '../tool-steps/set-breakpoint.ts'

export function run(_params: BreakpointListParams, context: DebugContext): ToolOutcome<BreakpointListData> {
  const desk = deskOf(context)
  const paths = pathsOf(context)
  const breakpoints = desk.breakpoints.list().map((stored) => showBreakpoint(desk, paths, stored))
  return {
    data: { breakpoints, total: breakpoints.length },
    text: breakpoints.length === 0 ? 'no breakpoints' : breakpoints.map(formatBreakpoint).join('\n'),
  }
}
