import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import { describeExit } from '../desk/debug-desk.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { DebugStatusData, DebugStatusParams } from '../generated/types.ts'
import { listCaptures } from '../output/select-capture.ts'
import { formatSnapshot } from '../snapshot/format-snapshot.ts'
import { takeSnapshot } from '../snapshot/take-snapshot.ts'

const THREADS_MS = 2_000
/** Of a long line: it is shown, and counted, as several. */
const ROW = /.{1,2000}/gsu
const WRAP = ' ↩'
/** As an answer carries them: what is larger would be cut, and nobody would know where to go on. */
const MOST_BYTES = 10_000

export async function run(
  { output, skip }: DebugStatusParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugStatusData>> {
  const desk = deskOf(context)
  const { current, sessions } = desk
  const stop = current?.currentStop
  const options = { signal: context.signal, masking: context.host.masking }
  const snapshot =
    current === undefined || stop === undefined
      ? undefined
      : await takeSnapshot(desk, { kind: 'stopped', session: current, stop }, options)
  // One that runs may not be asked; then the rest is told.
  const threads =
    (await current?.session.threads({ signal: context.signal, timeout: THREADS_MS }).catch(() => [])) ?? []
  const printed = output === undefined ? [] : readOutput(context, current?.id, { count: output, skip })
  const totalBreakpoints = desk.breakpoints.list().length
  const lines = sessions.map((session) => `${session === current ? '>' : ' '}${describe(session)}`)
  return {
    data: {
      isActive: current !== undefined,
      isPaused: stop !== undefined,
      ...(current === undefined ? {} : { current: current.id }),
      sessions: sessions.map(show),
      ...(threads.length === 0 ? {} : { threads: [...threads] }),
      ...(output === undefined ? {} : { output: printed }),
      totalBreakpoints,
      ...(snapshot === undefined ? {} : { snapshot }),
    },
    text: [
      ...(lines.length === 0 ? ['no session; start one with debug_start'] : lines),
      ...(threads.length < 2 ? [] : threads.map(({ id, name, state }) => `  thread ${id} ${name} ${state}`)),
      `${totalBreakpoints} breakpoint${totalBreakpoints === 1 ? '' : 's'}`,
      ...(snapshot === undefined ? [] : [formatSnapshot(snapshot)]),
      ...printed,
    ].join('\n'),
  }
}

/** Of the session that calls are about, else of the last that there was. */
function readOutput(
  { host, call }: DebugContext,
  id: string | undefined,
  { count, skip }: { count: number; skip: number },
): string[] {
  const captures = listCaptures(host, call)
  const capture = captures.findLast((one) => one.id === id) ?? captures.at(-1)
  if (capture === undefined) return []
  const rows = capture.lines().flatMap(({ category, text }) => {
    const pieces = text.match(ROW) ?? ['']
    const first = category === 'stdout' ? '' : `[${category}] `
    return pieces.map((piece, at) => `${at === 0 ? first : ''}${piece}${at < pieces.length - 1 ? WRAP : ''}`)
  })
  const end = Math.max(0, rows.length - skip)
  let start = end
  for (let bytes = 0; start > 0 && end - start < count; start--) {
    bytes += Buffer.byteLength(JSON.stringify(rows[start - 1] ?? '')) + 1
    if (bytes > MOST_BYTES) break
  }
  const left = start + capture.dropped.lines
  if (left === 0) return rows.slice(start, end)
  const more = start === 0 ? ', which were not kept' : `: skip=${rows.length - start}`
  return [`… ${left} lines before${more}`, ...rows.slice(start, end)]
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
