import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { DebugThreadsData, DebugThreadsParams } from '../generated/types.ts'

export async function run(
  { sessionId }: DebugThreadsParams,
  context: DebugContext,
): Promise<ToolOutcome<DebugThreadsData>> {
  const session = deskOf(context).find(sessionId)
  const threads = await session.session.threads({ signal: context.signal })
  const current = session.currentStop?.threadId
  return {
    data: { sessionId: session.id, threads, ...(current === undefined ? {} : { currentThreadId: current }) },
    text: threads.map(({ id, name, state }) => `${id === current ? '>' : ' '}${id} ${name} ${state}`).join('\n'),
  }
}
