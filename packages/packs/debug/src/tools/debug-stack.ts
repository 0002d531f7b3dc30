import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugStackData, DebugStackParams } from '../generated/types.ts'
import { showFrame } from '../snapshot/take-snapshot.ts'
import { findStopped } from '../tool-steps/resume.ts'

export async function run(params: DebugStackParams, context: DebugContext): Promise<ToolOutcome<DebugStackData>> {
  const { session, stop } = findStopped(context, params)
  const { start, count, onlyUser } = params
  const { threadId } = stop
  const found = await session.session.stack(threadId, { start, count: count + 1 }, { signal: context.signal })
  const frames = found.frames
    .slice(0, count)
    .filter(({ isUser }) => isUser || !onlyUser)
    .map((frame) => ({ ...showFrame(frame, session), isUser: frame.isUser }))
  const hasMore = found.frames.length > count
  const lines = frames.map(
    ({ frameId, name, path = '?', line = '?', isUser }) =>
      `#${frameId} ${name} ${path}:${line}${isUser ? '' : ' (library)'}`,
  )
  if (hasMore) lines.push(`… more: start=${start + count}`)
  return {
    data: { threadId, frames, ...(found.total === undefined ? {} : { total: found.total }), hasMore },
    text: lines.join('\n'),
  }
}
