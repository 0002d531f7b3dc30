import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { DebugStartData, DebugStartParams } from '../generated/types.ts'
import { createResolveContext, resolveStart } from '../launch/resolve-start.ts'
import { checkLine } from '../tool-steps/check-line.ts'
import { storeBreakpoints } from '../tool-steps/set-breakpoint.ts'
import { startSessions } from '../tool-steps/start-sessions.ts'
import { findWindow, withOwner } from '../window/choose-backend.ts'

export async function run(params: DebugStartParams, context: DebugContext): Promise<ToolOutcome<DebugStartData>> {
  const begun = performance.now()
  const paths = pathsOf(context)
  const desk = deskOf(context)
  const needsWindow = params.attach?.editor === true || params.backend === 'vscode'
  const window = withOwner(context, await findWindow(context, needsWindow ? 'vscode' : params.backend))
  const requests = await resolveStart(params, createResolveContext(context, window))
  const until = params.until === undefined ? undefined : toTarget(params.until)
  storeBreakpoints(desk, paths, params.breakpoints)
  return startSessions(context, requests, { ...params, paths, until, begun })

  function toTarget({ path, line, condition }: NonNullable<DebugStartParams['until']>) {
    const file = paths.resolveFile(path ?? params.program ?? '')
    checkLine(file, line, paths)
    return { path: file, line, ...(condition === undefined ? {} : { condition }) }
  }
}
