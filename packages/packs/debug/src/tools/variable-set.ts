import { nearestName } from '@switchboard/base'
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { VariableSetData, VariableSetParams } from '../generated/types.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'
import { formatVariable, showVariable } from '../variables/show-variable.ts'

export async function run(params: VariableSetParams, context: DebugContext): Promise<ToolOutcome<VariableSetData>> {
  const { session, stop } = findStopped(context, params)
  const { name, variablesReference } = params
  const frameId = await findFrame(context, session, stop, params.frameId)
  const reference = variablesReference ?? (await findScope(context, session, frameId, name))
  const changed = await session.session.setVariable(reference, name, params.value, { signal: context.signal })
  const { shown: last, memory } = session
  if (variablesReference === undefined && last?.frameId === frameId) memory.note(last.memoryKey, name, changed.value)
  const shown = showVariable(context, { ...changed, name })
  return { data: shown, text: formatVariable(shown) }
}

/** The innermost that has the name. */
async function findScope(
  { signal }: DebugContext,
  { session }: ManagedSession,
  frameId: number,
  name: string,
): Promise<number> {
  const names: string[] = []
  for (const { kind, reference } of await session.scopes(frameId, { signal })) {
    if (kind === 'registers') continue
    const variables = await session.variables(reference, { start: 0, count: 1_000 }, { signal })
    if (variables.some((variable) => variable.name === name)) return reference
    names.push(...variables.map((variable) => variable.name))
  }
  const nearest = nearestName(name, names)
  throw new ToolError(
    'E_VARIABLE_NOT_FOUND',
    `There is no variable "${name}" here${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`,
  )
}
