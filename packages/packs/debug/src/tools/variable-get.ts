import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { VariableGetData, VariableGetParams } from '../generated/types.ts'
import { findStopped } from '../running/resume.ts'
import { isSecretName, maskValue } from '../snapshot/show-value.ts'
import { findFrame } from '../variables/find-frame.ts'
import { formatVariable, showVariable } from '../variables/show-variable.ts'

/** A text has no children: characters are what there is to page through, and so many are one item. */
const CHARACTERS_PER_ITEM = 40
const CHILD_LENGTH = 300

export async function run(params: VariableGetParams, context: DebugContext): Promise<ToolOutcome<VariableGetData>> {
  const { start, count, filter, expression } = params
  const { session, stop } = findStopped(context, params)
  const { signal } = context
  let reference = params.variablesReference
  if (reference === undefined) {
    if (expression === undefined)
      throw new ToolError('E_INVALID_PARAMS', 'variable_get needs variablesReference or expression')
    const frameId = await findFrame(context, session, stop, undefined)
    const found = await session.session.evaluate(expression, { frameId, context: 'watch' }, { signal })
    if (found.reference === 0) return pageText(context, expression, found.value, params)
    reference = found.reference
  }
  const range = { start, count: count + 1, ...(filter === 'all' ? {} : { filter }) }
  const found = await session.session.variables(reference, range, { signal })
  // Under the name of a secret everything is one.
  const owner = expression !== undefined && isSecretName(expression) ? expression : undefined
  const children = found.slice(0, count).map((child) => ({
    ...showVariable(context, { ...child, name: owner ?? child.name }, CHILD_LENGTH),
    name: child.name,
  }))
  const hasMore = found.length > count
  const lines = children.map(formatVariable)
  if (hasMore) lines.push(`… more: start=${start + count}`)
  return {
    data: { children, pagination: { start, count, shown: children.length, hasMore } },
    text: lines.length === 0 ? 'nothing inside' : lines.join('\n'),
  }
}

function pageText(
  { host }: DebugContext,
  name: string,
  value: string,
  { start, count }: VariableGetParams,
): ToolOutcome<VariableGetData> {
  const whole = host.showSecrets ? value : maskValue(name, value)
  const end = start + count * CHARACTERS_PER_ITEM
  const text = whole.slice(start, end)
  const hasMore = end < whole.length
  return {
    data: { children: [], text, pagination: { start, count: text.length, shown: text.length, hasMore } },
    text: hasMore ? `${text}… (${whole.length - end} characters more: start=${end})` : text,
  }
}
