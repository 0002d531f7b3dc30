import { ToolError } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { ManagedSession, Stop } from '../desk/managed-session.ts'

/** The one that a call names, else the one that the last snapshot was about, else the innermost. */
export async function findFrame(
  { signal }: DebugContext,
  managed: ManagedSession,
  stop: Stop,
  wanted: number | undefined,
  options: { readonly timeout?: number } = {},
): Promise<number> {
  if (wanted !== undefined) return wanted
  if (managed.shown?.stop === stop) return managed.shown.frameId
  const { frames } = await managed.session.stack(stop.threadId, { start: 0, count: 1 }, { signal, ...options })
  const [top] = frames
  if (top === undefined) throw new ToolError('E_STALE_REFERENCE', `Thread ${stop.threadId} has no frames here`)
  return top.id
}
