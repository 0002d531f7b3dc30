/** The breakpoints of an agent that debugs in a window stand in its editor, also while no program runs. */
import { askBridge } from '@switchboard/bridge'
import type { DebugContext } from '../debug-host.ts'
import { deskOf } from '../debug-host.ts'
import { askWindow } from '../tool-steps/ask-window.ts'
import { type BackendName, findWindow, ownerIn } from './choose-backend.ts'

const FAREWELL_MS = 2_000

/** Of one file. `backend`: what the call says; an agent that has shown some goes on doing so. */
export async function showBreakpoints(context: DebugContext, path: string, backend?: BackendName): Promise<void> {
  const desk = deskOf(context)
  if (backend === undefined && context.host.backend === 'headless' && !desk.isShown) return
  const window = await findWindow(context, desk.isShown && backend === undefined ? 'vscode' : backend)
  if (window === undefined) return
  const owner = ownerIn(context)
  const { workspace, instance } = window
  desk.showIn(async () => {
    const { signal } = new AbortController()
    await askBridge({
      workspace,
      instance,
      scriptName: 'breakpoint.forget',
      params: { owner },
      timeout: FAREWELL_MS,
      signal,
    })
  })
  // A program that runs there has told it already, in the words of its debugger.
  if (desk.live.some(({ request }) => request?.engine.backend === 'vscode')) return
  const breakpoints = desk.breakpoints.of(path).map(({ id: _, path: __, ...rest }) => rest)
  await askWindow(context, 'breakpoint.set', { owner, path, breakpoints, pid: process.pid })
}
