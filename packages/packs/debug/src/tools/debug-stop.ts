import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import { type DebugDesk, rootOf } from '../desk/debug-desk.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { DebugStopData, DebugStopParams } from '../generated/types.ts'
import { takeSnapshot } from '../snapshot/take-snapshot.ts'

export async function run(
  { sessionId, all, kill }: DebugStopParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugStopData>> {
  const { signal, host } = context
  const desk = deskOf(context)
  const sessions = all === true ? desk.live.filter(({ parent }) => parent === undefined) : withGroup(desk, sessionId)
  await Promise.all(sessions.map((session) => desk.end(session, kill === undefined ? {} : { kill })))
  const outputs: string[] = []
  for (const session of sessions) {
    const ended = { kind: 'ended', session: rootOf(session) } as const
    const { output } = await takeSnapshot(desk, ended, { signal, masking: host.masking })
    if (output !== undefined) outputs.push(output)
  }
  const output = outputs.join('')
  const ids = sessions.map(({ id }) => id)
  const stopped = describeEnds(sessions, kill)
  return {
    data: {
      status: 'terminated',
      stoppedCount: ids.length,
      stoppedSessions: ids,
      ...(output === '' ? {} : { output }),
    },
    text: output.trim() === '' ? stopped : `${stopped}\nout: ${output.trimEnd().slice(-300)}`,
  }
}

/** Of a compound with `stopAll` the others end as well. */
function withGroup(desk: DebugDesk, sessionId: string | undefined): readonly ManagedSession[] {
  const session = desk.find(sessionId)
  const group = rootOf(session).request?.group
  if (group === undefined) return [session]
  return [session, ...desk.live.filter((other) => other !== session && other.request?.group === group)]
}

/** One that was attached to is let go, unless it was to be ended as well. */
function describeEnds(sessions: readonly ManagedSession[], kill: boolean | undefined): string {
  const isLetGo = ({ request }: ManagedSession): boolean => request?.how.kind === 'attach' && kill !== true
  const [left, ended] = [sessions.filter(isLetGo), sessions.filter((session) => !isLetGo(session))]
  const list = (some: readonly ManagedSession[]): string => some.map(({ id }) => id).join(', ')
  return [
    ...(ended.length === 0 && left.length > 0 ? [] : [`stopped ${list(ended)}`]),
    ...(left.length === 0 ? [] : [`detached from ${list(left)}: the program is left to run on`]),
  ].join('; ')
}
