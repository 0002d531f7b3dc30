import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import { rootOf } from '../desk/debug-desk.ts'
import type { DebugRestartData, DebugRestartParams } from '../generated/types.ts'
import { startSessions } from '../tool-steps/start-sessions.ts'

/** Also of a session that has ended: that is what one does with a program that has run through. */
export async function run(
  { sessionId, timeoutMs }: DebugRestartParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugRestartData>> {
  const begun = performance.now()
  const desk = deskOf(context)
  const ended = sessionId === undefined && desk.current === undefined ? desk.sessions.at(-1) : undefined
  const named = desk.sessions.find(({ id }) => id === sessionId)
  const root = rootOf(ended ?? named ?? desk.find(sessionId))
  const { request, paths, id } = root
  if (request === undefined) throw new ToolError('E_NO_SESSION', `${id} cannot be started anew`)
  await desk.end(root)
  return startSessions(context, [request], { paths, id, timeoutMs, begun, wait: true })
}
