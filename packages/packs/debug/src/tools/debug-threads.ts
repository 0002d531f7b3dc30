import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugThreadsParams } from '../generated/types.ts'
import type { Thread } from '../session/debug-session.ts'

export async function run(
  { sessionId }: DebugThreadsParams,
  context: DebugContext,
): Promise<ToolOutcome<{ sessionId: string; currentThreadId?: number; threads: readonly Thread[] }>> {
  const session = deskOf(context).find(sessionId)
  const threads = await session.session.threads({ signal: context.signal })
  const current = session.currentStop?.threadId
  return {
    data: { sessionId: session.id, threads, ...(current === undefined ? {} : { currentThreadId: current }) },
    text: threads.map(({ id, name, state }) => `${id === current ? '>' : ' '}${id} ${name} ${state}`).join('\n'),
  }
}
