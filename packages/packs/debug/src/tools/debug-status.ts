import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugStatusData, DebugStatusParams } from '../generated/types.ts'
import { describeExit } from '../sessions/debug-desk.ts'
import type { ManagedSession } from '../sessions/managed-session.ts'
import { formatSnapshot } from '../snapshot/format-snapshot.ts'
import { takeSnapshot } from '../snapshot/take-snapshot.ts'

export async function run(_params: DebugStatusParams, context: DebugContext): Promise<ToolOutcome<DebugStatusData>> {
  const desk = deskOf(context)
  const { current, sessions } = desk
  const stop = current?.currentStop
  const options = { signal: context.signal, showSecrets: context.host.showSecrets }
  const snapshot =
    current === undefined || stop === undefined
      ? undefined
      : await takeSnapshot(desk, { kind: 'stopped', session: current, stop }, options)
  const totalBreakpoints = desk.breakpoints.list().length
  const lines = sessions.map((session) => `${session === current ? '>' : ' '}${describe(session)}`)
  return {
    data: {
      isActive: current !== undefined,
      isPaused: stop !== undefined,
      ...(current === undefined ? {} : { current: current.id }),
      sessions: sessions.map(show),
      totalBreakpoints,
      ...(snapshot === undefined ? {} : { snapshot }),
    },
    text: [
      ...(lines.length === 0 ? ['no session; start one with debug_start'] : lines),
      `${totalBreakpoints} breakpoint${totalBreakpoints === 1 ? '' : 's'}`,
      ...(snapshot === undefined ? [] : [formatSnapshot(snapshot)]),
    ].join('\n'),
  }
}

function show({ id, name, session, state, parent, ending }: ManagedSession): DebugStatusData['sessions'][number] {
  return {
    sessionId: id,
    name,
    language: session.language,
    state,
    ...(session.pid === undefined ? {} : { pid: session.pid }),
    ...(parent === undefined ? {} : { parent: parent.id }),
    ...(ending?.exitCode === undefined ? {} : { exitCode: ending.exitCode }),
  }
}

function describe(managed: ManagedSession): string {
  const { id, name, session, state } = managed
  return `${id} ${name} (${session.language}) ${state}${state === 'ended' ? describeExit(managed) : ''}`
}
