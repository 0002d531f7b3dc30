/** Which debugger a call means: ours, without any editor, or that of the VS Code window that the agent belongs to. */
import { askBridge, describeHealth, readBridgeHealth } from '@switchboard/bridge'
import { REQUIREMENTS, ToolError } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugEngine } from '../engine/debug-session.ts'
import type { WindowAccess } from './window-connection.ts'
import type { WindowStart } from './window-engine.ts'

export type BackendName = 'headless' | 'vscode'

const FAREWELL_MS = 2_000

/** Undefined: headless. Throws E_BRIDGE_UNAVAILABLE where the window is meant and there is none. */
export async function findWindow(
  { host, call, workspace }: DebugContext,
  said: BackendName | undefined,
): Promise<WindowAccess | undefined> {
  if ((said ?? host.backend) === 'headless') return undefined
  const { code, message } = REQUIREMENTS.vscode
  if (workspace === undefined) throw new ToolError(code, message)
  const { instance } = call.caller
  const health = await readBridgeHealth(workspace, instance)
  if (health.state !== 'healthy') throw new ToolError(code, describeHealth(health))
  return { workspace, instance, traceId: call.traceId }
}

/**
 * For what stays: the breakpoints of the agent are those of its sessions. From now on they stand in the editor, also between
 * programs and until the agent is gone.
 */
export function withOwner(context: DebugContext, window: WindowAccess | undefined): WindowAccess | undefined {
  if (window === undefined) return undefined
  const owner = ownerIn(context)
  const { workspace, instance } = window
  deskOf(context).showIn(async () => {
    const { signal } = new AbortController()
    const how = { params: { owner }, timeout: FAREWELL_MS, signal }
    await askBridge({ workspace, instance, scriptName: 'breakpoint.forget', ...how })
  })
  return { ...window, owner }
}

/** Who the agent is to its window. */
function ownerIn(context: DebugContext): string {
  return `agent-${deskOf(context).owner}`
}

/** Loaded only where a window is meant. */
export async function throughWindow(
  base: DebugEngine | undefined,
  window: WindowAccess,
  start?: WindowStart,
): Promise<DebugEngine> {
  const { createWindowEngine } = await import('./window-engine.ts')
  return createWindowEngine(base, window, start)
}
