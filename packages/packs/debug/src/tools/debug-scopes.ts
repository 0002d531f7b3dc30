import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugScopesData, DebugScopesParams } from '../generated/types.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'

export async function run(params: DebugScopesParams, context: DebugContext): Promise<ToolOutcome<DebugScopesData>> {
  const { session, stop } = findStopped(context, params)
  const frameId = await findFrame(context, session, stop, params.frameId)
  const found = await session.session.scopes(frameId, { signal: context.signal })
  const scopes = found.map(({ name, kind, reference, isExpensive }) => ({
    name,
    kind,
    ref: reference,
    expensive: isExpensive,
  }))
  const lines = scopes.map(
    ({ name, kind, ref, expensive }) => `${name} (${kind}${expensive ? ', large' : ''}) ref=${ref}`,
  )
  return { data: { frameId, scopes }, text: lines.join('\n') }
}
