/** The breakpoints of an agent that debugs in a window stand in its editor, also while no program runs. */
import { ToolError } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import { deskOf } from '../debug-host.ts'
import { askWindow } from '../tool-steps/ask-window.ts'
import { type BackendName, findWindow, withOwner } from './choose-backend.ts'

/** Of one file. `backend`: what the call says; an agent that has shown some goes on doing so, as long as the window is there. */
export async function showBreakpoints(context: DebugContext, path: string, backend?: BackendName): Promise<void> {
  const desk = deskOf(context)
  const isAsked = backend !== undefined || context.host.backend !== 'headless'
  if (!isAsked && !desk.isShown) return
  const window = await findWindow(context, desk.isShown && backend === undefined ? 'vscode' : backend).catch(
    (error: unknown) => {
      // With the window its editor is gone, and what was shown in it.
      if (isAsked || !(error instanceof ToolError)) throw error
      return undefined
    },
  )
  const shown = withOwner(context, window)
  if (shown === undefined) return
  // A program that runs there has told it already, in the words of its debugger.
  if (desk.live.some(({ request }) => request?.engine.backend === 'vscode')) return
  const breakpoints = desk.breakpoints.of(path).map(({ id: _, path: __, ...rest }) => rest)
  await askWindow(context, 'breakpoint.set', { owner: shown.owner ?? '', path, breakpoints, pid: process.pid })
}
